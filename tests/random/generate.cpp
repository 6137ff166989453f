#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include "random/deformable.h"
#include "random/rng.h"
#include "random/world.h"

namespace random_worlds {
namespace {

using Text = std::string;

class Generator {
 public:
  explicit Generator(std::uint64_t seed) : r_(mix(seed, "model")), soft_(mix(seed, "deformables")) {
    is_soft_ = soft_.chance(0.15);
  }

  Element make() {
    Element root("mujoco");
    compiler(root.section("compiler"));
    option(root.section("option"));
    if (r_.chance(0.1)) sizes(root.section("size"));
    if (r_.chance(0.2)) defaults(root.section("default"));
    if (r_.chance(0.25)) assets(root.section("asset"));
    bodies(root.section("worldbody"));
    if (r_.chance(0.2) && geoms_.size() > 1) pairs(root.section("contact"));
    if (r_.chance(0.35)) tendons(root);
    if (r_.chance(0.3)) equalities(root);
    if (r_.chance(0.45)) actuators(root);
    if (r_.chance(0.5)) sensors(root);
    if (r_.chance(0.1)) keyframes(root.section("keyframe"));
    if (is_soft_) add_deformables(root, soft_);
    return root;
  }

 private:
  struct Body {
    Text name;
    int parent;  // in bodies_, 0: world
  };
  struct Joint {
    Text name;
    char kind;  // f b s h
    bool limited = false;
  };
  struct Geom {
    Text name;
    Text type;
  };

  Text reals(int n, double low, double high) {
    Text text;
    for (int i = 0; i < n; ++i) text += (i ? " " : "") + number(r_.in(low, high));
    return text;
  }
  Text name(const char* prefix, std::size_t count) { return prefix + std::to_string(count); }
  template <class T>
  const T& any(const std::vector<T>& list) {
    return list[static_cast<std::size_t>(r_.below(static_cast<int>(list.size())))];
  }
  /// A different one than `not_this`, rarely the same.
  Text another(const std::vector<Text>& list, const Text& not_this) {
    Text next = any(list);
    for (int tries = 0; tries < 5 && next == not_this && !r_.chance(0.02); ++tries) next = any(list);
    return next;
  }
  std::vector<Text> body_names() const {
    std::vector<Text> names;
    for (const Body& b : bodies_) names.push_back(b.name);
    return names;
  }
  Text yes_or_no() { return r_.chance(0.5) ? "true" : "false"; }

  void compiler(Element& e) {
    e.set("angle", r_.chance(0.9) ? "radian" : "degree");
    if (r_.chance(0.03)) e.set("fusestatic", "true");
    if (r_.chance(0.03)) e.set("balanceinertia", "true");
    if (r_.chance(0.03)) e.set("settotalmass", number(r_.in(0.1, 30)));
    if (r_.chance(0.03)) e.set("boundmass", number(r_.in(0.001, 1)));
    if (r_.chance(0.03)) e.set("boundinertia", number(r_.in(0.0001, 0.1)));
    if (r_.chance(0.03)) e.set("inertiafromgeom", r_.chance(0.8) ? "true" : "false");
    if (r_.chance(0.04)) e.set("alignfree", "true");
    if (r_.chance(0.02)) e.set("discardvisual", "true");
    if (r_.chance(0.005)) e.set("autolimits", "false");
    if (r_.chance(0.03)) e.set("eulerseq", r_.pick<Text>({"xyz", "ZYX", "zxz", "YXZ"}));
    if (r_.chance(0.03)) e.set("inertiagrouprange", "0 " + std::to_string(r_.below(3)));
    if (r_.chance(0.02)) {
      Element& range = e.section("lengthrange");
      range.set("mode", r_.pick<Text>({"none", "muscle", "muscleuser", "all"}));
      range.set("inttotal", number(r_.in(0.5, 3))).set("interval", "0.2");
      if (r_.chance(0.5)) range.set("uselimit", "true");
    }
  }

  void option(Element& e) {
    if (r_.chance(0.5)) e.set("timestep", r_.pick<Text>({"0.001", "0.002", "0.005", "0.01", "0.03", "0.1"}));
    if (r_.chance(0.7)) e.set("integrator", r_.pick<Text>({"Euler", "RK4", "implicit", "implicitfast"}));
    if (r_.chance(0.6)) e.set("solver", r_.pick<Text>({"Newton", "Newton", "CG", "PGS"}));
    if (r_.chance(0.5)) e.set("cone", "elliptic");
    if (r_.chance(0.5)) e.set("jacobian", r_.pick<Text>({"dense", "sparse"}));
    if (r_.chance(0.1)) e.set("iterations", std::to_string(r_.pick({0, 1, 2, 5, 200})));
    if (r_.chance(0.05)) e.set("ls_iterations", std::to_string(r_.pick({0, 1, 3, 100})));
    if (r_.chance(0.15)) e.set("tolerance", r_.pick<Text>({"0", "1e-12", "1e-4"}));
    if (r_.chance(0.1)) e.set("noslip_iterations", std::to_string(r_.pick({1, 3, 10})));
    if (r_.chance(0.1)) e.set("impratio", r_.pick<Text>({"0.1", "10", "100"}));
    if (r_.chance(0.1)) e.set("gravity", r_.chance(0.3) ? "0 0 0" : reals(3, -10, 10));
    if (r_.chance(0.15)) e.set("density", r_.pick<Text>({"1.2", "1000", "0.01"}));
    if (r_.chance(0.1)) e.set("viscosity", r_.pick<Text>({"0.001", "1", "20"}));
    if (r_.chance(0.06)) e.set("wind", reals(3, -5, 5));
    if (r_.chance(0.04)) e.set("magnetic", reals(3, -1, 1));
    if (r_.chance(0.05)) e.set("ccd_iterations", std::to_string(r_.pick({1, 5, 100})));
    if (r_.chance(0.04)) e.set("ccd_tolerance", r_.pick<Text>({"1e-3", "1e-9"}));
    if (r_.chance(0.05)) e.set("sleep_tolerance", r_.pick<Text>({"0", "0.1", "10"}));
    if (r_.chance(0.04)) e.set("actuatorgroupdisable", r_.pick<Text>({"0", "1", "0 2", "30"}));
    if (r_.chance(0.04)) {
      e.set("o_margin", number(r_.in(0, 0.1))).set("o_solref", solref()).set("o_solimp", solimp());
      e.set("o_friction", reals(5, 0.001, 1));
    }
    Element flag("flag");
    for (const char* off : {"constraint", "equality",  "frictionloss", "limit",        "contact",   "spring",  "damper",
                            "gravity",    "clampctrl", "warmstart",    "filterparent", "actuation", "refsafe", "sensor",
                            "midphase",   "eulerdamp", "autoreset",    "nativeccd",    "island",    "multiccd"}) {
      if (r_.chance(0.035)) flag.set(off, "disable");
    }
    if (r_.chance(0.06)) flag.set("island", "disable");
    if (r_.chance(0.05)) flag.set("override", "enable");
    if (r_.chance(0.15)) flag.set("energy", "enable");
    if (r_.chance(0.05)) flag.set("fwdinv", "enable");
    if (r_.chance(0.06)) flag.set("invdiscrete", "enable");
    if (r_.chance(0.15)) flag.set("sleep", "enable");
    if (r_.chance(0.06)) flag.set("diagexact", "enable");
    if (!flag.attributes.empty()) e.add(flag);
  }

  void sizes(Element& e) {
    if (r_.chance(0.5)) e.set("nuserdata", std::to_string(r_.below(5)));
    if (r_.chance(0.3)) e.set("nkey", std::to_string(r_.below(4)));
    if (r_.chance(0.2)) e.set("nuser_body", std::to_string(r_.below(3)));
    if (r_.chance(0.2)) e.set("nuser_geom", std::to_string(r_.below(3)));
    if (r_.chance(0.2)) e.set("nuser_jnt", std::to_string(r_.below(3)));
  }

  void defaults(Element& e) {
    if (r_.chance(0.4)) e.section("geom").set("condim", r_.pick<Text>({"1", "3", "4", "6"}));
    if (r_.chance(0.2)) e.section("geom").set("margin", number(r_.in(0, 0.2)));
    if (r_.chance(0.3)) e.section("joint").set("damping", number(r_.in(0, 2)));
    if (r_.chance(0.2)) e.section("joint").set("armature", number(r_.in(0, 0.3)));
    if (r_.chance(0.2)) e.section("equality").set("solref", solref());
    if (r_.chance(0.2)) e.section("tendon").set("stiffness", number(r_.in(0, 50)));
    if (r_.chance(0.3)) {
      Element child("default");
      child.set("class", "c");
      child.section("geom").set("friction", reals(3, 0.001, 1)).set("rgba", "1 0 0 1");
      child.section("joint").set("limited", "true").set("range", "0 0.5");
      child.section("site").set("type", "box");
      e.add(child);
      has_class_ = true;
    }
  }

  void assets(Element& e) {
    const int count = r_.from(1, 2);
    for (int i = 0; i < count; ++i) {
      if (r_.chance(0.3)) {
        Element field("hfield");
        const int rows = r_.pick({2, 3, 4, 7}), columns = r_.pick({2, 3, 5, 9});
        field.set("name", name("hf", fields_.size())).set("nrow", std::to_string(rows));
        field.set("ncol", std::to_string(columns));
        field.set("size", reals(2, 0.3, 2) + " " + number(r_.in(0.05, 0.5)) + " " + number(r_.in(0.05, 0.3)));
        if (r_.chance(0.9)) {
          Text heights;
          for (int k = 0; k < rows * columns; ++k) heights += (k ? " " : "") + std::to_string(r_.below(8));
          field.set("elevation", heights);
        }
        fields_.push_back(*field.find("name"));
        e.add(field);
        continue;
      }
      Element mesh("mesh");
      mesh.set("name", name("m", meshes_.size()));
      if (r_.chance(0.25)) {
        switch (r_.below(4)) {
          case 0: mesh.set("builtin", "sphere").set("params", std::to_string(r_.below(3))); break;
          case 1: mesh.set("builtin", "cone").set("params", std::to_string(r_.from(3, 9)) + " 0.3"); break;
          case 2: mesh.set("builtin", "hemisphere").set("params", std::to_string(r_.from(1, 3))); break;
          default: mesh.set("builtin", "wedge").set("params", "4 4 30 30 0"); break;
        }
        mesh.set("scale", reals(3, 0.05, 0.3));
      } else {
        const int vertices = r_.chance(0.15) ? r_.pick({9, 10, 11, 12, 13, 30}) : r_.from(4, 8);
        Text coordinates;
        for (int k = 0; k < vertices; ++k) coordinates += (k ? "  " : "") + reals(3, -0.2, 0.2);
        mesh.set("vertex", coordinates);
        if (r_.chance(0.1)) mesh.set("maxhullvert", std::to_string(r_.from(4, 8)));
        if (r_.chance(0.1)) mesh.set("scale", r_.pick<Text>({"-1 1 1", "2 1 0.5"}));
      }
      if (r_.chance(0.2)) mesh.set("inertia", r_.pick<Text>({"convex", "exact", "legacy", "shell"}));
      meshes_.push_back(*mesh.find("name"));
      e.add(mesh);
    }
  }

  Text solref() {
    if (r_.chance(0.25)) return number(-r_.in(1, 2000)) + " " + number(-r_.in(0, 50));
    return number(r_.in(0.001, 0.1)) + " " + number(r_.in(0.1, 2));
  }
  Text solimp() {
    const double low = r_.in(0, 0.95);
    return number(low) + " " + number(r_.chance(0.9) ? r_.in(low, 0.999) : r_.in(0, 1)) + " " +
           number(r_.in(0.0001, 0.1)) + " " + number(r_.in(0.05, 0.95)) + " " + number(r_.in(1, 4));
  }

  void orientation(Element& e) {
    switch (r_.below(6)) {
      case 0: e.set("quat", reals(4, -1, 1)); break;
      case 1: e.set("euler", reals(3, -3, 3)); break;
      case 2: e.set("axisangle", reals(4, -1, 1)); break;
      case 3: e.set("zaxis", r_.chance(0.2) ? "0 0 -1" : reals(3, -1, 1)); break;
      case 4: e.set("xyaxes", reals(6, -1, 1)); break;
      default: e.set("quat", r_.pick<Text>({"0 1 0 0", "1 1 0 0", "0 0 0 1"}));
    }
  }

  void bodies(Element& world) {
    bodies_.push_back({"world", -1});
    const double kind = r_.unit();
    if (r_.chance(0.5)) {
      Element plane("geom");
      plane.set("name", name("g", geoms_.size())).set("type", "plane").set("size", "3 3 0.1");
      if (r_.chance(0.1)) orientation(plane);
      if (r_.chance(0.2)) contact_settings(plane);
      geoms_.push_back({*plane.find("name"), "plane"});
      world.add(plane);
    }
    if (r_.chance(0.2)) geom(world, 0.5);
    if (r_.chance(0.3)) site(world);
    if (r_.chance(0.1)) camera(world);
    if (r_.chance(0.03)) light(world);
    if (kind < 0.03) return;  // no bodies
    if (is_soft_) {           // a few, beside those of the flexes
      left_ = r_.below(4);
      while (left_ > 0) body(world, 0, 0);
      return;
    }
    if (kind < 0.045) {
      pile(world, r_.pick({3, 4, 5, 11, 12, 13, 15, 16, 17, 39, 40, 41}));
    } else if (kind < 0.049) {
      pile(world, r_.pick({62, 63, 64, 65, 66, 68, 70, 130}));
    } else if (kind < 0.0505) {
      pile(world, r_.pick({199, 201, 255, 257}));
    } else if (kind < 0.07) {
      chain(world, r_.pick({3, 4, 5, 11, 12, 13, 15, 16, 17, 31, 32, 33, 39, 40, 41}));
    } else if (kind < 0.078) {
      chain(world, r_.pick({59, 60, 61, 63, 64, 65, 127, 128, 129}));
    } else if (kind < 0.0785) {
      chain(world, r_.pick({255, 256, 257, 300}));
    } else {
      still_ = kind < 0.13;  // all bodies are static
      const int count = r_.chance(0.15) ? 1 : r_.chance(0.8) ? r_.from(1, 5) : r_.from(6, 14);
      left_ = count;
      while (left_ > 0) body(world, 0, 0);
    }
  }

  void pile(Element& world, int count) {
    const double spread = r_.in(0.15, 0.4);
    const int side = r_.pick({2, 3, 5, 8});
    const bool same = r_.chance(0.5);
    const bool hinge = r_.chance(0.15);
    for (int i = 0; i < count; ++i) {
      Element b("body");
      b.set("name", name("b", bodies_.size()));
      const double x = i % side * spread + r_.in(-0.02, 0.02), y = i / side % side * spread + r_.in(-0.02, 0.02);
      b.set("pos", number(x) + " " + number(y) + " " + number(0.1 + i / (side * side) * spread + r_.in(-0.02, 0.02)));
      if (r_.chance(0.3)) orientation(b);
      bodies_.push_back({*b.find("name"), 0});
      if (hinge) {
        joint(b, r_.pick<Text>({"hinge", "slide"}));
      } else if (r_.chance(0.95)) {
        b.add(Element("freejoint")).set("name", name("j", joints_.size()));
        joints_.push_back({name("j", joints_.size()), 'f'});
        nq_ += 7;
        nv_ += 6;
      }
      if (same) {
        Element g("geom");
        g.set("name", name("g", geoms_.size())).set("type", i % 2 ? "sphere" : "box").set("size", "0.1 0.1 0.1");
        geoms_.push_back({*g.find("name"), i % 2 ? "sphere" : "box"});
        b.add(g);
      } else {
        geom(b, 0);
      }
      world.add(b);
    }
  }

  void chain(Element& world, int count) {
    Element* at = &world;
    int parent = 0;
    for (int i = 0; i < count; ++i) {
      Element b("body");
      b.set("name", name("b", bodies_.size())).set("pos", i ? "0.1 0 0" : "0 0 0.5");
      bodies_.push_back({*b.find("name"), parent});
      parent = static_cast<int>(bodies_.size()) - 1;
      joint(b, r_.chance(0.9) ? "hinge" : r_.pick<Text>({"ball", "slide"}));
      Element g("geom");
      g.set("name", name("g", geoms_.size())).set("type", "capsule").set("size", "0.03").set("fromto", "0 0 0 0.1 0 0");
      geoms_.push_back({*g.find("name"), "capsule"});
      b.add(g);
      if (r_.chance(0.1)) site(b);
      at = &at->add(b);
      if (r_.chance(0.05)) {  // a new branch
        at = &world;
        parent = 0;
      }
    }
  }

  void body(Element& where, int parent, int depth) {
    --left_;
    Element b("body");
    b.set("name", name("b", bodies_.size()));
    const int id = static_cast<int>(bodies_.size());
    bodies_.push_back({*b.find("name"), parent});
    if (r_.chance(0.9))
      b.set("pos", depth == 0 ? reals(2, -0.4, 0.4) + " " + number(r_.in(0, 0.5)) : reals(3, -0.3, 0.3));
    if (r_.chance(0.35)) orientation(b);
    if (r_.chance(0.07)) b.set("gravcomp", r_.pick<Text>({"1", "0.5", "-1"}));
    if (r_.chance(0.02)) b.set("simple", "false");
    if (has_class_ && r_.chance(0.3)) b.set("childclass", "c");
    bool moves = false;
    if (!still_) {
      const double kind = r_.unit();
      if (depth == 0 && kind < 0.06) {
        b.set("mocap", "true");
      } else if (depth == 0 && kind < 0.4) {
        if (r_.chance(0.6)) {
          Element free("freejoint");
          free.set("name", name("j", joints_.size()));
          if (r_.chance(0.1)) free.set("align", yes_or_no());
          joints_.push_back({*free.find("name"), 'f'});
          b.add(free);
        } else {
          Element free("joint");
          free.set("name", name("j", joints_.size())).set("type", "free");
          if (r_.chance(0.3)) free.set("damping", number(r_.in(0, 2)));
          if (r_.chance(0.2)) free.set("frictionloss", number(r_.in(0, 1)));
          if (r_.chance(0.2)) free.set("stiffness", number(r_.in(0, 10)));
          if (r_.chance(0.2)) free.set("armature", number(r_.in(0, 1)));
          joints_.push_back({*free.find("name"), 'f'});
          b.add(free);
        }
        nq_ += 7;
        nv_ += 6;
        moves = true;
      } else if (kind < 0.88) {
        const int count = r_.chance(0.75) ? 1 : r_.from(2, 3);
        bool ball = false;
        for (int i = 0; i < count; ++i) {
          Text type = r_.pick<Text>({"hinge", "hinge", "slide", "ball"});
          if (ball || (type == "ball" && i > 0)) type = "slide";  // a ball already has all rotations
          ball = ball || type == "ball";
          joint(b, type);
        }
        moves = true;
      }
    } else if (depth == 0 && r_.chance(0.15)) {
      b.set("mocap", "true");
    }
    if (r_.chance(depth == 0 && moves ? 0.08 : 0.003)) {
      b.set("sleep", r_.pick<Text>({"auto", "never", "allowed", "init"}));
    }
    if (r_.chance(0.15)) {
      Element inertial("inertial");
      inertial.set("pos", r_.chance(0.3) ? "0 0 0" : reals(3, -0.1, 0.1)).set("mass", number(r_.in(0.05, 5)));
      if (r_.chance(0.3)) {
        inertial.set("fullinertia", reals(3, 0.05, 0.07) + " " + reals(3, -0.01, 0.01));
      } else {
        inertial.set("diaginertia", r_.chance(0.2) ? "0.01 0.01 0.01" : reals(3, 0.02, 0.038));
        if (r_.chance(0.3)) inertial.set("quat", reals(4, -1, 1));
      }
      b.children.insert(b.children.begin(), inertial);
    }
    int count = r_.pick({0, 1, 1, 1, 2, 3});
    if (count == 0 && moves && !r_.chance(0.05)) count = 1;
    for (int i = 0; i < count; ++i) geom(b, moves && i == 0 ? 0 : 0.1);
    if (r_.chance(0.5)) site(b);
    if (r_.chance(0.2)) site(b);
    if (r_.chance(0.07)) camera(b);
    if (r_.chance(0.03)) light(b);
    while (left_ > 0 && depth < 8 && r_.chance(0.5)) {
      if (r_.chance(0.06)) {
        Element frame("frame");
        frame.set("pos", reals(3, -0.2, 0.2));
        if (r_.chance(0.5)) orientation(frame);
        body(frame, id, depth + 1);
        b.add(frame);
      } else {
        body(b, id, depth + 1);
      }
    }
    where.add(b);
  }

  void joint(Element& b, const Text& type) {
    Element j("joint");
    j.set("name", name("j", joints_.size())).set("type", type);
    joints_.push_back({*j.find("name"), type[0]});
    nq_ += type == "ball" ? 4 : 1;
    nv_ += type == "ball" ? 3 : 1;
    const bool first = b.children.empty() || b.children.back().name != "joint";
    if (type != "ball" && r_.chance(first ? 0.7 : 0.97)) {
      j.set("axis", r_.chance(first ? 0.4 : 0.05) ? r_.pick<Text>({"1 0 0", "0 1 0", "0 0 -1"}) : reals(3, -1, 1));
    }
    if (r_.chance(0.4)) j.set("pos", reals(3, -0.2, 0.2));
    if (r_.chance(0.35)) {
      if (type == "ball") {
        j.set("range", "0 " + number(r_.in(0.1, 2)));
      } else {
        const double low = r_.in(-1.5, 0.3);
        j.set("range", number(low) + " " + number(low + (r_.chance(0.1) ? 0.01 : r_.in(0.1, 2))));
      }
      if (r_.chance(0.2)) j.set("margin", number(r_.in(0, 0.5)));
      if (r_.chance(0.15)) j.set("solreflimit", solref());
      if (r_.chance(0.15)) j.set("solimplimit", solimp());
      if (r_.chance(0.1)) j.set("limited", yes_or_no());
    }
    joints_.back().limited = j.find("range") != nullptr && j.find("limited") == nullptr;
    if (r_.chance(0.25)) j.set("damping", r_.chance(0.3) ? reals(r_.from(2, 3), 0, 1) : number(r_.in(0, 3)));
    if (r_.chance(0.2)) j.set("stiffness", r_.chance(0.3) ? reals(r_.from(2, 3), 0, 20) : number(r_.in(0, 100)));
    if (r_.chance(0.15)) j.set("springref", number(r_.in(-0.5, 0.5)));
    if (r_.chance(0.1)) j.set("ref", number(r_.in(-0.5, 0.5)));
    if (r_.chance(0.2)) j.set("armature", number(r_.in(0, 0.5)));
    if (r_.chance(0.2)) j.set("frictionloss", number(r_.in(0, 2)));
    if (r_.chance(0.05)) j.set("solreffriction", solref());
    if (r_.chance(0.05)) j.set("solimpfriction", solimp());
    if (r_.chance(0.03)) j.set("springdamper", reals(2, 0.1, 1));
    if (type != "ball" && r_.chance(0.07)) j.set("actuatorfrcrange", "-1 " + number(r_.in(0.1, 3)));
    if (r_.chance(0.05)) j.set("actuatorgravcomp", "true");
    b.add(j);
  }

  void contact_settings(Element& g) {
    if (r_.chance(0.3)) g.set("condim", r_.pick<Text>({"1", "3", "4", "6"}));
    if (r_.chance(0.2)) g.set("contype", std::to_string(r_.below(4)));
    if (r_.chance(0.2)) g.set("conaffinity", std::to_string(r_.below(4)));
    if (r_.chance(0.2)) g.set("friction", r_.chance(0.1) ? "0 0 0" : reals(3, 0.0001, 1));
    if (r_.chance(0.2)) g.set("solref", solref());
    if (r_.chance(0.15)) g.set("solimp", solimp());
    if (r_.chance(0.2)) g.set("margin", number(r_.in(0, 0.2)));
    if (r_.chance(0.1)) g.set("gap", number(r_.in(0, 0.2)));
    if (r_.chance(0.1)) g.set("priority", std::to_string(r_.below(3)));
    if (r_.chance(0.1)) g.set("solmix", number(r_.chance(0.2) ? 0 : r_.in(0, 3)));
    if (r_.chance(0.1)) g.set("surfacevel", reals(r_.pick({3, 6}), -1, 1));
    if (r_.chance(0.1)) g.set("adhesion", number(r_.in(0, 5)));
  }

  void geom(Element& b, double chance_of_plane) {
    Element g("geom");
    g.set("name", name("g", geoms_.size()));
    Text type = r_.pick<Text>({"sphere", "capsule", "ellipsoid", "cylinder", "box", "box", "sphere", "capsule"});
    if (b.name == "worldbody" && r_.chance(chance_of_plane)) {
      type = !fields_.empty() && r_.chance(0.7) ? "hfield" : "plane";
    } else if (b.name != "worldbody" && !fields_.empty() && r_.chance(0.05)) {
      type = "hfield";
    }
    if (!meshes_.empty() && r_.chance(0.5) && type != "plane" && type != "hfield") {
      type = r_.chance(0.75)  ? "mesh"
             : r_.chance(0.1) ? "sdf"
                              : r_.pick<Text>({"box", "sphere", "capsule", "ellipsoid"});
      g.set("mesh", any(meshes_));
      if (type != "mesh" && type != "sdf" && r_.chance(0.3)) g.set("fitscale", number(r_.in(0.5, 1.5)));
    }
    g.set("type", type);
    if (type == "hfield") {
      g.set("hfield", any(fields_));
    } else if (type == "plane") {
      g.set("size", r_.pick<Text>({"1 1 0.1", "0 0 1", "0.5 0 1"}));
    } else if (g.find("mesh") == nullptr) {
      if ((type == "capsule" || type == "cylinder" || type == "box" || type == "ellipsoid") && r_.chance(0.2)) {
        g.set("size", number(r_.in(0.02, 0.1))).set("fromto", reals(6, -0.2, 0.2));
      } else {
        g.set("size", r_.chance(0.2) ? "0.1 0.1 0.1" : reals(3, 0.03, 0.2));
      }
    }
    if (g.find("fromto") == nullptr) {
      if (r_.chance(0.5)) g.set("pos", reals(3, -0.2, 0.2));
      if (r_.chance(0.3)) orientation(g);
    }
    if (r_.chance(0.1)) {
      g.set("mass", r_.chance(b.find("mocap") || b.name == "worldbody" ? 0.2 : 0.02) ? "0" : number(r_.in(0.01, 3)));
    } else if (r_.chance(0.1)) {
      g.set("density", number(r_.in(10, 5000)));
    }
    if (r_.chance(0.4)) contact_settings(g);
    if (r_.chance(0.05) && g.find("mesh") == nullptr && type != "plane" && type != "hfield")
      g.set("shellinertia", "true");
    if (r_.chance(0.08)) g.set("fluidshape", "ellipsoid");
    if (r_.chance(0.03)) g.set("fluidcoef", reals(5, 0, 1));
    if (r_.chance(0.05)) g.set("group", std::to_string(r_.below(5)));
    if (r_.chance(0.03)) g.set("rgba", "1 1 1 0");
    geoms_.push_back({*g.find("name"), type});
    b.add(g);
  }

  void site(Element& b) {
    Element s("site");
    s.set("name", name("s", sites_.size()));
    sites_.push_back(*s.find("name"));
    if (r_.chance(0.7)) s.set("pos", reals(3, -0.3, 0.3));
    if (r_.chance(0.3)) orientation(s);
    if (r_.chance(0.4)) {
      s.set("type", r_.pick<Text>({"sphere", "capsule", "ellipsoid", "cylinder", "box"}));
      s.set("size", reals(3, 0.05, 0.5));
    }
    b.add(s);
  }

  void camera(Element& b) {
    Element c("camera");
    c.set("name", name("cam", cameras_.size()));
    cameras_.push_back(*c.find("name"));
    c.set("pos", reals(3, -1, 1));
    if (r_.chance(0.5)) orientation(c);
    if (r_.chance(0.4)) c.set("mode", r_.pick<Text>({"fixed", "track", "trackcom"}));
    if (r_.chance(0.1)) c.set("mode", "targetbody").set("target", any(bodies_).name);
    if (r_.chance(0.3)) c.set("resolution", r_.pick<Text>({"2 2", "3 1", "4 3"}));
    if (r_.chance(0.2)) c.set("projection", "orthographic");
    if (r_.chance(0.2)) c.set("sensorsize", "0.01 0.01").set("focal", "0.01 0.02");
    b.add(c);
  }

  void light(Element& b) {
    Element l("light");
    l.set("pos", reals(3, -1, 1)).set("dir", reals(3, -1, 1));
    if (r_.chance(0.3)) l.set("mode", r_.pick<Text>({"fixed", "track", "trackcom"}));
    b.add(l);
  }

  void pairs(Element& e) {
    const int count = r_.from(1, 3);
    for (int i = 0; i < count; ++i) {
      if (r_.chance(0.3) && bodies_.size() > 1) {
        e.add(Element("exclude")).set("body1", any(bodies_).name).set("body2", any(bodies_).name);
        continue;
      }
      Element p("pair");
      p.set("name", name("p", static_cast<std::size_t>(i)))
          .set("geom1", any(geoms_).name)
          .set("geom2", any(geoms_).name);
      if (r_.chance(0.3)) p.set("condim", r_.pick<Text>({"1", "3", "4", "6"}));
      if (r_.chance(0.3)) p.set("friction", reals(5, 0.001, 1));
      if (r_.chance(0.3)) p.set("margin", number(r_.in(0, 1)));
      if (r_.chance(0.2)) p.set("gap", number(r_.in(0, 0.3)));
      if (r_.chance(0.2)) p.set("solref", solref());
      if (r_.chance(0.2)) p.set("solreffriction", solref());
      if (r_.chance(0.1)) p.set("adhesion", number(r_.in(0, 5)));
      e.add(p);
    }
  }

  void tendon_settings(Element& t) {
    if (r_.chance(0.4)) {
      const double low = r_.in(-0.5, 0.5);
      t.set("range", number(low) + " " + number(low + r_.in(0.01, 1)));
      if (r_.chance(0.2)) t.set("margin", number(r_.in(0, 0.5)));
      if (r_.chance(0.1)) t.set("solreflimit", solref());
      if (r_.chance(0.1)) t.set("solimplimit", solimp());
    }
    if (r_.chance(0.3)) t.set("frictionloss", number(r_.in(0, 2)));
    if (r_.chance(0.3)) t.set("stiffness", r_.chance(0.3) ? reals(2, 0, 30) : number(r_.in(0, 100)));
    if (r_.chance(0.3)) t.set("damping", r_.chance(0.3) ? reals(2, 0, 3) : number(r_.in(0, 5)));
    if (r_.chance(0.15)) t.set("springlength", r_.chance(0.5) ? number(r_.in(0, 0.5)) : Text("0.1 0.4"));
    if (r_.chance(0.08)) t.set("actuatorfrcrange", "-1 1").set("actuatorfrclimited", "true");
  }

  void tendons(Element& root) {
    std::vector<Text> scalar;
    for (const Joint& j : joints_) {
      if (j.kind == 's' || j.kind == 'h') scalar.push_back(j.name);
    }
    std::vector<Text> round;
    for (const Geom& g : geoms_) {
      if (g.type == "sphere" || g.type == "cylinder") round.push_back(g.name);
    }
    const int count = r_.from(1, 3);
    for (int i = 0; i < count; ++i) {
      const bool fixed = !scalar.empty() && (sites_.size() < 2 || r_.chance(0.4));
      if (!fixed && sites_.size() < 2) return;
      Element t(fixed ? "fixed" : "spatial");
      t.set("name", name("t", tendons_.size()));
      tendon_settings(t);
      if (fixed) {
        if (r_.chance(0.15)) t.set("armature", number(r_.in(0, 1)));
        std::vector<Text> left = scalar;
        for (int k = r_.from(1, 3); k > 0 && !left.empty(); --k) {
          const int at = r_.below(static_cast<int>(left.size()));
          t.add(Element("joint"))
              .set("joint", left[static_cast<std::size_t>(at)])
              .set("coef", r_.chance(0.1) ? "0" : number(r_.in(-2, 2)));
          left.erase(left.begin() + at);
        }
      } else {
        Text last;
        const auto point = [&] {
          Text next = any(sites_);
          for (int tries = 0; tries < 5 && next == last && !r_.chance(0.01); ++tries) next = any(sites_);
          last = next;
          t.add(Element("site")).set("site", next);
        };
        const bool wraps = r_.chance(0.7);
        if (!wraps && r_.chance(0.3)) t.set("armature", number(r_.in(0, 1)));
        point();
        for (int k = r_.from(1, 4); k > 0; --k) {
          if (wraps && !round.empty() && r_.chance(0.4)) {
            Element wrap("geom");
            wrap.set("geom", any(round));
            if (r_.chance(0.5)) wrap.set("sidesite", any(sites_));
            t.add(wrap);
          } else if (r_.chance(0.15) && k > 1 && t.children.size() > 1) {
            t.add(Element("pulley")).set("divisor", number(r_.in(0.5, 4)));
            last.clear();
            point();
          }
          point();
        }
      }
      tendons_.push_back(*t.find("name"));
      root.section("tendon").add(t);
    }
  }

  void equalities(Element& root) {
    const int count = r_.from(1, 3);
    std::vector<Text> scalar;
    for (const Joint& j : joints_) {
      if (j.kind == 's' || j.kind == 'h') scalar.push_back(j.name);
    }
    for (int i = 0; i < count; ++i) {
      Element e;
      switch (r_.below(6)) {
        case 0:
          if (scalar.empty()) continue;
          e.name = "joint";
          e.set("joint1", any(scalar));
          if (r_.chance(0.7) && scalar.size() > 1) e.set("joint2", another(scalar, *e.find("joint1")));
          if (r_.chance(0.5)) e.set("polycoef", reals(5, -1, 1));
          break;
        case 1:
          if (tendons_.empty()) continue;
          e.name = "tendon";
          e.set("tendon1", any(tendons_));
          if (r_.chance(0.6) && tendons_.size() > 1) e.set("tendon2", another(tendons_, *e.find("tendon1")));
          if (r_.chance(0.5)) e.set("polycoef", reals(5, -1, 1));
          break;
        case 2:
          if (sites_.size() < 2) continue;
          e.name = r_.pick<Text>({"connect", "weld"});
          e.set("site1", any(sites_));
          e.set("site2", another(sites_, *e.find("site1")));
          break;
        case 3:
          if (bodies_.size() < 2) continue;
          e.name = "connect";
          e.set("body1", any(bodies_).name).set("anchor", reals(3, -0.3, 0.3));
          if (*e.find("body1") == "world" || r_.chance(0.7)) e.set("body2", another(body_names(), *e.find("body1")));
          break;
        default:
          if (bodies_.size() < 2) continue;
          e.name = "weld";
          e.set("body1", any(bodies_).name);
          if (*e.find("body1") == "world" || r_.chance(0.7)) e.set("body2", another(body_names(), *e.find("body1")));
          if (r_.chance(0.2)) e.set("relpose", reals(3, -0.3, 0.3) + " " + reals(4, -1, 1));
          if (r_.chance(0.2)) e.set("torquescale", number(r_.in(0, 3)));
          if (r_.chance(0.2)) e.set("anchor", reals(3, -0.3, 0.3));
      }
      e.set("name", name("e", static_cast<std::size_t>(i)));
      if (r_.chance(0.15)) e.set("active", "false");
      if (r_.chance(0.2)) e.set("solref", solref());
      if (r_.chance(0.2)) e.set("solimp", solimp());
      root.section("equality").add(e);
    }
  }

  /// The transmission of an actuator; false if the model has no suitable target.
  bool transmission(Element& a) {
    switch (r_.below(10)) {
      case 0:
      case 1:
        if (tendons_.empty()) return false;
        a.set("tendon", any(tendons_));
        return true;
      case 2:
        if (sites_.empty() || a.name == "muscle") return false;
        a.set("site", any(sites_)).set("gear", reals(6, -1, 1));
        if (r_.chance(0.5) && sites_.size() > 1) a.set("refsite", any(sites_));
        return true;
      case 3:
        if (sites_.size() < 2) return false;
        a.set("cranksite", any(sites_)).set("slidersite", any(sites_)).set("cranklength", number(r_.in(0.1, 1)));
        return true;
      case 4:
        if (joints_.empty()) return false;
        a.set("jointinparent", any(joints_).name);
        if (r_.chance(0.5)) a.set("gear", reals(6, -2, 2));
        return true;
      default:
        if (joints_.empty()) return false;
        a.set("joint", any(joints_).name);
        if (r_.chance(0.3)) a.set("gear", reals(6, -2, 2));
        return true;
    }
  }

  void actuator_settings(Element& a) {
    if (r_.chance(0.35) && a.name != "adhesion" && a.name != "muscle") {
      const double low = r_.in(-1, 0.5);
      a.set("ctrlrange", number(low) + " " + number(low + r_.in(0.1, 2)));
    }
    if (a.name != "dcmotor" && r_.chance(0.25)) {
      a.set("forcerange", (a.name == "orientation" ? "0" : number(-r_.in(0, 3))) + " " + number(r_.in(0.1, 3)));
    }
    if (r_.chance(0.1)) a.set("group", std::to_string(r_.below(3)));
    if (r_.chance(0.1)) {
      a.set("nsample", std::to_string(r_.pick({1, 2, 5, 16}))).set("interp", r_.pick<Text>({"zoh", "linear", "cubic"}));
      if (r_.chance(0.8)) a.set("delay", r_.pick<Text>({"0.002", "0.004", "0.011", "0.03"}));
    }
    if (a.find("joint") != nullptr && a.name != "orientation") {
      if (r_.chance(0.1)) a.set("damping", number(r_.in(0, 2)));
      if (r_.chance(0.1)) a.set("armature", number(r_.in(0, 1)));
    }
  }

  void actuators(Element& root) {
    const int count = r_.from(1, 4);
    for (int i = 0; i < count; ++i) {
      Element a(r_.pick<Text>({"general", "general", "general", "motor", "position", "velocity", "intvelocity",
                               "orientation", "pid", "damper", "cylinder", "muscle", "adhesion", "dcmotor"}));
      if (a.name == "adhesion") {
        if (bodies_.size() < 2) continue;
        a.set("body", any(bodies_).name).set("ctrlrange", "0 1").set("gain", number(r_.in(0.1, 20)));
      } else if (a.name == "orientation") {
        std::vector<Text> balls;
        for (const Joint& j : joints_) {
          if (j.kind == 'b') balls.push_back(j.name);
        }
        if (!balls.empty() && r_.chance(0.7)) {
          a.set("joint", any(balls));
        } else if (!sites_.empty()) {
          a.set("site", any(sites_)).set("refsite", another(sites_, *a.find("site")));
        } else {
          continue;
        }
        if (r_.chance(0.5)) a.set("kp", number(r_.in(0, 20)));
        if (r_.chance(0.5)) a.set("kv", number(r_.in(0, 3)));
        if (r_.chance(0.5)) a.set("input", r_.pick<Text>({"expmap", "quat"}));
      } else if (!transmission(a)) {
        continue;
      }
      actuator_settings(a);
      if (a.name == "general") {
        a.set("dyntype", r_.pick<Text>({"none", "none", "integrator", "filter", "filterexact", "muscle"}));
        a.set("gaintype", r_.pick<Text>({"fixed", "affine", "muscle"}));
        a.set("biastype", r_.pick<Text>({"none", "affine", "muscle"}));
        const Text muscle = "0.75 1.05 -1 200 0.5 1.6 1.5 1.3 1.2";
        if (*a.find("gaintype") == "muscle" && !r_.chance(0.02))
          a.set("gainprm", muscle);
        else if (r_.chance(0.7))
          a.set("gainprm", reals(r_.pick({1, 3, 9}), -2, 2));
        if (*a.find("biastype") == "muscle" && !r_.chance(0.02))
          a.set("biasprm", muscle);
        else if (r_.chance(0.5))
          a.set("biasprm", reals(r_.pick({1, 3, 9}), -2, 2));
        if (r_.chance(0.5)) a.set("dynprm", reals(r_.pick({1, 3}), 0.01, 1));
        if (*a.find("dyntype") != "none") {
          if (r_.chance(0.3)) a.set("actrange", "-0.5 0.7");
          if (r_.chance(0.3)) a.set("actearly", "true");
          if (r_.chance(0.02)) a.set("actdim", std::to_string(r_.from(1, 3)));
        }
        if (r_.chance(0.9)) a.set("lengthrange", "0.1 " + number(r_.in(0.3, 2)));
      } else if (a.name == "position" || a.name == "intvelocity" || a.name == "pid") {
        if (r_.chance(0.7)) a.set("kp", number(r_.in(0, 100)));
        if (r_.chance(0.3)) {
          a.set("kv", number(r_.in(0, 10)));
        } else if (r_.chance(0.3)) {
          a.set("dampratio", number(r_.in(0, 2)));
        }
        if (a.name == "position" && r_.chance(0.2)) a.set("timeconst", number(r_.in(0, 0.2)));
        if (a.name == "intvelocity") a.set("actrange", "-1 1");
        if (a.name == "pid") {
          if (r_.chance(0.5)) a.set("input", r_.pick<Text>({"pos", "pos vel", "pos vel ff", "vel", "vel ff"}));
          if (a.find("input") == nullptr || a.find("input")->rfind("pos", 0) == 0) {
            if (r_.chance(0.5)) a.set("ki", number(r_.in(0, 20)));
            if (r_.chance(0.3)) a.set("imax", number(r_.in(0, 2)));
            if (r_.chance(0.3)) a.set("slewmax", number(r_.in(0.1, 5)));
          }
        }
      } else if (a.name == "velocity") {
        if (r_.chance(0.7)) a.set("kv", number(r_.in(0, 10)));
      } else if (a.name == "damper") {
        a.set("kv", number(r_.in(0, 10))).set("ctrlrange", "0 1");
      } else if (a.name == "cylinder") {
        if (r_.chance(0.5)) a.set("timeconst", number(r_.in(0.01, 1)));
        if (r_.chance(0.5)) a.set("area", number(r_.in(0.1, 2)));
        if (r_.chance(0.3)) a.set("bias", reals(3, -1, 1));
      } else if (a.name == "muscle") {
        a.set("lengthrange", "0.1 " + number(r_.in(0.3, 2)));
        if (r_.chance(0.3)) a.set("force", number(r_.in(1, 50)));
        if (r_.chance(0.2)) a.set("tausmooth", number(r_.in(0, 0.5)));
        if (r_.chance(0.2)) a.set("range", "0.6 1.2");
      } else if (a.name == "dcmotor") {
        a.set("motorconst", reals(r_.from(1, 2), 0.01, 1)).set("resistance", number(r_.in(0.1, 3)));
        if (r_.chance(0.3)) a.set("inductance", r_.chance(0.5) ? "0.01" : "0 0.02");
        if (r_.chance(0.3)) a.set("saturation", reals(r_.from(1, 3), 0.1, 5));
        if (r_.chance(0.3)) a.set("cogging", "0.1 6 0.3");
        if (r_.chance(0.3)) a.set("thermal", "1 10 0 0.004 25 25");
        if (r_.chance(0.3)) a.set("lugre", "100 1 0.2 0.3 0.1");
        if (r_.chance(0.4)) {
          a.set("controller", reals(r_.from(1, 6), 0.1, 5));
          a.set("input", r_.pick<Text>({"pos", "pos vel", "pos vel ff", "pos vel ff voltage"}));
        } else if (r_.chance(0.5)) {
          a.set("input", r_.pick<Text>({"voltage", "none"}));
        }
      }
      a.set("name", name("a", actuators_.size()));
      actuators_.push_back(*a.find("name"));
      root.section("actuator").add(a);
    }
  }

  /// An object with a frame; false if there is none of the chosen kind.
  bool frame_object(Element& s, const char* type, const char* object) {
    switch (r_.below(5)) {
      case 0:
      case 1: s.set(type, r_.pick<Text>({"body", "xbody"})).set(object, any(bodies_).name); return true;
      case 2:
        if (geoms_.empty()) return false;
        s.set(type, "geom").set(object, any(geoms_).name);
        return true;
      case 3:
        if (sites_.empty()) return false;
        s.set(type, "site").set(object, any(sites_));
        return true;
      default:
        if (cameras_.empty()) return false;
        s.set(type, "camera").set(object, any(cameras_));
        return true;
    }
  }

  bool sensor(Element& s) {
    static const std::vector<Text> kOfSite = {"touch", "accelerometer", "velocimeter", "gyro",
                                              "force", "torque",        "magnetometer"};
    static const std::vector<Text> kOfJoint = {"jointpos", "jointvel", "jointactuatorfrc"};
    static const std::vector<Text> kOfBall = {"ballquat", "ballangvel"};
    static const std::vector<Text> kOfTendon = {"tendonpos",      "tendonvel",      "tendonactuatorfrc",
                                                "tendonlimitpos", "tendonlimitvel", "tendonlimitfrc"};
    static const std::vector<Text> kOfActuator = {"actuatorpos", "actuatorvel", "actuatorfrc"};
    static const std::vector<Text> kOfFrame = {"framepos",   "framequat",   "framexaxis", "frameyaxis",
                                               "framezaxis", "framelinvel", "frameangvel"};
    static const std::vector<Text> kOfSubtree = {"subtreecom", "subtreelinvel", "subtreeangmom"};
    static const std::vector<Text> kOfGeoms = {"distance", "normal", "fromto"};
    switch (r_.below(14)) {
      case 0:
      case 1:
        if (sites_.empty()) return false;
        s.name = any(kOfSite);
        s.set("site", any(sites_));
        return true;
      case 2: {
        if (joints_.empty()) return false;
        const Joint& j = any(joints_);
        if (j.kind == 'f') return false;
        if (j.limited && r_.chance(0.4)) {
          s.name = r_.pick<Text>({"jointlimitpos", "jointlimitvel", "jointlimitfrc"});
        } else {
          s.name = j.kind == 'b' ? any(kOfBall) : any(kOfJoint);
        }
        s.set("joint", j.name);
        return true;
      }
      case 3:
        if (tendons_.empty()) return false;
        s.name = any(kOfTendon);
        s.set("tendon", any(tendons_));
        return true;
      case 4:
        if (actuators_.empty()) return false;
        s.name = any(kOfActuator);
        s.set("actuator", any(actuators_));
        return true;
      case 5:
      case 6:
        s.name = any(kOfFrame);
        if (!frame_object(s, "objtype", "objname")) return false;
        if (r_.chance(0.4)) frame_object(s, "reftype", "refname");
        return true;
      case 7: s.name = r_.pick<Text>({"framelinacc", "frameangacc"}); return frame_object(s, "objtype", "objname");
      case 8:
        s.name = any(kOfSubtree);
        s.set("body", any(bodies_).name);
        return true;
      case 9:
        if (geoms_.empty()) return false;
        s.name = any(kOfGeoms);
        if (r_.chance(0.6))
          s.set("geom1", any(geoms_).name);
        else
          s.set("body1", any(bodies_).name);
        if (r_.chance(0.6))
          s.set("geom2", any(geoms_).name);
        else
          s.set("body2", any(bodies_).name);
        s.set("cutoff", number(r_.in(0, 2)));
        return true;
      case 10: {
        s.name = "contact";
        if (!geoms_.empty() && r_.chance(0.4)) {
          s.set("geom1", any(geoms_).name);
        } else if (r_.chance(0.3)) {
          s.set("body1", any(bodies_).name);
        } else if (r_.chance(0.3)) {
          s.set("subtree1", any(bodies_).name);
        } else if (!sites_.empty() && r_.chance(0.4)) {
          s.set("site", any(sites_));
        }
        if (r_.chance(0.3))
          s.set("subtree2", any(bodies_).name);
        else if (r_.chance(0.3))
          s.set("body2", any(bodies_).name);
        s.set("data", r_.pick<Text>({"found", "force", "found force torque dist pos normal tangent", "dist pos"}));
        s.set("reduce", r_.pick<Text>({"none", "mindist", "maxforce", "netforce"}));
        if (r_.chance(0.5)) s.set("num", std::to_string(r_.from(1, 5)));
        return true;
      }
      case 11:
        s.name = "rangefinder";
        if (!cameras_.empty() && r_.chance(0.5)) {
          s.set("camera", any(cameras_));
        } else if (!sites_.empty()) {
          s.set("site", any(sites_));
        } else {
          return false;
        }
        if (r_.chance(0.4))
          s.set("data", r_.pick<Text>({"dist", "dist dir origin point normal depth", "point normal"}));
        return true;
      case 12:
        if (sites_.empty()) return false;
        if (!cameras_.empty() && r_.chance(0.5)) {
          s.name = "camprojection";
          s.set("site", any(sites_)).set("camera", any(cameras_));
          return true;
        }
        s.name = "insidesite";
        s.set("site", any(sites_));
        return frame_object(s, "objtype", "objname");
      default:
        if (!meshes_.empty() && r_.chance(0.4)) {
          s.name = "tactile";
          for (const Geom& g : geoms_) {
            if (g.type == "mesh") {
              s.set("mesh", any(meshes_)).set("geom", g.name);
              return true;
            }
          }
          return false;
        }
        s.name = r_.pick<Text>({"e_potential", "e_kinetic", "clock", "user"});
        if (s.name == "user") s.set("dim", std::to_string(r_.from(1, 4))).set("needstage", "pos");
        return true;
    }
  }

  void sensors(Element& root) {
    const int count = r_.chance(0.3) ? r_.from(4, 12) : r_.from(1, 4);
    for (int i = 0; i < count; ++i) {
      Element s;
      if (!sensor(s)) continue;
      s.set("name", name("n", static_cast<std::size_t>(i)));
      const bool bounded = s.name.find("axis") == Text::npos && s.name.find("quat") == Text::npos &&
                           s.name != "normal" && s.name != "contact" && s.name != "user";
      if (s.find("cutoff") == nullptr && r_.chance(bounded ? 0.1 : 0.002)) {
        s.set("cutoff", number(r_.in(0, 2)));
      }
      if (r_.chance(s.name == "user" ? 0.01 : 0.1)) {
        s.set("nsample", std::to_string(r_.pick({1, 2, 5, 16})));
        if (r_.chance(0.7)) s.set("interp", r_.pick<Text>({"zoh", "linear", "cubic"}));
        if (r_.chance(0.8)) s.set("delay", r_.pick<Text>({"0.002", "0.004", "0.011", "0.03"}));
        if (r_.chance(0.3)) s.set("interval", r_.pick<Text>({"0.01 0", "0.004 -0.002"}));
      }
      root.section("sensor").add(s);
    }
  }

  void keyframes(Element& e) {
    const int count = r_.from(1, 2);
    for (int i = 0; i < count; ++i) {
      Element key("key");
      if (r_.chance(0.7) && nq_ > 0) key.set("qpos", reals(nq_, -0.5, 0.5));
      if (r_.chance(0.7) && nv_ > 0) key.set("qvel", reals(nv_, -1, 1));
      if (r_.chance(0.2)) key.set("time", "0.5");
      e.add(key);
    }
  }

  Rng r_, soft_;
  bool is_soft_;
  std::vector<Body> bodies_;
  std::vector<Joint> joints_;
  std::vector<Geom> geoms_;
  std::vector<Text> sites_, cameras_, meshes_, fields_, tendons_, actuators_;
  int nq_ = 0, nv_ = 0, left_ = 0;
  bool still_ = false, has_class_ = false;
};

constexpr std::array<const char*, kStartBits> kNames = {
    "pose",     "move",     "fast", "far", "control",  "force", "mocap", "equality",
    "warm_bad", "warm_nan", "nan",  "inf", "zeroquat", "key",   "long",  "edit"};

}  // namespace

const char* start_name(unsigned bit) {
  for (unsigned i = 0; i < kNames.size(); ++i) {
    if (bit == 1U << i) return kNames[i];
  }
  return "?";
}

World generate(std::uint64_t seed) {
  World world;
  world.root = Generator(seed).make();
  Rng r(mix(seed, "start"));
  world.seed = r.next() >> 32;
  if (r.chance(0.6)) world.start |= kPose;
  if (r.chance(0.6)) world.start |= kMove;
  if (r.chance(0.05)) world.start |= kFast;
  if (r.chance(0.03)) world.start |= kFar;
  if (r.chance(0.6)) world.start |= kControl;
  if (r.chance(0.2)) world.start |= kForce;
  if (r.chance(0.3)) world.start |= kMocap;
  if (r.chance(0.1)) world.start |= kEquality;
  if (r.chance(0.04)) world.start |= kWarmBad;
  if (r.chance(0.02)) world.start |= kWarmNan;
  if (r.chance(0.03)) world.start |= kNan;
  if (r.chance(0.02)) world.start |= kInf;
  if (r.chance(0.02)) world.start |= kZeroQuat;
  if (r.chance(0.3)) world.start |= kKey;
  if (r.chance(0.08)) world.start |= kLong;
  if (r.chance(0.1)) world.start |= kEdit;
  return world;
}

std::string describe(const World& world) {
  std::string text = "<!-- start:";
  for (unsigned bit = 0; bit < kStartBits; ++bit) {
    if ((world.start & (1U << bit)) != 0) text += std::string(" ") + kNames[bit];
  }
  return text + " seed: " + std::to_string(world.seed) + " -->\n" + to_text(world.root);
}

World read_world(std::string_view text) {
  World world;
  world.root = from_text(text);
  world.is_of_file = true;
  const std::string_view first = text.substr(0, text.find('\n'));
  for (unsigned bit = 0; bit < kStartBits; ++bit) {
    if (first.find(" " + std::string(kNames[bit]) + " ") != std::string_view::npos) world.start |= 1U << bit;
  }
  const std::size_t at = first.find("seed: ");
  if (at != std::string_view::npos) world.seed = std::strtoull(std::string(first.substr(at + 6)).c_str(), nullptr, 10);
  return world;
}

}  // namespace random_worlds
