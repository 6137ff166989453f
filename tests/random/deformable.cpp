#include "random/deformable.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

namespace random_worlds {
namespace {

using Text = std::string;

/// Pointers to the elements of this name, at any depth.
void collect(Element& at, std::string_view name, std::vector<Element*>& found) {
  for (Element& child : at.children) {
    if (child.name == name) found.push_back(&child);
    collect(child, name, found);
  }
}

class Maker {
 public:
  Maker(Element& root, Rng& r) : root_(root), r_(r), strange_(r.chance(0.06)) {}

  void make() {
    std::erase_if(root_.children, [](const Element& e) { return e.name == "keyframe"; });  // of the sizes from before
    const int kind = r_.below(20);
    if (kind < 14) {
      flexcomps(kind < 11 ? 1 : 2);
    } else if (kind < 17) {
      explicit_flex();
      if (r_.chance(0.3)) flexcomps(1);
    }
    if (kind >= 17 || r_.chance(0.15)) plugins();
    if (kind == 19 || r_.chance(0.15)) skin();
    if (r_.chance(0.3)) equalities();
    if (has_soft_) options();
  }

 private:
  Text reals(int n, double low, double high) {
    Text text;
    for (int i = 0; i < n; ++i) text += (i ? " " : "") + number(r_.in(low, high));
    return text;
  }
  Text integer(int value) { return std::to_string(value); }
  Text yes_or_no() { return r_.chance(0.5) ? "true" : "false"; }
  /// Numbers on a scale from low to high.
  double scale(double low, double high) { return low * std::pow(high / low, r_.unit()); }

  std::vector<Text> names(std::string_view element) {
    std::vector<Element*> found;
    collect(root_.section("worldbody"), element, found);
    std::vector<Text> list;
    for (const Element* e : found) {
      if (const Text* name = e->find("name")) list.push_back(*name);
    }
    return list;
  }
  const Text& any(const std::vector<Text>& list) {
    return list[static_cast<std::size_t>(r_.below(static_cast<int>(list.size())))];
  }

  /// The world, or one of the bodies.
  Element& parent() {
    Element& world = root_.section("worldbody");
    std::vector<Element*> bodies;
    collect(world, "body", bodies);
    if (bodies.empty() || r_.chance(0.55)) return world;
    return *bodies[static_cast<std::size_t>(r_.below(static_cast<int>(bodies.size())))];
  }

  void solver_parameters(Element& e) {
    if (r_.chance(0.3)) e.set("solref", number(r_.in(0.004, 0.05)) + " " + number(r_.in(0.3, 1.5)));
    if (r_.chance(0.2)) e.set("solimp", number(r_.in(0.3, 0.9)) + " 0.95 " + number(r_.in(0.001, 0.05)));
  }

  void contact(Element& flex, bool interpolated, int dim, double margin) {
    Element c("contact");
    if (interpolated) {
      if (!strange_ || r_.chance(0.7)) c.set("selfcollide", "none");
      if (strange_ && r_.chance(0.2)) c.set("internal", "true");
    } else {
      if (r_.chance(0.7)) c.set("selfcollide", r_.pick<Text>({"none", "none", "narrow", "bvh", "sap", "auto"}));
      if (r_.chance(0.25)) c.set("internal", "true");
    }
    if (r_.chance(0.2)) c.set("contype", integer(r_.below(4)));
    if (r_.chance(0.2)) c.set("conaffinity", integer(r_.below(4)));
    if (r_.chance(0.35)) c.set("condim", r_.pick<Text>({"1", "3", "4", "6"}));
    if (r_.chance(0.1)) c.set("priority", integer(r_.below(3)));
    if (r_.chance(0.2)) c.set("friction", reals(3, 0.0001, 1));
    if (r_.chance(0.1)) c.set("solmix", number(r_.in(0, 3)));
    if (margin > 0) c.set("margin", number(margin));
    if (r_.chance(0.1)) c.set("gap", number(r_.in(0, 0.02)));
    if (dim == 3 && r_.chance(0.3)) c.set("activelayers", integer(r_.from(1, 3)));
    if (passive_) c.set("passive", "true");
    solver_parameters(c);
    if (!c.attributes.empty()) flex.add(c);
  }

  /// Returns whether the law needs a surface.
  void elasticity(Element& flex, bool interpolated, int dim, bool may_be_stiff) {
    if (!r_.chance(0.65)) return;
    Element e("elasticity");
    const bool surface = dim == 2 || interpolated;
    Text law = "none";
    if (surface && r_.chance(interpolated ? 0.35 : 0.8)) law = r_.pick<Text>({"bend", "stretch", "both"});
    if (strange_ && r_.chance(0.2)) law = r_.pick<Text>({"bend", "stretch", "both"});
    if (may_be_stiff || law == "bend" || strange_) {
      if (r_.chance(0.93)) e.set("young", number(scale(1e2, 1e5)));
    } else {
      law = "none";
    }
    if (r_.chance(0.7)) e.set("poisson", number(strange_ ? r_.in(-0.1, 0.6) : r_.in(0, 0.45)));
    if (r_.chance(0.5)) e.set("damping", number(scale(1e-4, 0.1)));
    if (law != "none") {
      e.set("elastic2d", law);
      if (!strange_ || r_.chance(0.8)) e.set("thickness", number(scale(1e-3, 5e-2)));
    }
    flex.add(e);
  }

  void pins(Element& comp, const Text& type, int dim, const std::array<int, 3>& count, int points, bool interpolated) {
    if (!r_.chance(0.4)) return;
    Element pin("pin");
    const bool grid = type == "grid" && (dim == 2 || dim == 3) && !interpolated;
    const int size = std::min(points, interpolated ? 8 : points);
    switch (r_.below(grid ? 4 : 2)) {
      case 0: {
        Text ids = integer(r_.below(size));
        while (r_.chance(0.5)) ids += " " + integer(r_.below(size));
        if (strange_ && r_.chance(0.3)) ids += " " + integer(points);
        pin.set("id", ids);
        break;
      }
      case 1: {
        const int low = r_.below(size);
        pin.set("range", integer(low) + " " + integer(std::min(size - 1, low + r_.below(3))));
        break;
      }
      case 2: {
        Text ids;
        for (int k = 0; k < dim; ++k) ids += (k ? " " : "") + integer(r_.below(count[static_cast<std::size_t>(k)]));
        pin.set("grid", ids);
        break;
      }
      default: {
        Text low, high;
        for (int k = 0; k < dim; ++k) {
          const int n = count[static_cast<std::size_t>(k)], from = r_.below(n);
          low += (k ? " " : "") + integer(from);
          high += " " + integer(std::min(n - 1, from + r_.below(2)));
        }
        pin.set("gridrange", low + high);
      }
    }
    comp.add(pin);
  }

  void flexcomps(int n) {
    for (int i = 0; i < n; ++i) flexcomp();
  }

  /// Points and elements of a strip: of segments, triangles or tetrahedra.
  void strip(Element& e, int dim, const char* points_name) {
    const int cells = r_.from(1, 4);
    const int points = cells + dim;
    Text coordinates, elements;
    for (int i = 0; i < points; ++i) {
      const double t = 0.1 * i;
      const double y = dim > 1 ? 0.12 * (i % 2) : 0, z = dim > 2 ? 0.1 * (i % 3) : 0;
      coordinates += (i ? "  " : "") + number(t + r_.in(-0.02, 0.02)) + " " + number(y + r_.in(-0.02, 0.02)) + " " +
                     number(z + r_.in(-0.02, 0.02));
    }
    for (int i = 0; i < cells; ++i) {
      std::array<int, 4> ids{i, i + 1, i + 2, i + 3};
      if (r_.chance(0.5)) std::swap(ids[0], ids[1]);
      elements += i ? "  " : "";
      for (int k = 0; k <= dim; ++k) elements += (k ? " " : "") + integer(ids[static_cast<std::size_t>(k)]);
    }
    e.set(points_name, coordinates).set("element", elements);
    if (r_.chance(0.2)) {
      e.set("texcoord", reals(2 * points, 0, 1));
    }
    strip_points_ = points;
  }

  void flexcomp() {
    Element comp("flexcomp");
    comp.set("name", "f" + integer(flexes_));
    const Text type = r_.pick<Text>({"grid", "grid", "grid", "grid", "box", "cylinder", "ellipsoid", "square", "disc",
                                     "circle", "direct", "direct"});
    int dim = r_.pick({1, 2, 2, 3});
    if (type == "circle") dim = 1;
    if (type == "square" || type == "disc") dim = 2;
    if ((type == "box" || type == "cylinder" || type == "ellipsoid") && dim == 1) dim = 3;
    Text dof =
        r_.pick<Text>({"full", "full", "full", "full", "full", "2d", "radial", "trilinear", "trilinear", "quadratic"});
    if (strange_ && r_.chance(0.1)) dim = r_.from(0, 4);
    const bool interpolated = dof == "trilinear" || dof == "quadratic";
    const bool flat = type == "square" || type == "disc" || type == "circle" || (type == "grid" && dim < 3);
    const bool made_solid = interpolated && flat && r_.chance(0.8);  // a grid of cells needs extent on all axes
    if (made_solid) dim = 3;
    const Text made = made_solid ? "grid" : type;
    comp.set("type", made);
    comp.set("dim", integer(dim));
    if (dof != "full") comp.set("dof", dof);
    const double radius = r_.in(0.004, 0.025), margin = r_.chance(0.25) ? r_.in(0, 0.02) : 0;
    comp.set("radius", number(radius));
    passive_ = r_.chance(0.06);
    std::array<int, 3> count{1, 1, 1};
    int points = 1;
    if (made == "direct") {
      strip(comp, std::clamp(dim, 1, 3), "point");
      points = strip_points_;
      if (r_.chance(0.2)) comp.set("scale", reals(3, 0.7, 1.5));
    } else {
      const bool lattice = made == "box" || made == "cylinder" || made == "ellipsoid";
      const int axes = lattice ? 3 : made == "circle" ? 1 : std::clamp(dim, 1, 3);
      for (int k = 0; k < axes; ++k) {
        const int most = axes == 1 ? 7 : axes == 2 ? 4 : 3;
        count[static_cast<std::size_t>(k)] = r_.from(made == "circle" ? 4 : 2, most);
        points *= count[static_cast<std::size_t>(k)];
      }
      if (made == "circle") --points;
      if (lattice) {
        points -= std::max(0, count[0] - 2) * std::max(0, count[1] - 2) * std::max(0, count[2] - 2);
        if (dim == 3) ++points;
        if (dim == 2) points -= std::max(0, count[0] - 2) * std::max(0, count[1] - 2);
      }
      if (strange_ && r_.chance(0.1)) count[static_cast<std::size_t>(r_.below(3))] = r_.from(0, 2);
      comp.set("count", integer(count[0]) + " " + integer(count[1]) + " " + integer(count[2]));
      comp.set("spacing", reals(3, strange_ ? 0.03 : 0.075, 0.15));
    }
    if (interpolated && made == "direct" && r_.chance(0.5))
      comp.set("cellcount", integer(r_.from(1, 2)) + " " + integer(r_.from(1, 2)) + " " + integer(r_.from(1, 2)));
    if (r_.chance(0.6)) comp.set("mass", number(scale(0.01, 5)));
    if (r_.chance(0.2)) comp.set("inertiabox", number(scale(0.002, 0.1)));
    if (r_.chance(0.8)) comp.set("pos", reals(2, -0.3, 0.3) + " " + number(r_.in(-0.05, 0.4)));
    if (r_.chance(0.4)) comp.set(r_.chance(0.5) ? "euler" : "zaxis", reals(3, -1, 1));
    if (r_.chance(0.06)) comp.set("rigid", "true");
    if (r_.chance(0.2)) comp.set("flatskin", yes_or_no());
    if (r_.chance(0.1)) comp.set("rgba", "1 0 0 1");
    if (r_.chance(0.1)) comp.set("group", integer(r_.below(5)));
    contact(comp, interpolated, dim, margin);
    Element edge("edge");
    const bool constrained = r_.chance(0.35);
    if (constrained) {
      Text kind = interpolated ? "strain" : dim == 2 && r_.chance(0.4) ? "vert" : "true";
      if (r_.chance(0.08)) kind = r_.pick<Text>({"true", "vert", "strain"});
      edge.set("equality", kind);
      solver_parameters(edge);
    }
    if (r_.chance(0.25) || dim == 1) edge.set("damping", number(scale(0.001, 1)));
    if ((dim == 1 && r_.chance(0.7)) || (strange_ && r_.chance(0.2))) edge.set("stiffness", number(scale(1, 1000)));
    if (!edge.attributes.empty()) comp.add(edge);
    elasticity(comp, interpolated, dim, !constrained);
    pins(comp, made, dim, count, points, interpolated);
    parent().add(comp);
    is_interpolated_.push_back(interpolated);
    ++flexes_;
    has_soft_ = true;
  }

  void explicit_flex() {
    const std::vector<Text> bodies = names("body");
    Element flex("flex");
    flex.set("name", "f" + integer(flexes_)).set("radius", number(r_.in(0.005, 0.03)));
    passive_ = false;
    const int dim = r_.from(1, 3);
    flex.set("dim", integer(dim));
    const auto body = [&] { return bodies.empty() || r_.chance(0.1) ? Text("world") : any(bodies); };
    const bool interpolated = r_.chance(0.15);
    strip(flex, dim, "vertex");
    if (interpolated) {
      const bool one = r_.chance(0.5);
      Text nodes, coordinates;
      const Text home = body();
      for (int i = 0; i < 8; ++i) {
        nodes += (i ? " " : "") + (one ? home : body());
        coordinates += (i ? "  " : "") + Text(i & 4 ? "0.5" : "-0.05") + " " + (i & 2 ? "0.2" : "-0.05") + " " +
                       (i & 1 ? "0.3" : "-0.05");
      }
      flex.set("node", nodes).set("nodecoord", coordinates).set("dof", "trilinear").set("body", home);
    } else if (r_.chance(0.35)) {
      flex.set("body", body());
    } else {
      Text list;
      for (int i = 0; i < strip_points_; ++i) list += (i ? " " : "") + body();
      flex.set("body", list);
    }
    contact(flex, interpolated, dim, r_.chance(0.2) ? r_.in(0, 0.05) : 0);
    Element edge("edge");
    if (r_.chance(0.4)) edge.set("damping", number(scale(0.001, 1)));
    if (dim == 1 && r_.chance(0.6)) edge.set("stiffness", number(scale(1, 1000)));
    if (!edge.attributes.empty()) flex.add(edge);
    elasticity(flex, interpolated, dim, true);
    root_.section("deformable").add(flex);
    is_interpolated_.push_back(interpolated);
    ++flexes_;
    has_soft_ = true;
  }

  void equalities() {
    if (flexes_ == 0) return;
    const int flex = r_.below(flexes_);
    const bool interpolated = is_interpolated_[static_cast<std::size_t>(flex)];
    Element e(interpolated ? Text("flexstrain") : r_.pick<Text>({"flex", "flex", "flexvert"}));
    e.set("flex", "f" + integer(flex));
    if (e.name == "flexstrain") e.set("cell", "0 0 0");
    if (r_.chance(0.2)) e.set("active", "false");
    solver_parameters(e);
    root_.section("equality").add(e);
  }

  /// Implicit elasticity exists with these options only.
  void options() {
    Element& option = root_.section("option");
    const auto replace = [&](const char* attribute, const Text& value) {
      std::erase_if(option.attributes, [&](const auto& pair) { return pair.first == attribute; });
      option.set(attribute, value);
    };
    if (passive_ || r_.chance(0.3)) {
      replace("solver", "CG");
      replace("cone", "pyramidal");
      replace("integrator", r_.pick<Text>({"implicit", "implicitfast"}));
      if (r_.chance(0.7)) replace("tolerance", "1e-12");
      for (Element& flag : option.children) {
        std::erase_if(flag.attributes, [](const auto& pair) { return pair.first == "sleep"; });
      }
    }
    if (option.find("timestep") != nullptr && r_.chance(0.7)) replace("timestep", "0.002");
  }

  void skin() {
    std::vector<Text> bodies = names("body");
    bodies.push_back("world");
    Element e(Text("skin"));
    e.set("name", "skin");
    const int points = r_.from(3, 6), bones = r_.from(1, 3);
    e.set("vertex", reals(3 * points, -0.3, 0.3));
    Text faces;
    for (int i = 0; i + 2 < points; ++i)
      faces += (i ? "  " : "") + integer(i) + " " + integer(i + 1) + " " + integer(i + 2);
    e.set("face", faces);
    if (r_.chance(0.3)) e.set("texcoord", reals(2 * points, 0, 1));
    if (r_.chance(0.3)) e.set("inflate", number(r_.in(-0.02, 0.02)));
    if (r_.chance(0.2)) e.set("group", integer(r_.below(6)));
    for (int b = 0; b < bones; ++b) {
      Element bone("bone");
      bone.set("body", any(bodies)).set("bindpos", reals(3, -0.3, 0.3)).set("bindquat", reals(4, -1, 1));
      Text ids, weights;
      for (int v = 0; v < points; ++v) {
        if (b > 0 && r_.chance(0.5)) continue;
        ids += integer(v) + " ";
        weights += number(r_.in(0.1, 1)) + " ";
      }
      if (ids.empty()) continue;
      bone.set("vertid", ids).set("vertweight", weights);
      e.add(bone);
    }
    root_.section(r_.chance(0.5) ? "asset" : "deformable").add(e);
  }

  Element config(const char* key, const Text& value) {
    Element e("config");
    e.set("key", key).set("value", value);
    return e;
  }
  void activate(const Text& plugin) {
    for (const Element& e : root_.section("extension").children) {
      if (*e.find("plugin") == plugin) return;
    }
    root_.section("extension").add(Element("plugin")).set("plugin", plugin);
  }

  void pid() {
    const std::vector<Text> joints = names("joint");
    if (joints.empty()) return;
    activate("mujoco.pid");
    Element a("plugin");
    a.set("name", "pid" + integer(plugins_)).set("plugin", "mujoco.pid").set("joint", any(joints));
    int states = 0;
    a.add(config("kp", number(r_.in(0, 50))));
    if (r_.chance(0.5)) a.add(config("kd", number(r_.in(0, 5))));
    const bool integrates = r_.chance(0.5);
    if (integrates) {
      a.add(config("ki", number(r_.in(0.1, 10))));
      ++states;
    }
    if (r_.chance(0.3)) a.add(config("imax", number(r_.in(0, 3))));
    if (r_.chance(0.3)) {
      a.add(config("slewmax", number(r_.in(0.1, 5))));
      ++states;
    }
    if (r_.chance(0.4)) {
      a.set("dyntype", r_.pick<Text>({"integrator", "filter", "filterexact"})).set("dynprm", number(r_.in(0.01, 0.5)));
      ++states;
      if (r_.chance(0.4)) a.set("actrange", "-1 " + number(r_.in(0.1, 2)));
      if (r_.chance(0.3)) a.set("actearly", "true");
    }
    if (r_.chance(0.95)) a.set("actdim", integer(states));
    if (r_.chance(0.4)) a.set("ctrlrange", "-1 1");
    if (r_.chance(0.3)) a.set("forcerange", "-5 " + number(r_.in(0, 5)));
    if (r_.chance(0.3)) a.set("gear", number(r_.in(-3, 3)));
    root_.section("actuator").add(a);
  }

  void touch_grid() {
    const std::vector<Text> sites = names("site");
    if (sites.empty()) return;
    activate("mujoco.sensor.touch_grid");
    Element s("plugin");
    s.set("name", "grid" + integer(plugins_)).set("plugin", "mujoco.sensor.touch_grid");
    s.set("objtype", "site").set("objname", any(sites));
    s.add(config("size", integer(r_.from(1, 5)) + " " + integer(r_.from(1, 5))));
    s.add(config("fov", integer(r_.from(10, 180)) + " " + integer(r_.from(10, 90))));
    if (r_.chance(0.6)) s.add(config("gamma", number(r_.in(0, 1))));
    if (r_.chance(0.6)) s.add(config("nchannel", integer(r_.from(1, strange_ ? 7 : 6))));
    if (r_.chance(0.2)) s.set("cutoff", number(r_.in(0.1, 5)));
    root_.section("sensor").add(s);
  }

  void cable_settings(Element& plugin) {
    plugin.add(config("twist", number(scale(1e3, 1e7))));
    if (r_.chance(0.9)) plugin.add(config("bend", number(scale(1e3, 1e7))));
    if (r_.chance(0.3)) plugin.add(config("flat", yes_or_no()));
    if (r_.chance(0.3)) plugin.add(config("vmax", "0.05"));
  }

  void cable() {
    activate("mujoco.elasticity.cable");
    Element& where = parent();
    if (r_.chance(0.65)) {
      Element c("composite");
      c.set("prefix", "c" + integer(plugins_)).set("type", "cable");
      c.set("curve", r_.pick<Text>({"s", "s 0 0", "cos(s) sin(s) s", "0 s 0", "0 0 s"}));
      c.set("count", integer(r_.from(3, 8)) + " 1 1").set("size", number(r_.in(0.2, 1)) + " 0.3 0.3");
      c.set("offset", reals(3, -0.3, 0.3)).set("initial", r_.pick<Text>({"free", "ball", "none"}));
      if (where.name != "worldbody" && *c.find("initial") == "free") c.attributes.back().second = "ball";
      Element plugin("plugin");
      plugin.set("plugin", "mujoco.elasticity.cable");
      cable_settings(plugin);
      c.add(plugin);
      Element joint("joint");
      joint.set("kind", "main").set("damping", number(r_.in(0, 0.1)));
      if (r_.chance(0.3)) joint.set("armature", number(r_.in(0, 0.01)));
      c.add(joint);
      Element geom("geom");
      geom.set("type", r_.pick<Text>({"capsule", "box", "cylinder"}));
      geom.set("size", reals(3, 0.005, 0.03));
      if (r_.chance(0.3)) geom.set("condim", "4");
      c.add(geom);
      if (*geom.find("type") == "box" && r_.chance(0.5)) {
        Element skin("skin");
        skin.set("subgrid", integer(r_.below(2)));  // with more the peer keeps weights of rounding
        c.add(skin);
      }
      where.add(c);
      return;
    }
    // a chain of bodies with a ball each
    Element instance("instance");
    instance.set("name", "cable" + integer(plugins_));
    cable_settings(instance);
    for (Element& e : root_.section("extension").children) {
      if (*e.find("plugin") == "mujoco.elasticity.cable") e.add(instance);
    }
    const int bodies = r_.from(2, 5);
    std::vector<Element> chain;
    for (int i = 0; i < bodies; ++i) {
      Element b("body");
      b.set("pos", i == 0 ? reals(3, -0.2, 0.4) : number(r_.in(0.08, 0.12)) + " 0 0");
      if (r_.chance(0.4)) b.set("euler", reals(3, -0.5, 0.5));
      b.add(Element("joint")).set("type", "ball").set("damping", number(r_.in(0, 0.1)));
      Element g("geom");
      g.set("type", r_.pick<Text>({"capsule", "box", "cylinder", "sphere"})).set("size", reals(3, 0.01, 0.04));
      g.set("contype", "0").set("mass", number(r_.in(0.05, 0.5)));
      b.add(g);
      b.add(Element("plugin")).set("instance", "cable" + integer(plugins_));
      chain.push_back(b);
    }
    for (int i = bodies - 1; i > 0; --i) chain[static_cast<std::size_t>(i - 1)].add(chain[static_cast<std::size_t>(i)]);
    where.add(chain[0]);
  }

  void field() {
    const Text kind = r_.pick<Text>({"torus", "bolt", "nut", "bowl", "gear"});
    const Text plugin = "mujoco.sdf." + kind;
    activate(plugin);
    Element instance("instance");
    instance.set("name", "sdf" + integer(plugins_));
    if (kind == "torus" && r_.chance(0.6)) {
      instance.add(config("radius1", number(r_.in(0.1, 0.3))));
      instance.add(config("radius2", number(r_.in(0.02, 0.09))));
    } else if ((kind == "bolt" || kind == "nut") && r_.chance(0.5)) {
      instance.add(config("radius", number(r_.in(0.2, 0.3))));
    } else if (kind == "bowl" && r_.chance(0.5)) {
      instance.add(config("height", number(r_.in(0.1, 0.3))));
      instance.add(config("radius", number(r_.in(0.4, 0.8))));
      instance.add(config("thickness", number(r_.in(0.02, 0.06))));
    } else if (kind == "gear" && r_.chance(0.5)) {
      instance.add(config("diameter", number(r_.in(0.5, 2))));
      instance.add(config("teeth", integer(r_.from(8, 30))));
    }
    for (Element& e : root_.section("extension").children) {
      if (*e.find("plugin") == plugin) e.add(instance);
    }
    const Text name = "sdf" + integer(plugins_);
    Element mesh("mesh");
    mesh.set("name", name);
    mesh.add(Element("plugin")).set("instance", name);
    root_.section("asset").add(mesh);
    Element& world = root_.section("worldbody");
    Element b("body");
    b.set("pos", reals(2, -0.3, 0.3) + " " + number(r_.in(0, 0.6)));
    if (r_.chance(0.7)) b.add(Element("freejoint"));
    Element inertial("inertial");
    inertial.set("pos", "0 0 0").set("mass", "1").set("diaginertia", "0.02 0.02 0.02");
    b.add(inertial);
    Element g("geom");
    g.set("type", "sdf").set("mesh", name).add(Element("plugin")).set("instance", name);
    b.add(g);
    world.add(b);
  }

  void plugins() {
    const int count = r_.chance(0.7) ? 1 : 2;
    for (int i = 0; i < count; ++i, ++plugins_) {
      switch (r_.below(20)) {
        case 0: field(); break;  // rarely: its mesh takes a second
        case 1:
        case 2:
        case 3:
        case 4:
        case 5: touch_grid(); break;
        case 6:
        case 7:
        case 8:
        case 9:
        case 10:
        case 11: pid(); break;
        default: cable();
      }
    }
  }

  Element& root_;
  Rng& r_;
  const bool strange_;  // some values are out of range
  std::vector<bool> is_interpolated_;
  int flexes_ = 0, plugins_ = 0, strip_points_ = 0;
  bool has_soft_ = false, passive_ = false;
};

}  // namespace

void add_deformables(Element& root, Rng& r) { Maker(root, r).make(); }

}  // namespace random_worlds
