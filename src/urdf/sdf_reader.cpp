// SDFormat to the typed tree: models, links, joints and the frames that their poses refer to.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <map>
#include <memory>
#include <numbers>
#include <unordered_map>

#include "base/limits.h"
#include "base/suggest.h"
#include "spec/document.h"
#include "spec/value.h"
#include "urdf/inertia.h"
#include "urdf/mesh_files.h"
#include "urdf/names.h"
#include "urdf/read.h"
#include "urdf/sdf_frames.h"
#include "urdf/sdf_schema.h"
#include "urdf/settings.h"

namespace sinew::urdf {
namespace sdf {
namespace {

namespace fs = std::filesystem;
using rigid::Pose;
using rigid::Vec;

/// The settings of a model for everything inside it.
struct Scope {
  std::string prefix;  // of full names: "" or "MODEL::NESTED::"
  int frame = Frames::kWorld;
  bool is_static = false;
  bool self_collide = false;
  int group = -1;  // models that are parts of one model collide as one
  double version = 1.7;
};

struct LinkItem {
  const XmlNode* node = nullptr;
  std::string name;  // full
  Scope scope;
  int frame = -1;
  bool self_collide = false;
  spec::Body* body = nullptr;
  int joint = -1;                   // whose child it is
  std::vector<std::size_t> joints;  // whose parent it is
  bool can_move = false;
};

struct JointItem {
  const XmlNode* node = nullptr;
  std::string name;  // full
  JointWord type = JointWord::Fixed;
  Scope scope;
  Joint ends;
  int frame = -1;
  int parent = -1;  // link, -1: the world
  int child = -1;
  std::vector<std::string> made;  // names of the joints of the tree, by axis
};

const char* kSubset = "see docs/your_robot.md for the part of SDFormat that is read";

class SdfReader {
 public:
  SdfReader(Input& in, const XmlNode& root) : in_(in), root_(root), table_(sdf_table()), meshes_(in), frames_(in) {}

  void read() {
    spec::Compiler& settings = in_.spec.compiler;
    settings.fusestatic = false;
    settings.discardvisual = !in_.options.visuals;
    settings.degree = false;
    settings.eulerseq = kEulerSequence;
    in_.skips_visuals = settings.discardvisual;
    in_.check(root_, table_);
    read_file(root_);
    link_joints();
    grow_tree();
    for (LinkItem& link : links_) read_link(link);
    judge();
    for (JointItem& joint : joints_) read_joint(joint);
    for (const JointItem& joint : joints_) read_mimics(joint);
    exclude_pairs();
    in_.report_unused();
  }

 private:
  const Element& model_table() const { return *table_.child("model"); }
  const Element& link_table() const { return *model_table().child("link"); }
  const Element& joint_table() const { return *model_table().child("joint"); }

  double version_of(const XmlNode& root) {
    const std::string_view text = root.value("version");
    const std::size_t dot = text.find('.');
    int major = 0, minor = 0;
    const bool ok = dot != std::string_view::npos && !mjcf::parse_number(text.substr(0, dot), false, major) &&
                    !mjcf::parse_number(text.substr(dot + 1, 2), false, minor) && major == 1 && minor >= 4 &&
                    minor <= 12;
    if (!ok && root.attribute("version"))
      in_.error({&root, "version"}, fmt::format("version '{}' is not read", text), "1.4 to 1.12 are");
    return minor / 100.0;  // 1.10 comes after 1.9
  }

  /// The main file: a world with models, or one model.
  void read_file(const XmlNode& root) {
    Scope scope;
    scope.version = version_of(root);
    const XmlNode* world = Input::child(root, "world");
    if (world) return read_world(*world, scope);
    const XmlNode* model = Input::child(root, "model");
    if (!model) return in_.error({&root}, "has neither a world nor a model");
    for (const XmlNode& other : root.children)
      if (other.name == "model" && &other != model)
        return in_.error({&other}, "a second model: only a world can have several", "put a <world> around them");
    in_.spec.modelname = model->value("name");
    read_model(*model, scope, {}, nullptr);
  }

  void read_world(const XmlNode& node, const Scope& scope) {
    const Element& table = *table_.child("world");
    in_.spec.modelname = node.value("name");
    World world;
    in_.fill_texts(node, table, &world);
    in_.spec.option.gravity = world.gravity;
    Physics physics;
    if (const XmlNode* found = Input::child(node, "physics")) in_.fill_texts(*found, *table.child("physics"), &physics);
    in_.spec.option.timestep = physics.max_step_size;
    for (const XmlNode& child : node.children) {
      if (child.name == "model") read_model(child, scope, std::string(child.value("name")), nullptr);
      if (child.name == "include") read_include(child, scope);
    }
  }

  struct Override {
    std::optional<bool> is_static;
    const XmlNode* pose = nullptr;
  };

  /// name: the model's name in the full names of its parts; empty: they have no prefix.
  void read_model(const XmlNode& node, const Scope& outside, const std::string& name, const Override* by_include) {
    if (node.attribute("placement_frame")) in_.error({&node, "placement_frame"}, "is not supported", kSubset);
    Model model;
    in_.fill_texts(node, model_table(), &model);
    if (by_include && by_include->is_static) model.is_static = *by_include->is_static;
    Scope scope = outside;
    if (!name.empty()) scope.prefix += name + "::";
    scope.is_static |= model.is_static;
    scope.self_collide = model.self_collide;
    if (scope.group < 0) scope.group = groups_++;
    const XmlNode* pose = by_include && by_include->pose ? by_include->pose : Input::child(node, "pose");
    const std::string full = name.empty() ? std::string(Frames::kModelFrame) : outside.prefix + name;
    scope.frame = add_frame(full, node, pose, outside.frame, outside);
    if (scope.frame < 0) return;
    const std::size_t number = models_.size(), first = links_.size();
    models_.push_back({&node, scope, std::numeric_limits<std::size_t>::max()});
    for (const XmlNode& child : node.children) {
      if (child.name == "link") add_link(child, scope);
      if (child.name == "joint") add_joint_item(child, scope);
      if (child.name == "frame") add_named_frame(child, scope);
      if (child.name == "model") read_model(child, scope, std::string(child.value("name")), nullptr);
      if (child.name == "include") read_include(child, scope);
    }
    if (links_.size() > first) models_[number].first_link = first;
  }

  /// A model of another file, as a model of its own here.
  void read_include(const XmlNode& node, const Scope& scope) {
    Head head;
    in_.fill(node, *model_table().child("include"), &head);
    if (head.merge) return in_.error({&node, "merge"}, "is not supported", kSubset);
    if (Input::child(node, "placement_frame")) return in_.error({&node}, "placement_frame is not supported", kSubset);
    Include include;
    in_.fill_texts(node, *model_table().child("include"), &include);
    if (include.uri.empty()) return in_.error({&node}, "needs a <uri>");
    const std::string path = find_model(node, include.uri);
    if (path.empty()) return;
    auto& open = in_.session.open;
    if (std::find(open.begin(), open.end(), path) != open.end() || open.size() > limits::kModelDepth)
      return in_.error({&node}, fmt::format("'{}' includes itself, or includes are nested too deep", path));
    if (in_.session.main.files.size() >= limits::kModelFiles) {
      in_.error({&node}, fmt::format("a model may consist of at most {} files", limits::kModelFiles));
      throw mjcf::Stop{};
    }
    open.push_back(path);
    read_included(node, path, scope, include);
    open.pop_back();
  }

  void read_included(const XmlNode& node, const std::string& path, const Scope& scope, const Include& include) {
    auto& files = in_.session.main.files;
    documents_.push_back(std::make_unique<mjcf::Document>(files, in_.session.disk, in_.report, in_.session.budget));
    const int part = files[static_cast<std::size_t>(node.file)].model;
    const XmlNode& root = documents_.back()->read_model(path, node, part);
    if (root.name != table_.name) return in_.error({&root}, "is not SDFormat: an included file begins with <sdf>");
    in_.check(root, table_);
    const XmlNode* model = Input::child(root, "model");
    if (!model) return in_.error({&root}, "has no model");
    Scope inside = scope;
    inside.version = version_of(root);
    const Override changes = {include.is_static, Input::child(node, "pose")};
    read_model(*model, inside, include.name.empty() ? std::string(model->value("name")) : include.name, &changes);
  }

  /// The file of an included model: a file, or the folder of a model.
  std::string find_model(const XmlNode& node, const std::string& uri) {
    std::string tried;
    const std::string found = meshes_.find(uri, node.file, tried);
    if (found.empty()) {
      in_.error({&node}, fmt::format("there is no model '{}'; tried {}", uri, tried),
                "a folder of models can be given: --package DIR, UrdfOptions::package_folders");
      return {};
    }
    std::error_code ignored;
    if (!fs::is_directory(found, ignored)) return found;
    const std::string inside = (fs::path(found) / "model.sdf").string();
    if (in_.session.disk.exists(inside)) return inside;
    in_.error({&node}, fmt::format("the folder '{}' has no model.sdf", found));
    return {};
  }

  /// x y z roll pitch yaw, or with a quaternion x y z w.
  Pose read_pose(const XmlNode& node) {
    Pose pose;
    if (!node.value("frame").empty()) in_.error({&node, "frame"}, "is not supported", "since 1.7 it is relative_to");
    const std::string text = plain_text(node.text);
    if (text.empty()) return pose;
    const std::string_view format = node.value("rotation_format");
    if (!format.empty() && format != "euler_rpy" && format != "quat_xyzw")
      in_.error({&node, "rotation_format"}, fmt::format("'{}' is not euler_rpy or quat_xyzw", format));
    const bool quat = format == "quat_xyzw";
    std::vector<double> v;
    std::string_view rest = text;
    for (std::string_view word = mjcf::next_word(rest); !word.empty(); word = mjcf::next_word(rest)) {
      double number = 0;
      if (const mjcf::Outcome bad = mjcf::parse_number(word, false, number)) {
        in_.error({&node}, bad->message, bad->hint);
        return pose;
      }
      v.push_back(number);
    }
    if (v.size() != (quat ? 7u : 6u)) {
      in_.error({&node}, fmt::format("has {} numbers, needs {}", v.size(), quat ? 7 : 6));
      return pose;
    }
    pose.pos = Vec::load(v.data());
    const std::string_view degrees = node.value("degrees");
    const double unit = degrees == "true" || degrees == "1" ? std::numbers::pi / 180 : 1;
    if (quat) {
      pose.quat = {v[6], v[3], v[4], v[5]};
      if (rigid::unit(pose.quat) == 0) in_.error({&node}, "the quaternion is too short to define an orientation");
    } else if (v[3] != 0 || v[4] != 0 || v[5] != 0) {
      pose.quat = rigid::euler_rotation(kEulerSequence, {v[3] * unit, v[4] * unit, v[5] * unit});
    }
    return pose;
  }

  int add_frame(const std::string& full, const XmlNode& node, const XmlNode* pose, int otherwise, const Scope& scope) {
    in_.take(node, sizeof(Pose) * 4 + 4 * static_cast<double>(full.size()));
    const int frame = frames_.add(full, &node, pose ? read_pose(*pose) : Pose(), otherwise,
                                  pose ? std::string(pose->value("relative_to")) : "", scope.prefix);
    if (frame < 0) in_.error({&node, "name"}, fmt::format("the name '{}' is already used here", full));
    return frame;
  }

  void add_link(const XmlNode& node, const Scope& scope) {
    LinkItem link;
    link.node = &node;
    link.name = scope.prefix + std::string(node.value("name"));
    link.scope = scope;
    link.frame = add_frame(link.name, node, Input::child(node, "pose"), scope.frame, scope);
    if (link.frame < 0) return;
    Link values;
    in_.fill_texts(node, link_table(), &values);
    link.self_collide = values.self_collide.value_or(scope.self_collide);
    in_.take(node, sizeof(LinkItem) + sizeof(spec::Body));
    link_of_frame_[link.frame] = links_.size();
    links_.push_back(std::move(link));
  }

  void add_named_frame(const XmlNode& node, const Scope& scope) {
    Head head;
    in_.fill(node, *model_table().child("frame"), &head);
    const int frame = add_frame(scope.prefix + head.name, node, Input::child(node, "pose"), scope.frame, scope);
    if (frame >= 0 && !head.attached_to.empty()) attachments_.push_back({frame, &node, head.attached_to, scope.prefix});
  }

  void add_joint_item(const XmlNode& node, const Scope& scope) {
    JointItem joint;
    JointHead head;
    in_.fill(node, joint_table(), &head);
    in_.fill_texts(node, joint_table(), &joint.ends);
    joint.node = &node;
    joint.name = scope.prefix + head.name;
    joint.type = head.type;
    joint.scope = scope;
    if (head.type == JointWord::Revolute2 || head.type == JointWord::Gearbox)
      in_.error({&node, "type"}, fmt::format("'{}' is not supported", node.value("type")), kSubset);
    for (const auto& [end, name] : {std::pair{"parent", joint.ends.parent}, std::pair{"child", joint.ends.child}})
      if (name.empty()) in_.error({&node}, fmt::format("needs a <{}>", end));
    joint_names_.claim_or_refuse(in_, node, joint.name);
    // before 1.7 a joint may have the name of a link
    const bool taken = frames_.find(head.name, scope.prefix) >= 0;
    joint.frame = add_frame(taken ? joint.name + "/joint" : joint.name, node, Input::child(node, "pose"), -1, scope);
    if (joint.frame < 0 || joint.ends.parent.empty() || joint.ends.child.empty()) return;
    in_.take(node, sizeof(JointItem));
    joint_ids_.try_emplace(joint.name, joints_.size());
    joints_.push_back(std::move(joint));
  }

  /// The link that a frame moves with; -1: the world. Follows attached_to; a joint's frame moves with its child.
  int link_at(int frame) {
    for (std::size_t steps = 0; frame > 0 && steps <= attachments_.size() + joints_.size() + models_.size(); ++steps) {
      if (const auto found = link_of_frame_.find(frame); found != link_of_frame_.end())
        return static_cast<int>(found->second);
      frame = frames_.attached_to(frame);
    }
    return -1;
  }

  int find_frame(const JointItem& joint, std::string_view end, const std::string& name) {
    const int frame = frames_.find(name, joint.scope.prefix);
    if (frame < 0) {
      std::vector<std::string_view> names;
      for (const LinkItem& link : links_) names.push_back(link.name);
      const XmlNode* node = Input::child(*joint.node, end);
      in_.error({node ? node : joint.node}, fmt::format("there is no link or frame '{}'", name), suggest(name, names));
    }
    return frame;
  }

  /// Resolves names, now that all are known.
  void link_joints() {
    for (const ModelItem& model : models_) {
      const std::string canonical(model.node->value("canonical_link"));
      int link = canonical.empty() ? -1 : frames_.find(canonical, model.scope.prefix);
      if (!canonical.empty() && link < 0)
        in_.error({model.node, "canonical_link"}, fmt::format("there is no link '{}'", canonical));
      if (canonical.empty() && model.first_link < links_.size()) link = links_[model.first_link].frame;
      if (link >= 0 && model.scope.frame > 0) frames_.attach(model.scope.frame, link);
    }
    for (const Attachment& a : attachments_) {
      const int to = frames_.find(a.to, a.scope);
      if (to < 0) in_.error({a.node, "attached_to"}, fmt::format("there is no frame '{}'", a.to));
      frames_.attach(a.frame, to);
      if (to >= 0) frames_.set_otherwise(a.frame, to);
    }
    std::vector<std::pair<int, int>> ends(joints_.size());
    for (std::size_t i = 0; i < joints_.size(); ++i) {
      JointItem& joint = joints_[i];
      ends[i] = {find_frame(joint, "parent", joint.ends.parent), find_frame(joint, "child", joint.ends.child)};
      if (ends[i].second < 0) continue;
      frames_.set_otherwise(joint.frame, ends[i].second);
      frames_.attach(joint.frame, ends[i].second);
    }
    for (std::size_t i = 0; i < joints_.size(); ++i) {
      JointItem& joint = joints_[i];
      if (ends[i].first < 0 || ends[i].second < 0) continue;
      const int child = link_at(ends[i].second), parent = link_at(ends[i].first);
      if (child < 0) {
        in_.error({joint.node}, fmt::format("'{}' is not part of a link: it cannot be the child", joint.ends.child));
        continue;
      }
      if (parent < 0 && ends[i].first != Frames::kWorld) {
        in_.error({joint.node}, fmt::format("'{}' is not part of a link: it cannot be the parent", joint.ends.parent));
        continue;
      }
      LinkItem& below = links_[static_cast<std::size_t>(child)];
      if (child == parent || below.joint >= 0) {
        in_.error({joint.node},
                  child == parent ? fmt::format("link '{}' is its own parent", below.name)
                                  : fmt::format("link '{}' already has a parent: a loop is not supported", below.name));
        continue;
      }
      joint.parent = parent;
      joint.child = child;
      below.joint = static_cast<int>(i);
      if (parent >= 0) links_[static_cast<std::size_t>(parent)].joints.push_back(i);
    }
  }

  /// Bodies: for every link without a link above it, in the order of the file, the tree below it.
  void grow_tree() {
    for (std::size_t i = 0; i < links_.size(); ++i) {
      const int joint = links_[i].joint;
      if (joint >= 0 && joints_[static_cast<std::size_t>(joint)].parent >= 0) continue;
      grow_below(i);
    }
    for (const LinkItem& link : links_) {
      if (link.body) continue;
      in_.error({link.node}, fmt::format("link '{}' is part of a loop", link.name));
      throw mjcf::Stop{};
    }
  }

  void grow_below(std::size_t root) {
    struct Open {
      std::size_t link;
      spec::Body* parent;
      int parent_frame;
      int depth;
    };
    std::vector<Open> open = {{root, &in_.spec.world, Frames::kWorld, 1}};
    while (!open.empty()) {
      const Open at = open.back();
      open.pop_back();
      LinkItem& link = links_[at.link];
      if (at.depth > limits::kBodyDepth) {
        in_.error({link.node}, fmt::format("links are nested more than {} deep", limits::kBodyDepth));
        throw mjcf::Stop{};
      }
      link.body = &at.parent->bodies.add();
      link.body->name = link.name;
      link.body->origin = origin_of(*link.node);
      const Pose pose = rigid::compose(rigid::inverse(frames_.pose(at.parent_frame)), frames_.pose(link.frame));
      place(*link.body, pose);
      const JointItem* joint = link.joint < 0 ? nullptr : &joints_[static_cast<std::size_t>(link.joint)];
      const bool above = joint && joint->parent >= 0 && links_[static_cast<std::size_t>(joint->parent)].can_move;
      const bool free = !joint && in_.options.base != UrdfOptions::Base::Fixed;
      link.can_move = !link.scope.is_static && (above || free || (joint && joint->type != JointWord::Fixed));
      if (!joint && link.can_move) add_free_joint(link);
      for (auto i = link.joints.rbegin(); i != link.joints.rend(); ++i)
        open.push_back({static_cast<std::size_t>(joints_[*i].child), link.body, link.frame, at.depth + 1});
    }
  }

  template <class T>
  static void place(T& element, const Pose& pose) {
    pose.pos.store(element.pos.data());
    pose.quat.store(element.quat.data());
  }

  void add_free_joint(LinkItem& link) {
    spec::Joint& joint = link.body->joints.add(in_.spec.classes[0].joint);
    joint.type = JointType::Free;
    joint.name = link.name + "_free_joint";
    joint.origin = origin_of(*link.node);
    joint_names_.claim_or_refuse(in_, *link.node, joint.name);
  }

  /// The pose of a part of a link in the link.
  Pose pose_in_link(const LinkItem& link, const XmlNode& part) {
    const XmlNode* node = Input::child(part, "pose");
    if (!node) return {};
    const Pose own = read_pose(*node);
    const std::string relative_to(node->value("relative_to"));
    if (relative_to.empty()) return own;
    const int frame = frames_.find(relative_to, link.scope.prefix);
    if (frame < 0) {
      in_.error({node, "relative_to"}, fmt::format("there is no frame '{}'", relative_to));
      return own;
    }
    const Pose in_world = rigid::compose(frames_.pose(frame), own);
    return rigid::compose(rigid::inverse(frames_.pose(link.frame)), in_world);
  }

  void read_link(LinkItem& link) {
    std::optional<double> density;
    if (const XmlNode* node = Input::child(*link.node, "inertial")) read_inertial(link, *node, density);
    for (const XmlNode& node : link.node->children) {
      if (node.name == "collision") read_geom(link, node, false, density);
      if (node.name == "visual" && !in_.skips_visuals) read_geom(link, node, true, density);
    }
  }

  void read_inertial(LinkItem& link, const XmlNode& node, std::optional<double>& density) {
    const Element& table = *link_table().child("inertial");
    Head head;
    in_.fill(node, table, &head);
    Inertial inertial;
    in_.fill_texts(node, table, &inertial);
    density = inertial.density;
    if (head.automatic) return;
    Moments moments;
    const XmlNode* matrix = Input::child(node, "inertia");
    if (matrix) in_.fill_texts(*matrix, *table.child("inertia"), &moments);
    if (inertial.mass < 0) {
      const XmlNode* mass = Input::child(node, "mass");
      return in_.error({mass},
                       fmt::format("the mass of link '{}' is {}, must not be negative", link.name, inertial.mass));
    }
    if (inertial.mass == 0 && moments.full != spec::Reals<6>{})
      in_.warn({&node}, fmt::format("link '{}' has no mass: its inertia is taken as zero", link.name));
    link.body->inertial = make_inertial(inertial.mass, moments.full, pose_in_link(link, node));
    link.body->inertial->origin = origin_of(node);
  }

  void read_geom(LinkItem& link, const XmlNode& node, bool visual, const std::optional<double>& density) {
    const Element& table = *link_table().child(node.name);
    const XmlNode* geometry = in_.need_child(node, "geometry");
    if (!geometry) return;
    spec::Geom geom = in_.spec.classes[0].geom;
    geom.origin = origin_of(node);
    Pose pose = pose_in_link(link, node);
    if (!read_shape(*geometry, *table.child("geometry"), geom, pose)) return;
    place(geom, pose);
    if (visual) {
      geom.contype = geom.conaffinity = 0;
      geom.group = 1;
      geom.density = 0;
      Color color;
      if (const XmlNode* material = Input::child(node, "material"))
        in_.fill_texts(*material, *table.child("material"), &color);
      if (color.diffuse) geom.rgba = *color.diffuse;
    } else {
      Collision own;
      in_.fill_texts(node, table, &own);
      if (density) geom.density = *density;
      if (own.density) geom.density = *own.density;
      read_friction(node, table, geom);
    }
    const std::string name = link.scope.prefix + std::string(node.value("name"));
    if (geom_names_.insert(name).second)
      geom.name = name;
    else
      in_.note_unused("a name that another collision or visual of the model has", {&node, "name"});
    in_.take(node, sizeof(spec::Geom));
    link.body->geoms.add(std::move(geom));
  }

  void read_friction(const XmlNode& collision, const Element& table, spec::Geom& geom) {
    const XmlNode* node = Input::child(collision, "surface");
    const Element* rows = table.child("surface");
    for (const std::string_view name : {"friction", "ode"}) {
      node = node ? Input::child(*node, name) : nullptr;
      rows = rows->child(name);
    }
    if (!node) return;
    Friction friction;
    in_.fill_texts(*node, *rows, &friction);
    if (friction.mu || friction.mu2)
      geom.friction[0] = std::min(friction.mu.value_or(kUnbounded), friction.mu2.value_or(kUnbounded));
    if (geom.friction[0] < 0) in_.error({node}, "friction must not be negative");
  }

  /// False if there is nothing to make.
  bool read_shape(const XmlNode& geometry, const Element& table, spec::Geom& geom, Pose& pose) {
    for (const XmlNode& node : geometry.children) {
      const Element* kind = table.child(node.name);
      if (!kind || kind->tag == kUnused) continue;
      geom.origin = origin_of(node);
      Shape shape;
      in_.fill_texts(node, *kind, &shape);
      if (kind->name == "empty") return false;
      if (kind->name == "mesh") {
        if (shape.uri.empty()) {
          in_.error({&node}, "needs a <uri>");
          return false;
        }
        geom.type = GeomType::Mesh;
        geom.mesh = meshes_.mesh(node, {}, shape.uri, shape.scale);
        return !geom.mesh.empty();
      }
      set_size(node, shape, geom, pose);
      return true;
    }
    const bool unused = !geometry.children.empty() && table.child(geometry.children[0].name);
    if (!unused)
      in_.error({&geometry}, "has no shape", "it needs one of box, cylinder, sphere, capsule, ellipsoid, plane, mesh");
    return false;
  }

  void set_size(const XmlNode& node, const Shape& shape, spec::Geom& geom, Pose& pose) {
    const auto positive = [&](std::initializer_list<double> values) {
      for (const double x : values)
        if (!(x > 0)) in_.error({&node}, fmt::format("a size is {}, must be greater than 0", x));
    };
    if (node.name == "box") {
      geom.type = GeomType::Box;
      positive({shape.size[0], shape.size[1], shape.size[2]});
      geom.size = {shape.size[0] / 2, shape.size[1] / 2, shape.size[2] / 2};
    } else if (node.name == "sphere") {
      geom.type = GeomType::Sphere;
      positive({shape.radius});
      geom.size[0] = shape.radius;
    } else if (node.name == "ellipsoid") {
      geom.type = GeomType::Ellipsoid;
      positive({shape.radii[0], shape.radii[1], shape.radii[2]});
      geom.size = shape.radii;
    } else if (node.name == "plane") {
      geom.type = GeomType::Plane;
      Vec normal = Vec::load(shape.normal.data());
      if (rigid::unit(normal) == 0) in_.error({&node}, "its normal has no direction");
      if (normal.x != 0 || normal.y != 0 || normal.z < 0)
        pose.quat = rigid::turn(pose.quat, rigid::quat_from_z(normal));
      geom.size = {shape.plane[0] / 2, shape.plane[1] / 2, 1};
    } else {
      geom.type = node.name == "cylinder" ? GeomType::Cylinder : GeomType::Capsule;
      positive({shape.radius, shape.length});
      geom.size = {shape.radius, shape.length / 2, 0};
    }
  }

  void judge() {
    std::vector<Matter> matter;
    for (const LinkItem& link : links_) {
      Matter& entry = matter.emplace_back();
      entry.link = link.name;
      entry.can_move = link.can_move;
      entry.body = link.body;
      if (const XmlNode* inertial = Input::child(*link.node, "inertial")) {
        const XmlNode* matrix = Input::child(*inertial, "inertia");
        entry.moments = matrix ? matrix : inertial;
      }
    }
    judge_inertias(in_, matter, in_.spec.compiler.fusestatic);
  }

  /// Of an axis in the child link: its direction.
  Vec direction(const JointItem& joint, const XmlNode* axis, const Axis& values) {
    const LinkItem& link = links_[static_cast<std::size_t>(joint.child)];
    int frame = joint.frame;
    const bool old = joint.scope.version < 0.07;
    const XmlNode* xyz = axis ? Input::child(*axis, "xyz") : nullptr;
    if (old && values.use_parent_model_frame.value_or(joint.scope.version < 0.05)) frame = joint.scope.frame;
    if (xyz && !xyz->value("expressed_in").empty()) {
      const std::string name(xyz->value("expressed_in"));
      const int named = frames_.find(name, joint.scope.prefix);
      if (named < 0)
        in_.error({xyz, "expressed_in"}, fmt::format("there is no frame '{}'", name));
      else
        frame = named;
    }
    const Vec v = Vec::load(values.xyz.data());
    if (dot(v, v) < kCompileEps)
      in_.error({xyz ? xyz : joint.node}, fmt::format("the axis of joint '{}' has no direction", joint.name));
    const rigid::Quat4 q = rigid::turn(conjugate(frames_.pose(link.frame).quat), frames_.pose(frame).quat);
    return q.x == 0 && q.y == 0 && q.z == 0 ? v : to_matrix(q) * v;
  }

  /// A hinge or slide about or along one of a joint's axes.
  spec::Joint axis_joint(const JointItem& joint, std::string_view which, JointType type) {
    spec::Joint out = in_.spec.classes[0].joint;
    out.type = type;
    out.origin = origin_of(*joint.node);
    const LinkItem& link = links_[static_cast<std::size_t>(joint.child)];
    rigid::compose(rigid::inverse(frames_.pose(link.frame)), frames_.pose(joint.frame)).pos.store(out.pos.data());
    const XmlNode* axis = Input::child(*joint.node, which);
    const Element& table = *joint_table().child(which);
    Axis values;
    if (axis) in_.fill_texts(*axis, table, &values);
    direction(joint, axis, values).store(out.axis.data());
    if (!axis) return out;
    Limit limit;
    if (const XmlNode* node = Input::child(*axis, "limit")) {
      in_.fill_texts(*node, *table.child("limit"), &limit);
      if (limit.velocity >= 0 && limit.velocity < kUnbounded) in_.note_unused("a velocity limit", {node});
      const bool bounded = limit.lower > -kUnbounded || limit.upper < kUnbounded;
      if (bounded && limit.lower >= limit.upper)
        in_.warn({node}, fmt::format("joint '{}': the bounds {} {} leave no room; not limited", joint.name, limit.lower,
                                     limit.upper));
      if (bounded && joint.type != JointWord::Continuous) out.range = {limit.lower, limit.upper};
      if (limit.effort > 0 && limit.effort < kUnbounded) out.actuatorfrcrange = {-limit.effort, limit.effort};
    }
    Dynamics dynamics;
    if (const XmlNode* node = Input::child(*axis, "dynamics"))
      in_.fill_texts(*node, *table.child("dynamics"), &dynamics);
    out.damping[0] = dynamics.damping;
    out.frictionloss = dynamics.friction;
    out.stiffness[0] = dynamics.spring_stiffness;
    out.springref = dynamics.spring_reference;
    return out;
  }

  void make(JointItem& joint, spec::Joint made, const std::string& name) {
    made.name = name;
    if (name != joint.name) joint_names_.claim_or_refuse(in_, *joint.node, name);
    in_.take(*joint.node, sizeof(spec::Joint));
    links_[static_cast<std::size_t>(joint.child)].body->joints.add(std::move(made));
    joint.made.push_back(name);
  }

  void read_joint(JointItem& joint) {
    if (joint.child < 0 || joint.scope.is_static) return;
    const std::string second = joint.name + "_2";
    switch (joint.type) {
      case JointWord::Fixed:
      case JointWord::Revolute2:
      case JointWord::Gearbox: break;
      case JointWord::Revolute:
      case JointWord::Continuous: make(joint, axis_joint(joint, "axis", JointType::Hinge), joint.name); break;
      case JointWord::Prismatic: make(joint, axis_joint(joint, "axis", JointType::Slide), joint.name); break;
      case JointWord::Ball: {
        spec::Joint ball = in_.spec.classes[0].joint;
        ball.type = JointType::Ball;
        ball.origin = origin_of(*joint.node);
        const LinkItem& link = links_[static_cast<std::size_t>(joint.child)];
        rigid::compose(rigid::inverse(frames_.pose(link.frame)), frames_.pose(joint.frame)).pos.store(ball.pos.data());
        make(joint, ball, joint.name);
        break;
      }
      case JointWord::Universal:
        make(joint, axis_joint(joint, "axis", JointType::Hinge), joint.name);
        make(joint, axis_joint(joint, "axis2", JointType::Hinge), second);
        break;
      case JointWord::Screw: read_screw(joint, second); break;
    }
  }

  /// A hinge, and a slide that it drives: a right-handed thread of the given pitch in meters for a turn. The older
  /// thread_pitch is in radians for a meter, of a left-handed thread.
  void read_screw(JointItem& joint, const std::string& second) {
    make(joint, axis_joint(joint, "axis", JointType::Hinge), joint.name);
    spec::Joint slide = axis_joint(joint, "axis", JointType::Slide);
    slide.range = slide.actuatorfrcrange = {};
    slide.damping = slide.stiffness = {};
    slide.frictionloss = slide.springref = 0;
    make(joint, slide, second);
    double per_radian = joint.ends.screw_thread_pitch.value_or(1) / (2 * std::numbers::pi);
    if (!joint.ends.screw_thread_pitch && joint.ends.thread_pitch) {
      if (*joint.ends.thread_pitch == 0) return in_.error({joint.node}, "thread_pitch must not be 0");
      per_radian = -1 / *joint.ends.thread_pitch;
    }
    couple(*joint.node, joint.name, second, joint.name, 0, per_radian);
  }

  void couple(const XmlNode& node, const std::string& name, const std::string& follower, const std::string& source,
              double offset, double multiplier) {
    spec::Equality& equality = in_.spec.equalities.add(in_.spec.classes[0].equality);
    equality.name = name;
    equality.origin = origin_of(node);
    equality.type = EqualityType::Joint;
    equality.objtype = ObjType::Joint;
    equality.name1 = follower;
    equality.name2 = source;
    equality.data[0] = offset;
    equality.data[1] = multiplier;
  }

  void read_mimics(const JointItem& joint) {
    if (joint.made.empty() || joint.type == JointWord::Ball) return;
    for (const std::string_view which : {"axis", "axis2"}) {
      const XmlNode* axis = Input::child(*joint.node, which);
      const XmlNode* node = axis ? Input::child(*axis, "mimic") : nullptr;
      if (!node) continue;
      const Element& table = *joint_table().child(which)->child("mimic");
      MimicHead head;
      in_.fill(*node, table, &head);
      Mimic mimic;
      in_.fill_texts(*node, table, &mimic);
      const auto found = joint_ids_.find(joint.scope.prefix + head.joint);
      const JointItem* source = found == joint_ids_.end() ? nullptr : &joints_[found->second];
      const std::size_t number = head.axis == "axis2" ? 1 : 0;
      const std::size_t own = which == "axis2" ? 1 : 0;
      if (own >= joint.made.size()) continue;
      if (!source || number >= source->made.size() || source->type == JointWord::Ball) {
        in_.error({node, "joint"}, fmt::format("there is no joint '{}' with such an axis", head.joint));
        continue;
      }
      if (source->made[number] == joint.made[own]) {
        in_.error({node, "joint"}, fmt::format("joint '{}' mimics itself", joint.name));
        continue;
      }
      couple(*node, joint.made[own], joint.made[own], source->made[number],
             mimic.offset - mimic.multiplier * mimic.reference, mimic.multiplier);
    }
  }

  /// Links of one model collide only if both have self_collide.
  void exclude_pairs() {
    if (links_.size() > limits::kBodies) return;  // the compiler refuses as many bodies
    std::vector<std::vector<const LinkItem*>> groups(static_cast<std::size_t>(groups_));
    for (const LinkItem& link : links_) groups[static_cast<std::size_t>(link.scope.group)].push_back(&link);
    for (const auto& group : groups) {
      for (std::size_t i = 0; i < group.size(); ++i) {
        in_.session.budget.go_on();
        for (std::size_t j = i + 1; j < group.size(); ++j) {
          const LinkItem &a = *group[i], &b = *group[j];
          if (a.self_collide && b.self_collide) continue;
          in_.take(*a.node, sizeof(spec::Exclude) + 2 * static_cast<double>(a.name.size() + b.name.size()));
          spec::Exclude& exclude = in_.spec.excludes.add();
          exclude.origin = origin_of(*a.node);
          exclude.body1 = a.name;
          exclude.body2 = b.name;
        }
      }
    }
  }

  struct ModelItem {
    const XmlNode* node;
    Scope scope;
    std::size_t first_link;  // of its own or of a model in it; if there is none, past the end
  };
  struct Attachment {
    int frame;
    const XmlNode* node;
    std::string to, scope;
  };

  Input& in_;
  const XmlNode& root_;
  const Element& table_;
  MeshFiles meshes_;
  Frames frames_;
  std::vector<std::unique_ptr<mjcf::Document>> documents_;
  std::vector<ModelItem> models_;
  std::vector<LinkItem> links_;
  std::vector<JointItem> joints_;
  std::unordered_map<std::string, std::size_t> joint_ids_;
  std::vector<Attachment> attachments_;
  std::unordered_map<int, std::size_t> link_of_frame_;
  std::set<std::string> geom_names_;
  Names joint_names_;
  int groups_ = 0;
};

}  // namespace
}  // namespace sdf

void read_sdf(const XmlNode& root, Spec& spec, mjcf::Report& report, mjcf::Reader::Session& session) {
  Input in(spec, report, session);
  sdf::SdfReader(in, root).read();
}

}  // namespace sinew::urdf
