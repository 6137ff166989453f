// composite: a cable, i.e. a chain of bodies along a curve.

#include <array>
#include <cmath>
#include <optional>
#include <utility>

#include "base/limits.h"
#include "math/elementary.h"
#include "math/rigid.h"
#include "spec/bytes.h"
#include "spec/composite_skin.h"
#include "spec/keywords.h"
#include "spec/reader.h"
#include "spec/schema_parts.h"
#include "spec/value.h"

namespace sinew::mjcf {
namespace {

using rigid::Matrix3;
using rigid::Quat4;
using rigid::Vec;

enum class Kind { Particle, Grid, Rope, Loop, Cable, Cloth };
enum class Curve { Zero, Straight, Cosine, Sine };
enum class Initial { Ball, Free, None };

constexpr Keyword kKind[] = {{"particle", static_cast<int>(Kind::Particle)}, {"grid", static_cast<int>(Kind::Grid)},
                             {"rope", static_cast<int>(Kind::Rope)},         {"loop", static_cast<int>(Kind::Loop)},
                             {"cable", static_cast<int>(Kind::Cable)},       {"cloth", static_cast<int>(Kind::Cloth)}};
constexpr Keyword kCurve[] = {{"0", static_cast<int>(Curve::Zero)},
                              {"s", static_cast<int>(Curve::Straight)},
                              {"cos(s)", static_cast<int>(Curve::Cosine)},
                              {"sin(s)", static_cast<int>(Curve::Sine)}};
constexpr Keyword kJointKind[] = {{"main", 0}};

constexpr int kGroup = 3;  // of the cable's joints and sites

struct Composite {
  std::string prefix;
  Kind type = Kind::Cable;
  std::array<int, 3> count = {1, 1, 1};
  spec::Reals<3> offset{};
  spec::Reals<4> quat = {1, 0, 0, 0};
  std::vector<float> vertex;
  Initial initial = Initial::Ball;
  std::array<Curve, 3> curve{};
  spec::Reals<3> size = {1, 0, 0};
};

/// The parts that a composite describes by its child elements.
struct Parts {
  spec::Joint joint;
  spec::Geom geom;
  spec::Site site;
  CableSkin skin;
  std::optional<spec::PluginUse> plugin;  // of every body
};

/// Point i of n, component k, of the curve.
double on_curve(const Composite& c, int i, int n, std::size_t k) {
  const double last = n - 1;
  switch (c.curve[k]) {
    case Curve::Straight: return i * c.size[0] / last;
    case Curve::Cosine: return c.size[1] * elementary::cos(kPi * i * c.size[2] / last);
    case Curve::Sine: return c.size[1] * elementary::sin(kPi * i * c.size[2] / last);
    case Curve::Zero: break;
  }
  return 0;
}

/// The points in single precision, as MuJoCo keeps them. The quaternion is used as written and rotates only the curve:
/// given points are not rotated.
std::vector<std::array<float, 3>> points_of(const Composite& c) {
  std::vector<std::array<float, 3>> out;
  for (std::size_t at = 0; at < c.vertex.size(); at += 3)
    out.push_back({c.vertex[at], c.vertex[at + 1], c.vertex[at + 2]});
  if (!out.empty()) return out;
  const Vec u = {c.quat[1], c.quat[2], c.quat[3]};
  for (int i = 0; i < c.count[0]; ++i) {
    Vec v;
    for (std::size_t k = 0; k < 3; ++k) v[static_cast<int>(k)] = on_curve(c, i, c.count[0], k);
    v += cross(u, v * c.quat[0] + cross(u, v)) * 2.0;
    out.push_back({static_cast<float>(v.x), static_cast<float>(v.y), static_cast<float>(v.z)});
  }
  return out;
}

/// One edge of the cable and the frame along it.
struct Segment {
  double length = 0;
  Vec tangent;
  Quat4 frame;
};

std::vector<Segment> segments_of(const std::vector<std::array<float, 3>>& points) {
  std::vector<Segment> out(points.size() - 1);
  for (std::size_t i = 0; i < out.size(); ++i) {
    Vec& t = out[i].tangent;
    for (std::size_t k = 0; k < 3; ++k) t[static_cast<int>(k)] = points[i + 1][k] - points[i][k];
    out[i].length = norm(t);
    rigid::unit(t);
  }
  // the first normal comes from the first bend; then it is rotated with the tangent
  Vec binormal = cross(out[0].tangent, out[1].tangent);
  rigid::unit(binormal);
  Vec normal = cross(binormal, out[0].tangent);
  rigid::unit(normal);
  for (std::size_t i = 0; i < out.size(); ++i) {
    const Vec& t = out[i].tangent;
    if (i > 0) {
      Vec axis = cross(out[i - 1].tangent, t);
      const double half = elementary::atan2(rigid::unit(axis), dot(out[i - 1].tangent, t)) / 2;
      normal = rotate(Quat4{elementary::cos(half), axis.x * elementary::sin(half), axis.y * elementary::sin(half),
                            axis.z * elementary::sin(half)},
                      normal);
      rigid::unit(normal);
      binormal = cross(t, normal);
      rigid::unit(binormal);
    }
    out[i].frame = rigid::quat_of(Matrix3::from_columns(t, normal, binormal));
  }
  return out;
}

/// first, 1, 2, …, last.
std::string place_name(std::size_t i, std::size_t count) {
  return i == 0 ? "first" : i + 1 == count ? "last" : std::to_string(i);
}

/// Makes the bodies of a cable, each inside the previous one.
class Cable {
 public:
  Cable(Reader& reader, const XmlNode& node, const Composite& composite, const Parts& parts)
      : r_(reader),
        node_(node),
        c_(composite),
        parts_(parts),
        points_(points_of(composite)),
        segments_(segments_of(points_)) {}

  void make() {
    r_.check_depth(node_, segments_.size());
    const double bytes_of_segment = sizeof(spec::Body) + bytes_of(parts_.joint) + bytes_of(parts_.geom) +
                                    sizeof(spec::Exclude) + 20.0 * static_cast<double>(c_.prefix.size() + 8);
    r_.count_copies(node_, 5 * segments_.size(), static_cast<double>(segments_.size()) * bytes_of_segment);
    spec::Body* parent = r_.scope.body;
    for (std::size_t i = 0; i < segments_.size(); ++i) parent = &add_body(*parent, i);
    add_site(*parent, "last", segments_.back().length);
    spec::Text text;
    text.name = "composite_" + c_.prefix;
    text.data = "rope_" + c_.prefix;
    r_.claim(ObjType::Text, node_, text);
    r_.spec.texts.add(std::move(text));
    if (parts_.geom.type == GeomType::Box) add_skin();
  }

 private:
  spec::Body& add_body(spec::Body& parent, std::size_t i) {
    spec::Body body;
    body.name = c_.prefix + "B_" + place_name(i, segments_.size());
    Quat4 quat = segments_[i].frame;
    if (i == 0) {
      body.frame = r_.scope.frame;
      for (std::size_t k = 0; k < 3; ++k) body.pos[k] = c_.offset[k] + static_cast<double>(points_[0][k]);
    } else {
      body.pos = {segments_[i - 1].length, 0, 0};
      quat = conjugate(segments_[i - 1].frame) * quat;
      spec::Exclude exclude;
      exclude.body1 = parent.name;
      exclude.body2 = body.name;
      r_.claim(ObjType::Exclude, node_, exclude);
      r_.spec.excludes.add(std::move(exclude));
    }
    body.quat = {quat.w, quat.x, quat.y, quat.z};
    body.plugin = parts_.plugin;
    r_.claim(ObjType::Body, node_, body);
    spec::Body& added = parent.bodies.add(std::move(body));
    add_joint(added, i);
    add_geom(added, i);
    if (i == 0) add_site(added, "first", 0);
    return added;
  }

  void add_joint(spec::Body& body, std::size_t i) {
    if (i == 0 && c_.initial == Initial::None) return;
    spec::Joint joint = parts_.joint;
    joint.type = JointType::Ball;
    joint.name = c_.prefix + "J_" + place_name(i, segments_.size());
    if (i == 0 && c_.initial == Initial::Free) {
      joint.type = JointType::Free;
      joint.damping = {};
      joint.armature = 0;
      joint.frictionloss = 0;
    }
    r_.claim(ObjType::Joint, node_, joint);
    body.joints.add(std::move(joint));
  }

  void add_geom(spec::Body& body, std::size_t i) {
    spec::Geom geom = parts_.geom;
    const double length = segments_[i].length;
    geom.name = c_.prefix + "G" + std::to_string(i);
    if (geom.type == GeomType::Box) {
      geom.pos = {length / 2, 0, 0};
      geom.size[0] = length / 2;
    } else {
      geom.fromto = {0, 0, 0, length, 0, 0};
    }
    r_.claim(ObjType::Geom, node_, geom);
    body.geoms.add(std::move(geom));
  }

  void add_skin() {
    CableSkin cable = parts_.skin;
    cable.prefix = c_.prefix;
    cable.points = static_cast<int>(points_.size());
    cable.size = parts_.geom.size;
    r_.count_copies(node_, 1, bytes_of_cable_skin(cable));
    spec::Skin skin = make_cable_skin(cable);
    r_.claim(ObjType::Skin, node_, skin);
    r_.spec.skins.add(std::move(skin));
  }

  void add_site(spec::Body& body, const char* which, double at) {
    spec::Site site = parts_.site;
    site.name = c_.prefix + "S_" + which;
    site.pos = {at, 0, 0};
    r_.claim(ObjType::Site, node_, site);
    body.sites.add(std::move(site));
  }

  Reader& r_;
  const XmlNode& node_;
  const Composite& c_;
  const Parts& parts_;
  std::vector<std::array<float, 3>> points_;
  std::vector<Segment> segments_;
};

/// Checks of a composite beyond the table.
Outcome check(const Reader& r, const Composite& c, const Parts& parts) {
  if (c.type != Kind::Cable) return Complaint{"cable is the only supported composite type", "type=\"cable\"", "type"};
  if (!c.vertex.empty() && c.count[0] != 1) return Complaint{"cannot be given together with vertex", "", "count"};
  if (c.vertex.size() % 3 != 0) return Complaint{"the number of coordinates must be a multiple of 3", "", "vertex"};
  if (c.count[1] != 1 || c.count[2] != 1) return Complaint{"must be \"n 1 1\" for a cable", "", "count"};
  const std::size_t n = c.vertex.empty() ? static_cast<std::size_t>(std::max(c.count[0], 0)) : c.vertex.size() / 3;
  if (n < 3) return Complaint{"a cable needs at least 3 points", "", c.vertex.empty() ? "count" : "vertex"};
  if (n > limits::kCablePoints) {
    return Complaint{fmt::format("has {} points, a cable takes at most {}", n, limits::kCablePoints), "",
                     c.vertex.empty() ? "count" : "vertex"};
  }
  const GeomType type = parts.geom.type;
  if (type != GeomType::Capsule && type != GeomType::Cylinder && type != GeomType::Box)
    return Complaint{"the geom of a cable must be a capsule, a cylinder or a box"};
  if (c.initial == Initial::Free && !r.scope.in_world)
    return Complaint{"free is allowed only in the world", "ball or none", "initial"};
  return {};
}

void read_composite(Reader& r, const XmlNode& node, const Element& element) {
  Composite composite;
  Parts parts;
  parts.joint.group = parts.site.group = kGroup;
  parts.geom.type = GeomType::Capsule;
  r.attributes(node, element, &composite);
  for (const XmlNode& child : node.children) {
    const Element* known = element.child(child.name);
    if (!known) continue;
    if (child.name == "joint") r.attributes(child, *known, &parts.joint);
    if (child.name == "geom") r.attributes(child, *known, &parts.geom);
    if (child.name == "site") r.attributes(child, *known, &parts.site);
    if (child.name == "skin") r.attributes(child, *known, &parts.skin);
  }
  if (const std::string_view word = node.value("initial");
      !word.empty() && word != "ball" && word != "free" && word != "none")
    r.report.warning({&node, "initial"}, fmt::format("'{}' counts as ball, as in MuJoCo", word), "ball, free or none");
  if (const Outcome bad = check(r, composite, parts)) return r.fail(node, *bad);
  if (auto plugin = read_plugin_child(r, node, element))
    parts.plugin = shared_plugin(r, node, std::move(*plugin), "composite" + composite.prefix);
  Cable(r, node, composite, parts).make();
}

/// The elements inside are read by the composite.
void read_by_composite(Reader&, const XmlNode&, const Element&) {}

const Element* joint_part(Schema& schema) {
  using J = spec::Joint;
  Table<J> t;
  t.add<int>(
       "kind",
       [](void*, std::string_view text, const Attribute& row) -> Outcome {
         int kind = 0;
         return parse_keyword(text, row.keywords, kind);
       },
       [](const void*, const Attribute&) { return std::string("main"); })
      .words(kJointKind)
      .need();
  add_joint_laws(t);
  return &schema.add(t.element("joint", "the ball joints of the cable", read_by_composite));
}

const Element* geom_part(Schema& schema) {
  using G = spec::Geom;
  Table<G> t;
  t.at<&G::type>("type").words(kGeomType).remark("capsule, cylinder or box");
  add_geom_matter(t);
  return &schema.add(t.element("geom", "the segments of the cable", read_by_composite)).once();
}

/// The row of an attribute of the skin inside CableSkin.
template <auto Field>
Attribute& at_appearance(Table<CableSkin>& t, std::string_view name) {
  using Value = std::remove_cvref_t<decltype(std::declval<spec::Skin>().*Field)>;
  return t.add<Value>(
      name,
      [](void* object, std::string_view text, const Attribute& row) -> Outcome {
        return parse_value(text, static_cast<CableSkin*>(object)->appearance.*Field, row);
      },
      [](const void* object, const Attribute& row) {
        return print_value(static_cast<const CableSkin*>(object)->appearance.*Field, row);
      });
}

/// MuJoCo ignores inflate and texcoord: the thickness is the geom's, and there are no texture coordinates.
const Element* skin_part(Schema& schema) {
  Table<CableSkin> t;
  const auto ignore = [&](std::string_view name, auto value) {
    t.add<decltype(value)>(
         name,
         [](void*, std::string_view text, const Attribute& row) -> Outcome {
           decltype(value) unused{};
           return parse_value(text, unused, row);
         },
         [](const void*, const Attribute&) { return std::string(); })
        .remark("ignored, as in MuJoCo");
  };
  ignore("texcoord", false);
  at_appearance<&spec::Skin::material>(t, "material");
  at_appearance<&spec::Skin::group>(t, "group").between(0, kNumGroup - 1);
  at_appearance<&spec::Skin::rgba>(t, "rgba");
  ignore("inflate", 0.0f);
  t.at<&CableSkin::subgrid>("subgrid").between(0, limits::kCablePoints).remark("vertices between two bones");
  return &schema.add(t.element("skin", "appearance of the skin of a cable of boxes", read_by_composite)).once();
}

const Element* site_part(Schema& schema) {
  using S = spec::Site;
  Table<S> t;
  t.at<&S::group>("group");
  t.at<&S::size>("size").partial();
  t.at<&S::material>("material");
  t.at<&S::rgba>("rgba");
  return &schema.add(t.element("site", "the two ends of the cable", read_by_composite)).once();
}

}  // namespace

const Element* composite_element(Schema& schema, const Element* plugin) {
  using C = Composite;
  Table<C> t;
  t.at<&C::prefix>("prefix");
  t.at<&C::type>("type").words(kKind).need().remark("cable: the other types no longer exist");
  t.at<&C::count>("count").partial().remark("n 1 1");
  t.at<&C::offset>("offset");
  t.at<&C::quat>("quat");
  t.at<&C::vertex>("vertex").remark("explicit points, instead of curve and count");
  t.add<std::string>(
       "initial",
       [](void* object, std::string_view text, const Attribute&) -> Outcome {
         Initial& initial = static_cast<C*>(object)->initial;
         initial = text == "free" ? Initial::Free : text == "none" ? Initial::None : Initial::Ball;
         return {};
       },
       [](const void*, const Attribute&) { return std::string("ball"); })
      .remark("the first joint: free, none, or a ball joint for any other word");
  t.add<std::string>(
       "curve",
       [](void* object, std::string_view text, const Attribute&) -> Outcome {
         std::size_t k = 0;
         for (std::string_view word = next_word(text); !word.empty(); word = next_word(text), ++k) {
           int value = 0;
           if (k >= 3) return Complaint{"has more than 3 words"};
           if (Outcome bad = parse_keyword(word, kCurve, value)) return bad;
           static_cast<C*>(object)->curve[k] = static_cast<Curve>(value);
         }
         return {};
       },
       [](const void*, const Attribute&) { return std::string(); })
      .remark("up to 3 of: s, cos(s), sin(s), 0");
  t.at<&C::size>("size").partial().remark("length of s; radius and half turns of cos(s), sin(s)");
  return &schema.add(t.element("composite", "a cable: a chain of bodies along a curve", read_composite))
              .holds({joint_part(schema), skin_part(schema), geom_part(schema), site_part(schema), plugin});
}

}  // namespace sinew::mjcf
