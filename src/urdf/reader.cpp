// URDF to the typed tree: links become bodies, in the order and with the names that MuJoCo 3.12.0 gives them.

#include <fmt/format.h>

#include <cmath>
#include <map>
#include <unordered_map>

#include "base/limits.h"
#include "base/suggest.h"
#include "spec/value.h"
#include "urdf/actuators.h"
#include "urdf/inertia.h"
#include "urdf/mesh_files.h"
#include "urdf/names.h"
#include "urdf/read.h"
#include "urdf/schema.h"
#include "urdf/settings.h"

namespace sinew::urdf {
namespace {

constexpr std::string_view kWorld = "world";

struct Link {
  const XmlNode* node = nullptr;
  std::string name;
  spec::Body* body = nullptr;
  std::vector<std::size_t> joints;  // whose parent it is, in the order of the file
  int joint = -1;                   // whose child it is
  int depth = 0;
  bool can_move = false;
};

struct Joint {
  const XmlNode* node = nullptr;
  JointHead head;
  Origin origin;
  int parent = -1;  // link; -1: the world, which is not among the links
  std::size_t child = 0;
  spec::Joint* made = nullptr;  // the one with a single coordinate
};

class UrdfReader {
 public:
  UrdfReader(Input& in, const XmlNode& root) : in_(in), root_(root), table_(urdf_table()), meshes_(in) {}

  void read() {
    read_settings(in_, root_);
    in_.skips_visuals = in_.spec.compiler.discardvisual;
    in_.check(root_, table_);
    read_name();
    collect_links();
    collect_joints();
    collect_materials(root_);
    grow_tree();
    for (Link& link : links_) read_link(link);
    judge();
    for (Joint& joint : joints_) read_joint(joint);
    for (const Joint& joint : joints_) read_mimic(joint);
    add_actuators(in_, root_, drivable_);
    finish_base();
    use_resolved_paths(in_.spec);
    in_.report_unused();
  }

 private:
  const Element& element(std::string_view a) const { return *table_.child(a); }
  const Element& element(std::string_view a, std::string_view b) const { return *element(a).child(b); }

  void read_name() {
    Named robot;
    in_.fill(root_, table_, &robot);
    if (root_.attribute("name")) in_.spec.modelname = robot.name;
  }

  void collect_links() {
    for (const XmlNode& node : root_.children) {
      if (node.name != "link") continue;
      Named named;
      in_.fill(node, element("link"), &named);
      in_.take(node, sizeof(Link) + sizeof(spec::Body) + 2 * static_cast<double>(named.name.size()));
      if (const auto [first, is_new] = link_ids_.try_emplace(named.name, links_.size()); !is_new) {
        in_.error({&node, "name"}, fmt::format("the name '{}' is already used by another link", named.name),
                  fmt::format("first used on line {}", links_[first->second].node->line));
        continue;
      }
      Link& link = links_.emplace_back();
      link.node = &node;
      link.name = named.name;
    }
  }

  /// The link that a <parent> or <child> names.
  std::optional<std::size_t> find_link(const XmlNode& joint, std::string_view end, std::string& name) {
    const XmlNode* node = in_.need_child(joint, end);
    if (!node) return std::nullopt;
    LinkName named;
    in_.fill(*node, element("joint", end), &named);
    name = named.link;
    if (const auto found = link_ids_.find(named.link); found != link_ids_.end()) return found->second;
    if (end == "parent" && named.link == kWorld) return std::nullopt;
    std::vector<std::string_view> names;
    for (const Link& link : links_) names.push_back(link.name);
    in_.error({node, "link"}, fmt::format("there is no link '{}'", named.link), suggest(named.link, names));
    name.clear();
    return std::nullopt;
  }

  void collect_joints() {
    for (const XmlNode& node : root_.children) {
      if (node.name != "joint") continue;
      Joint joint;
      joint.node = &node;
      in_.fill(node, element("joint"), &joint.head);
      std::string parent_name, child_name;
      const std::optional<std::size_t> parent = find_link(node, "parent", parent_name);
      const std::optional<std::size_t> child = find_link(node, "child", child_name);
      if (!child || (!parent && parent_name.empty())) continue;
      joint.child = *child;
      joint.parent = parent ? static_cast<int>(*parent) : -1;
      if (const XmlNode* origin = Input::child(node, "origin"))
        in_.fill(*origin, element("joint", "origin"), &joint.origin);
      Link& below = links_[*child];
      if (below.name == kWorld) {
        in_.error({Input::child(node, "child"), "link"}, "the link 'world' must not be the child of a joint");
        continue;
      }
      if (below.joint >= 0) {
        const XmlNode& first = *joints_[static_cast<std::size_t>(below.joint)].node;
        in_.error({&node}, fmt::format("link '{}' already has a parent", below.name),
                  fmt::format("by joint '{}' on line {}", first.value("name"), first.line));
        continue;
      }
      if (joint.parent == static_cast<int>(*child)) {
        in_.error({&node}, fmt::format("link '{}' is its own parent", below.name));
        continue;
      }
      below.joint = static_cast<int>(joints_.size());
      if (parent)
        links_[*parent].joints.push_back(joints_.size());
      else
        world_joints_.push_back(joints_.size());
      joint_ids_.try_emplace(joint.head.name, joints_.size());
      joints_.push_back(std::move(joint));
    }
  }

  /// All materials with a name and a color, at any place; the first of a name counts.
  void collect_materials(const XmlNode& node) {
    for (const XmlNode& child : node.children) {
      if (child.name != "material") {
        collect_materials(child);
        continue;
      }
      const XmlNode* color = Input::child(child, "color");
      if (!color || !child.attribute("name")) continue;
      Color value;
      in_.fill(*color, color_row(), &value);
      materials_.try_emplace(std::string(child.value("name")), value.rgba);
    }
  }
  const Element& color_row() const { return *element("material").child("color"); }

  /// Bodies in depth-first order, the children of a link in the order of their joints.
  void grow_tree() {
    for (std::size_t i = 0; i < links_.size(); ++i) {
      if (links_[i].joint >= 0) continue;
      if (links_[i].name == kWorld) {
        links_[i].body = &in_.spec.world;
        grow_below(links_[i].joints);
      } else {
        place(links_[i], in_.spec.world, 1);
        links_[i].can_move = in_.options.base == UrdfOptions::Base::Floating;
        grow_below(links_[i].joints);
      }
    }
    grow_below(world_joints_);
    for (const Link& link : links_) {
      if (link.body) continue;
      in_.error({link.node}, fmt::format("link '{}' is part of a loop: no link without parent leads to it", link.name),
                "URDF describes trees; close the loop with an equality constraint");
      throw mjcf::Stop{};
    }
  }

  void place(Link& link, spec::Body& parent, int depth) {
    if (depth > limits::kBodyDepth) {
      in_.error({link.node}, fmt::format("links are nested more than {} deep", limits::kBodyDepth));
      throw mjcf::Stop{};
    }
    link.depth = depth;
    link.body = &parent.bodies.add();
    link.body->name = link.name;
    link.body->origin = origin_of(*link.node);
  }

  void grow_below(const std::vector<std::size_t>& first) {
    std::vector<std::size_t> open(first.rbegin(), first.rend());
    while (!open.empty()) {
      const Joint& joint = joints_[open.back()];
      open.pop_back();
      Link& link = links_[joint.child];
      spec::Body* parent = &in_.spec.world;
      if (joint.parent >= 0) {
        const Link& above = links_[static_cast<std::size_t>(joint.parent)];
        parent = above.body;
        link.depth = above.depth;
        link.can_move = above.can_move;
      } else {
        in_.warn({Input::child(*joint.node, "parent"), "link"}, "there is no link 'world': the fixed world is meant");
      }
      link.can_move |= joint.head.type != JointWord::Fixed;
      place(link, *parent, link.depth + 1);
      link.body->pos = joint.origin.xyz;
      set_rotation(link.body->alt, joint.origin.rpy);
      open.insert(open.end(), link.joints.rbegin(), link.joints.rend());
    }
  }

  static void set_rotation(spec::Orientation& alt, const spec::Reals<3>& rpy) {
    if (rpy == spec::Reals<3>{}) return;
    alt.kind = spec::Orientation::Kind::Euler;
    std::copy(rpy.begin(), rpy.end(), alt.value.begin());
  }
  static rigid::Pose pose_of(const Origin& origin) {
    rigid::Pose pose;
    pose.pos = rigid::Vec::load(origin.xyz.data());
    if (origin.rpy != spec::Reals<3>{})
      pose.quat = rigid::euler_rotation(kEulerSequence, rigid::Vec::load(origin.rpy.data()));
    return pose;
  }

  void read_link(Link& link) {
    if (const XmlNode* inertial = Input::child(*link.node, "inertial")) read_inertial(link, *inertial);
    std::optional<spec::Floats<4>> color;
    for (const XmlNode& node : link.node->children) {
      if (node.name == "visual") {
        read_color(node, color);
        if (!in_.skips_visuals) read_geom(link, node, color, true);
      } else if (node.name == "collision") {
        read_geom(link, node, color, false);
      }
    }
    const bool fused = link.joint < 0 || joints_[static_cast<std::size_t>(link.joint)].head.type == JointWord::Fixed;
    if (in_.options.frames && fused && in_.spec.compiler.fusestatic && link.body != &in_.spec.world &&
        (link.joint >= 0 || !link.can_move)) {
      spec::Site& site = link.body->sites.add(in_.spec.classes[0].site);
      site.name = link.name;
      site.origin = origin_of(*link.node);
    }
  }

  void read_inertial(Link& link, const XmlNode& node) {
    const Element& table = element("link", "inertial");
    const XmlNode* mass_node = in_.need_child(node, "mass");
    const XmlNode* moments_node = in_.need_child(node, "inertia");
    if (!mass_node || !moments_node) return;
    Origin origin;
    if (const XmlNode* found = Input::child(node, "origin")) in_.fill(*found, *table.child("origin"), &origin);
    Mass mass;
    in_.fill(*mass_node, *table.child("mass"), &mass);
    Moments moments;
    in_.fill(*moments_node, *table.child("inertia"), &moments);
    if (mass.value < 0) {
      in_.error({mass_node, "value"},
                fmt::format("the mass of link '{}' is {}, must not be negative", link.name, mass.value));
      return;
    }
    if (link.body == &in_.spec.world) return in_.note_unused("the inertial of the world", {&node});
    if (mass.value == 0 && moments.full != spec::Reals<6>{})
      in_.warn({moments_node}, fmt::format("link '{}' has no mass: its inertia is taken as zero", link.name));
    link.body->inertial = make_inertial(mass.value, moments.full, pose_of(origin));
    link.body->inertial->origin = origin_of(node);
  }

  /// The color that a visual sets for itself and for everything after it in the link.
  void read_color(const XmlNode& visual, std::optional<spec::Floats<4>>& color) {
    const XmlNode* material = Input::child(visual, "material");
    if (!material) return;
    if (const XmlNode* own = Input::child(*material, "color")) {
      Color value;
      in_.fill(*own, color_row(), &value);
      color = value.rgba;
      return;
    }
    if (!material->attribute("name")) return in_.warn({material}, "has neither a name nor a color");
    const auto found = materials_.find(std::string(material->value("name")));
    if (found != materials_.end()) {
      color = found->second;
    } else if (!in_.skips_visuals && !Input::child(*material, "texture")) {
      in_.warn({material, "name"}, fmt::format("there is no material '{}' with a color", material->value("name")));
    }
  }

  void read_geom(Link& link, const XmlNode& node, const std::optional<spec::Floats<4>>& color, bool visual) {
    const Element& table = element("link", visual ? "visual" : "collision");
    const XmlNode* geometry = in_.need_child(node, "geometry");
    if (!geometry) return;
    spec::Geom geom = in_.spec.classes[0].geom;
    Origin origin;
    if (const XmlNode* found = Input::child(node, "origin")) in_.fill(*found, *table.child("origin"), &origin);
    geom.pos = origin.xyz;
    set_rotation(geom.alt, origin.rpy);
    geom.origin = origin_of(node);
    if (!read_shape(*geometry, *table.child("geometry"), geom)) return;
    if (visual) {
      geom.contype = geom.conaffinity = 0;
      geom.group = 1;
      geom.density = 0;
    }
    if (color && (*color)[0] >= 0) geom.rgba = *color;
    Named named;
    in_.fill(node, table, &named);
    geom.name = geom_names_.claim(in_, node, named.name);
    in_.take(node, sizeof(spec::Geom));
    link.body->geoms.add(std::move(geom));
  }

  bool read_shape(const XmlNode& geometry, const Element& table, spec::Geom& geom) {
    for (const Element* kind : table.children) {
      const XmlNode* node = Input::child(geometry, kind->name);
      if (!node) continue;
      geom.origin = origin_of(*node);
      Shape shape;
      in_.fill(*node, *kind, &shape);
      if (kind->name == "box") {
        geom.type = GeomType::Box;
        for (std::size_t i = 0; i < 3; ++i) geom.size[i] = shape.size[i] / 2;
      } else if (kind->name == "sphere") {
        geom.type = GeomType::Sphere;
        geom.size[0] = shape.radius;
      } else if (kind->name == "mesh") {
        geom.type = GeomType::Mesh;
        geom.mesh = meshes_.mesh(*node, "filename", shape.filename, shape.scale);
        return !geom.mesh.empty();
      } else {
        geom.type = kind->name == "cylinder" ? GeomType::Cylinder : GeomType::Capsule;
        geom.size = {shape.radius, shape.length / 2, 0};
      }
      return true;
    }
    const std::string found =
        geometry.children.empty() ? "is empty" : fmt::format("<{}> is not a shape of URDF", geometry.children[0].name);
    in_.error({&geometry}, "no shape: " + found, "it needs one of box, cylinder, sphere, capsule, mesh");
    return false;
  }

  void judge() {
    std::vector<Matter> matter;
    for (const Link& link : links_) {
      Matter& entry = matter.emplace_back();
      entry.link = link.name;
      entry.can_move = link.can_move;
      if (link.body == &in_.spec.world) continue;
      entry.body = link.body;
      if (const XmlNode* inertial = Input::child(*link.node, "inertial"))
        entry.moments = Input::child(*inertial, "inertia");
      if (link.joint < 0) continue;
      const Joint& joint = joints_[static_cast<std::size_t>(link.joint)];
      if (joint.head.type == JointWord::Fixed) entry.parent = joint.parent;
      entry.pose = pose_of(joint.origin);
    }
    judge_inertias(in_, matter, in_.spec.compiler.fusestatic);
  }

  void read_joint(Joint& joint) {
    const XmlNode& node = *joint.node;
    const Element& table = element("joint");
    spec::Joint out = in_.spec.classes[0].joint;
    out.origin = origin_of(node);
    Axis axis;
    const XmlNode* axis_node = Input::child(node, "axis");
    if (axis_node) in_.fill(*axis_node, *table.child("axis"), &axis);
    out.axis = axis.xyz;
    if (joint.head.type == JointWord::Fixed) {
      drivable_.try_emplace(joint.head.name);
      return;
    }
    if (axis.xyz == spec::Reals<3>{} && joint.head.type != JointWord::Floating &&
        joint.head.type != JointWord::Spherical) {
      in_.error({axis_node, "xyz"}, fmt::format("the axis of joint '{}' has no direction", joint.head.name));
      return;
    }
    Dynamics dynamics;
    if (const XmlNode* found = Input::child(node, "dynamics")) in_.fill(*found, *table.child("dynamics"), &dynamics);
    out.damping[0] = dynamics.damping;
    out.frictionloss = dynamics.friction;
    Limit limit;
    const XmlNode* limit_node = Input::child(node, "limit");
    if (limit_node) read_limit(joint, *limit_node, limit, out);
    check_ignored(node);
    add_joints(joint, out);
    drivable_[joint.head.name] = {joint.made, std::abs(limit.effort)};
  }

  void read_limit(const Joint& joint, const XmlNode& node, Limit& limit, spec::Joint& out) {
    in_.fill(node, *element("joint").child("limit"), &limit);
    const bool one_bound = limit.lower.has_value() != limit.upper.has_value();
    if (joint.head.type == JointWord::Continuous && one_bound) {
      in_.warn({&node}, "a continuous joint is limited only if both bounds are given; not limited");
    } else {
      out.range = {limit.lower.value_or(0), limit.upper.value_or(0)};
    }
    const double effort = std::abs(limit.effort);
    if (effort != 0) out.actuatorfrcrange = {-effort, effort};
    const bool given = limit.lower || limit.upper;
    if (given && out.range[0] >= out.range[1] && joint.head.type != JointWord::Floating)
      in_.warn({&node}, fmt::format("joint '{}': the bounds {} {} leave no room; not limited", joint.head.name,
                                    out.range[0], out.range[1]));
    if (joint.head.type == JointWord::Spherical && out.range[0] < out.range[1] && out.range[0] != 0)
      in_.error({&node, "lower"},
                fmt::format("joint '{}': the range of a spherical joint begins at 0", joint.head.name));
    const bool has_range = out.range[0] != 0 || out.range[1] != 0;
    if (!in_.spec.compiler.autolimits && (has_range || effort != 0))
      in_.error({&node}, fmt::format("joint '{}' has limits, but the compiler's autolimits is off", joint.head.name),
                "URDF has no other way to switch them on: remove autolimits=\"false\"");
    if (limit.velocity != 0) in_.note_unused("a velocity limit", {&node, "velocity"});
  }

  /// Elements that have no effect: their numbers are checked.
  void check_ignored(const XmlNode& node) {
    for (const XmlNode& child : node.children) {
      SafetyController safety;
      Calibration calibration;
      if (child.name == "safety_controller") {
        in_.fill(child, element("joint", "safety_controller"), &safety);
      } else if (child.name == "calibration") {
        in_.fill(child, element("joint", "calibration"), &calibration);
      } else {
        continue;
      }
      in_.note_unused(fmt::format("<{}>", child.name), {&child});
    }
  }

  spec::Joint& add_joint(const Joint& joint, spec::Joint made, const std::string& name) {
    made.name = name;
    joint_names_.claim_or_refuse(in_, *joint.node, name);
    in_.take(*joint.node, sizeof(spec::Joint));
    return links_[joint.child].body->joints.add(std::move(made));
  }

  void add_joints(Joint& joint, spec::Joint out) {
    switch (joint.head.type) {
      case JointWord::Fixed: break;
      case JointWord::Revolute:
      case JointWord::Continuous: joint.made = &add_joint(joint, out, joint.head.name); break;
      case JointWord::Prismatic:
        out.type = JointType::Slide;
        joint.made = &add_joint(joint, out, joint.head.name);
        break;
      case JointWord::Floating:
        out.type = JointType::Free;
        add_joint(joint, out, joint.head.name);
        break;
      case JointWord::Spherical:
        out.type = JointType::Ball;
        add_joint(joint, out, joint.head.name);
        break;
      case JointWord::Planar: add_planar(joint, out); break;
    }
  }

  /// Two slides in the plane and a hinge about its normal; limits and effort act on the first.
  void add_planar(const Joint& joint, const spec::Joint& out) {
    rigid::Vec normal = rigid::Vec::load(out.axis.data());
    rigid::unit(normal);
    const rigid::Matrix3 frame = to_matrix(rigid::quat_from_z(normal));
    spec::Joint slide = out;
    slide.type = JointType::Slide;
    frame.column(0).store(slide.axis.data());
    add_joint(joint, slide, joint.head.name + "_TX");
    frame.column(1).store(slide.axis.data());
    slide.range = slide.actuatorfrcrange = {};
    add_joint(joint, slide, joint.head.name + "_TY");
    spec::Joint hinge = out;
    hinge.range = hinge.actuatorfrcrange = {};
    add_joint(joint, hinge, joint.head.name + "_RZ");
  }

  void read_mimic(const Joint& joint) {
    const XmlNode* node = Input::child(*joint.node, "mimic");
    if (!node) return;
    Mimic mimic;
    in_.fill(*node, element("joint", "mimic"), &mimic);
    if (joint.head.type == JointWord::Fixed)
      return in_.warn({node}, fmt::format("joint '{}' is fixed: its mimic has no effect", joint.head.name));
    if (!joint.made)
      return in_.error({node}, fmt::format("joint '{}' is of a type that cannot mimic another", joint.head.name),
                       "only revolute, continuous and prismatic joints can");
    if (mimic.joint == joint.head.name)
      return in_.error({node, "joint"}, fmt::format("joint '{}' mimics itself", joint.head.name));
    const auto found = joint_ids_.find(mimic.joint);
    if (found == joint_ids_.end()) {
      std::vector<std::string_view> names;
      for (const Joint& j : joints_) names.push_back(j.head.name);
      return in_.error({node, "joint"}, fmt::format("there is no joint '{}'", mimic.joint),
                       suggest(mimic.joint, names));
    }
    const Joint* source = &joints_[found->second];
    const bool fixed = source->head.type == JointWord::Fixed;
    if (!source->made && !fixed)
      return in_.error({node, "joint"}, fmt::format("joint '{}' is of a type that cannot be mimicked", mimic.joint),
                       "only revolute, continuous and prismatic joints can");
    if (fixed)
      in_.warn({node, "joint"}, fmt::format("joint '{}' is fixed: this one is held at the offset", mimic.joint));
    spec::Equality& equality = in_.spec.equalities.add(in_.spec.classes[0].equality);
    equality.name = joint.head.name;
    equality.origin = origin_of(*node);
    equality.type = EqualityType::Joint;
    equality.objtype = ObjType::Joint;
    equality.name1 = joint.head.name;
    if (!fixed) equality.name2 = mimic.joint;
    equality.data[0] = mimic.offset;
    equality.data[1] = fixed ? 0 : mimic.multiplier;
  }

  void finish_base() {
    for (Link& link : links_) {
      if (link.joint >= 0 || link.name == kWorld) continue;
      if (in_.options.base == UrdfOptions::Base::Floating) {
        spec::Joint& joint = link.body->joints.add(in_.spec.classes[0].joint);
        joint.type = JointType::Free;
        joint.name = link.name + "_free_joint";
        joint.origin = origin_of(*link.node);
        joint_names_.claim_or_refuse(in_, *link.node, joint.name);
      } else if (in_.options.base == UrdfOptions::Base::AsWritten) {
        in_.report.warning({link.node}, "has no parent, so it does not move",
                           "a moving base needs a floating joint to a link 'world', or the option floating");
      }
    }
  }

  Input& in_;
  const XmlNode& root_;
  const Element& table_;
  std::vector<Link> links_;
  std::unordered_map<std::string, std::size_t> link_ids_;
  std::vector<Joint> joints_;
  std::unordered_map<std::string, std::size_t> joint_ids_;  // the first of each name
  std::vector<std::size_t> world_joints_;                   // whose parent is the world without a link of that name
  std::map<std::string, spec::Floats<4>> materials_;
  std::map<std::string, Drivable> drivable_;
  MeshFiles meshes_;
  Names geom_names_, joint_names_;
};

}  // namespace

void read_urdf(const XmlNode& root, Spec& spec, mjcf::Report& report, mjcf::Reader::Session& session) {
  Input in(spec, report, session);
  UrdfReader(in, root).read();
}

}  // namespace sinew::urdf
