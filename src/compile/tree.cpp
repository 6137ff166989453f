#include "compile/tree.h"

#include "base/limits.h"
#include "compile/context.h"
#include "compile/elements.h"
#include "compile/mass.h"
#include "compile/orientation.h"
#include "model/joint_kinds.h"

namespace sinew::compiling {

void plant_tree(const Spec& spec, Tree& tree) {
  // an explicit stack: a tree may be as deep as memory allows
  struct Pending {
    const spec::Body* in;
    BodyNode* parent;
  };
  std::vector<Pending> stack = {{&spec.world, nullptr}};
  while (!stack.empty()) {
    const Pending next = stack.back();
    stack.pop_back();
    BodyNode& node = tree.storage.emplace_back();
    node.in = next.in;
    node.parent = next.parent;
    if (next.parent) next.parent->children.push_back(&node);
    tree.bodies.push_back(&node);
    for (std::size_t i = next.in->bodies.size(); i-- > 0;) stack.push_back({&next.in->bodies[i], &node});
  }
  tree.number();
}

void Tree::number() {
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    BodyNode* body = bodies[i];
    body->id = static_cast<int>(i);
    body->weld = body->is_world() || !body->in->joints.empty() || body->in->mocap ? body : body->parent->weld;
  }
}

namespace {

/// Poses of the body's frames in the body; a frame comes after the one that contains it.
void compile_frames(Context& context, BodyNode& body) {
  for (const spec::Frame& frame : body.in->frames) {
    const Pose own = {Vec::load(frame.pos.data()),
                      resolve_orientation(context, place("frame", frame), frame.quat, frame.alt)};
    body.frames.push_back(in_body(body, frame, own));
  }
}

/// Pose of the body's own frame, before the frame around it is applied.
Pose own_pose(Context& context, const BodyNode& body) {
  if (body.is_world()) return {};
  return {Vec::load(body.in->pos.data()),
          resolve_orientation(context, place("body", *body.in), body.in->quat, body.in->alt)};
}

/// A floating joint on a childless body may have the body frame moved to the inertial frame: M becomes diagonal there.
bool wants_alignment(const Context& context, const BodyNode& body) {
  if (body.joints.size() != 1 || !joint_kind(body.joints[0].in->type).floating || !body.children.empty()) return false;
  const spec::Tri align = body.joints[0].in->align;
  return align == spec::Tri::True || (align == spec::Tri::Auto && context.spec.compiler_of(body.in->origin).alignfree);
}

void align_to_inertia(BodyNode& body) {
  const Pose back = inverse(body.inertial);
  body.pose = compose(body.pose, body.inertial);
  body.inertial = {};
  for (GeomNode& geom : body.geoms) geom.pose = compose(back, geom.pose);
  for (SiteNode& site : body.sites) site.pose = compose(back, site.pose);
  for (CameraNode& camera : body.cameras) camera.pose = compose(back, camera.pose);
  for (LightNode& light : body.lights) {
    light.pos = back.pos + to_matrix(back.quat) * light.pos;
    light.dir = rotate(back.quat, light.dir);
  }
}

void check_body(Context& context, const BodyNode& body) {
  const Place where = place("body", *body.in);
  const auto& size = context.spec.size;
  check_user(context, where, body.in->user, {size.nuser_body, "nuser_body"});
  if (body.is_world()) {
    if (!body.in->joints.empty()) context.report.error(where, "", "the world cannot have joints");
    return;
  }
  if (body.in->name == "world") context.report.error(where, "name", "only the world may be called 'world'");
  if (body.in->mocap && !body.in->joints.empty())
    context.report.error(where, "mocap", "a mocap body cannot have joints");
  if (body.in->mocap && !body.parent->is_world())
    context.report.error(where, "mocap", "a mocap body must be a child of the world");
}

void compile_body(Context& context, BodyNode& body) {
  check_body(context, body);
  compile_frames(context, body);
  const Pose own = own_pose(context, body);
  for (const spec::Geom& geom : body.in->geoms) body.geoms.push_back(compile_geom(context, body, geom));
  compile_mass(context, body, own);
  body.pose = body.is_world() ? own : in_body(*body.parent, *body.in, own);
  compile_joints(context, body);
  for (const spec::Site& site : body.in->sites) body.sites.push_back(compile_site(context, body, site));
  for (const spec::Camera& camera : body.in->cameras) body.cameras.push_back(compile_camera(context, body, camera));
  for (const spec::Light& light : body.in->lights) body.lights.push_back(compile_light(context, body, light));
  if (wants_alignment(context, body)) align_to_inertia(body);
}

}  // namespace

void compile_tree(Context& context) {
  if (context.tree.bodies.size() > limits::kBodies) {
    context.report.error(place("worldbody", context.spec.world), "",
                         "has " + std::to_string(context.tree.bodies.size() - 1) + " bodies, at most " +
                             std::to_string(limits::kBodies - 1) + " are allowed");
    return;
  }
  for (BodyNode* body : context.tree.bodies) compile_body(context, *body);
}

void check_free_joints(Context& context) {
  for (const BodyNode* body : context.tree.bodies)
    for (const JointNode& joint : body->joints)
      if (joint_kind(joint.in->type).floating && !body->parent->is_world())
        context.report.error(place("joint", *joint.in), "type", "a free joint must be in a child of the world");
}

}  // namespace sinew::compiling
