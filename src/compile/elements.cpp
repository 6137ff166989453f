#include "compile/elements.h"

#include <algorithm>
#include <cmath>

#include "compile/orientation.h"
#include "dynamics/added_mass.h"
#include "math/elementary.h"
#include "model/joint_kinds.h"

namespace sinew::compiling {

namespace {

/// The frame around an element, or null if it is directly in the body.
const Pose* frame_around(const BodyNode& body, const spec::TreeElement& element) {
  const auto frame = static_cast<std::size_t>(element.frame);
  return element.frame >= 0 && frame < body.frames.size() ? &body.frames[frame] : nullptr;
}

/// A direction given in the frame around an element, expressed in the body.
Vec direction_in_body(const BodyNode& body, const spec::TreeElement& element, const Vec& v) {
  const Pose* frame = frame_around(body, element);
  return frame ? rotate(frame->quat, v) : v;
}

}  // namespace

Pose in_body(const BodyNode& body, const spec::TreeElement& element, const Pose& pose) {
  const Pose* frame = frame_around(body, element);
  return frame ? compose(*frame, pose) : pose;
}

namespace {

/// Shared by geoms and sites: a shape with its pose.
struct Shaped {
  Pose pose;
  Size3 size;
};

/// The segment from `to` to `from` is the local z axis, its middle the origin, half its length the last size.
template <class Element>
Shaped from_to(Context& context, const Place& where, const Element& in) {
  Shaped out;
  out.size = in.size;
  if (!shape_kind(in.type).from_to) {
    context.report.error(where, "fromto", "cannot be used with a " + std::string(shape_kind(in.type).name),
                         "capsule, cylinder, ellipsoid and box can");
    return out;
  }
  if (in.pos[0] != 0 || in.pos[1] != 0 || in.pos[2] != 0)
    context.report.error(where, "fromto", "is given together with pos");
  const Vec from = Vec::load(in.fromto->data()), to = Vec::load(in.fromto->data() + 3);
  Vec along = from - to;
  const double length = norm(along);
  if (length / 2 < kCompileEps || unit(along) == 0) {
    context.report.error(where, "fromto", "the two points are too close together");
    return out;
  }
  out.pose = {(from + to) * 0.5, quat_from_z(along)};
  if (shape_kind(in.type).sizes == 2) {  // radius and half length
    out.size[1] = length / 2;
  } else {
    out.size[1] = out.size[0];
    out.size[2] = length / 2;
  }
  return out;
}

void check_size(Context& context, const Place& where, GeomType type, const Size3& size) {
  static const char* const kOrdinal[] = {"first", "second", "third"};
  const ShapeKind& row = shape_kind(type);
  for (const double s : size) {
    if (std::isnan(s)) {
      context.report.error(where, "size", "is not a number");
      return;
    }
  }
  if (type == GeomType::Plane && size[2] <= 0)
    context.report.error(where, "size", "the third size of a plane, the spacing of its grid, must be positive");
  for (int i = 0; i < row.sizes; ++i) {
    if (size[i] > 0) continue;
    context.report.error(
        where, "size", std::string("the ") + kOrdinal[i] + " size must be positive",
        std::string(row.name) + " needs " + std::string(row.size_names) + (row.from_to ? ", or fromto" : ""));
    return;
  }
}

template <class Element>
Shaped compile_shape(Context& context, const Place& where, const BodyNode& body, const Element& in) {
  Shaped out;
  if (in.fromto) {
    out = from_to(context, where, in);
  } else {
    out.pose = {Vec::load(in.pos.data()), resolve_orientation(context, where, in.quat, in.alt)};
    out.size = in.size;
  }
  out.pose = in_body(body, in, out.pose);
  check_size(context, where, in.type, out.size);
  return out;
}

/// geom_fluid: 1, the five coefficients, added mass, added inertia.
std::array<double, kNumFluid> fluid_numbers(const spec::Geom& in, const Size3& size) {
  std::array<double, kNumFluid> out{};
  const AddedMass added = added_mass(shape_kind(in.type).fluid_semiaxes(size));
  out[0] = 1;
  std::copy(in.fluidcoef.begin(), in.fluidcoef.end(), out.begin() + 1);
  added.mass.store(&out[6]);
  added.inertia.store(&out[9]);
  return out;
}

void check_geom(Context& context, const Place& where, const BodyNode& body, const spec::Geom& in) {
  check_user(context, where, in.user, {context.spec.size.nuser_geom, "nuser_geom"});
  if (in.condim != 1 && in.condim != 3 && in.condim != 4 && in.condim != 6)
    context.report.error(where, "condim", "is " + std::to_string(in.condim) + ", must be 1, 3, 4 or 6");
  if (in.type == GeomType::Plane && !body.weld->in->joints.empty())
    context.report.error(where, "type", "a plane cannot be part of a body that moves");
  if (!in.hfield.empty() && in.type != GeomType::Hfield)
    context.report.error(where, "hfield", "is given, but the type is " + std::string(shape_kind(in.type).name));
}

}  // namespace

namespace {

/// The mesh or height field that a geom names, or -1 after an error was reported.
int find_asset(Context& context, const Place& where, const char* kind, const std::string& name) {
  const auto& ids = std::string_view(kind) == "mesh" ? context.mesh_ids : context.hfield_ids;
  const auto found = ids.find(name);
  if (found != ids.end()) return found->second;
  context.report.error(where, kind,
                       name.empty() ? std::string("the name of a ") + kind + " is missing"
                                    : std::string("there is no ") + kind + " named '" + name + "'",
                       suggest_key(ids, name));
  return -1;
}

/// A geom that is a mesh, or a primitive fitted to one: its frame is the mesh's, offset by the geom's own pose.
void place_on_mesh(Context& context, const Place& where, const BodyNode& body, GeomNode& out) {
  const spec::Geom& in = *out.in;
  out.dataid = find_asset(context, where, "mesh", in.mesh);
  if (out.dataid < 0) return;
  const CompiledMesh& mesh = context.meshes[out.dataid].mesh;
  if (in.fromto) context.report.error(where, "fromto", "cannot be used with a mesh");
  const Vec center = (mesh.lo + mesh.hi) * 0.5, half = (mesh.hi - mesh.lo) * 0.5;
  Pose mesh_pose = {mesh.pos, mesh.quat};
  if (is_mesh(in.type)) {
    for (int k = 0; k < 3; ++k) out.size[k] = std::max(std::abs(mesh.lo[k]), std::abs(mesh.hi[k]));
    out.box_center = center;
    out.box_half = half;
    out.rbound = norm(Vec::load(out.size.data()));
    if (in.shellinertia)
      context.report.error(where, "shellinertia", "cannot be used with a mesh", "set inertia=\"shell\" on the mesh");
  } else {
    const bool to_bounds = context.spec.compiler_of(in.origin).fitaabb;
    const ShapeKind& row = shape_kind(in.type);
    out.size = to_bounds ? row.fitted_to_bounds(mesh.hi - center) : row.fitted_to_inertia(mesh.box);
    for (double& s : out.size) s *= in.fitscale;
    if (to_bounds) mesh_pose.pos += to_matrix(mesh.quat) * center;
    check_size(context, where, in.type, out.size);
  }
  // the surface velocity is given in the frame of the geom's own pose, and stored in the frame of the mesh
  const Vec linear = Vec::load(&in.surfacevel[0]), angular = Vec::load(&in.surfacevel[3]);
  const Quat4 to_mesh = conjugate(mesh_pose.quat);
  rotate(to_mesh, linear + cross(angular, mesh_pose.pos)).store(&out.surfacevel[0]);
  rotate(to_mesh, angular).store(&out.surfacevel[3]);
  const Pose own = {Vec::load(in.pos.data()), resolve_orientation(context, where, in.quat, in.alt)};
  out.pose = in_body(body, in, compose(own, mesh_pose));
}

void place_height_field(Context& context, const Place& where, const BodyNode& body, GeomNode& out) {
  const spec::Geom& in = *out.in;
  out.dataid = find_asset(context, where, "hfield", in.hfield);
  if (out.dataid < 0) return;
  const auto [x, y, top, bottom] = context.spec.hfields[static_cast<std::size_t>(out.dataid)].size;
  if (in.fromto) context.report.error(where, "fromto", "cannot be used with a height field");
  out.size = {x, y, 0.25 * top + 0.5 * bottom};
  out.box_center = {0, 0, 0.5 * (top - bottom)};
  out.box_half = {x, y, 0.5 * (top + bottom)};
  out.rbound = std::sqrt(x * x + y * y + std::max(top * top, bottom * bottom));
  out.pose = in_body(body, in, {Vec::load(in.pos.data()), resolve_orientation(context, where, in.quat, in.alt)});
}

/// Bounds derived from the size of a primitive.
void bound_primitive(GeomNode& out) {
  const ShapeKind& row = shape_kind(out.in->type);
  out.rbound = row.bounding_radius(out.size);
  if (out.in->type == GeomType::Plane) {  // everything below it
    constexpr double kHuge = 1e10;
    out.box_center = {0, 0, -kHuge / 2};
    out.box_half = {kHuge, kHuge, kHuge / 2};
  } else {
    out.box_half = row.half_extents(out.size);
  }
}

}  // namespace

GeomNode compile_geom(Context& context, const BodyNode& body, const spec::Geom& in) {
  const Place where = place("geom", in);
  GeomNode out;
  out.in = &in;
  out.surfacevel = in.surfacevel;
  check_geom(context, where, body, in);
  const GeomAsset asset = shape_kind(in.type).asset;
  if (asset == GeomAsset::Hfield) {
    place_height_field(context, where, body, out);
  } else if (asset == GeomAsset::Mesh || !in.mesh.empty()) {
    if (in.type == GeomType::Plane) context.report.error(where, "mesh", "cannot be used with a plane");
    place_on_mesh(context, where, body, out);
  } else {
    const Shaped shaped = compile_shape(context, where, body, in);
    out.pose = shaped.pose;
    out.size = shaped.size;
  }
  if (asset == GeomAsset::None) bound_primitive(out);
  if (in.fluidshape == FluidShape::Ellipsoid) out.fluid = fluid_numbers(in, out.size);
  return out;
}

SiteNode compile_site(Context& context, const BodyNode& body, const spec::Site& in) {
  const Place where = place("site", in);
  check_user(context, where, in.user, {context.spec.size.nuser_site, "nuser_site"});
  SiteNode out;
  out.in = &in;
  if (in.type == GeomType::Plane || !shape_kind(in.type).volume) {
    context.report.error(where, "type", "a site cannot be a " + std::string(shape_kind(in.type).name));
    return out;
  }
  const Shaped shaped = compile_shape(context, where, body, in);
  out.pose = shaped.pose;
  out.size = shaped.size;
  return out;
}

namespace {

/// Focal length and principal point in m from the attributes in m or in pixels, and the resulting field of view.
void compile_intrinsics(Context& context, const Place& where, CameraNode& out) {
  const spec::Camera& in = *out.in;
  if (!(in.sensorsize[0] > 0 && in.sensorsize[1] > 0)) {
    const auto given = [](const spec::Floats<2>& v) { return v[0] != 0 || v[1] != 0; };
    if (given(in.focal) || given(in.focalpixel) || given(in.principal) || given(in.principalpixel))
      context.report.error(where, "", "focal and principal need sensorsize");
    const float znear = context.spec.visual.map.znear;
    out.intrinsic = {znear, znear, 0, 0};
    return;
  }
  if (in.resolution[0] <= 0 || in.resolution[1] <= 0) {
    context.report.error(where, "resolution", "must be positive with sensorsize");
    return;
  }
  for (std::size_t i = 0; i < 2; ++i) {
    const float density = static_cast<float>(in.resolution[i]) / in.sensorsize[i];  // pixels per m
    out.intrinsic[i] = in.focalpixel[i] != 0 ? in.focalpixel[i] / density : in.focal[i];
    out.intrinsic[2 + i] = in.principalpixel[i] != 0 ? in.principalpixel[i] / density : in.principal[i];
  }
  out.fovy = 360 / kPi * static_cast<float>(elementary::atan2(in.sensorsize[1] / 2, out.intrinsic[1]));
}

}  // namespace

CameraNode compile_camera(Context& context, const BodyNode& body, const spec::Camera& in) {
  const Place where = place("camera", in);
  check_user(context, where, in.user, {context.spec.size.nuser_cam, "nuser_cam"});
  CameraNode out;
  out.in = &in;
  out.fovy = in.fovy;
  out.pose = in_body(body, in, {Vec::load(in.pos.data()), resolve_orientation(context, where, in.quat, in.alt)});
  if (in.fovy >= 180) context.report.error(where, "fovy", "must be below 180 degrees");
  compile_intrinsics(context, where, out);  // a sensor without a focal length sees a half-space, which is allowed
  return out;
}

LightNode compile_light(Context& context, const BodyNode& body, const spec::Light& in) {
  const Place where = place("light", in);
  LightNode out;
  out.in = &in;
  out.pos = in_body(body, in, {Vec::load(in.pos.data()), {}}).pos;
  out.dir = direction_in_body(body, in, Vec::load(in.dir.data()));
  if (unit(out.dir) == 0) context.report.error(where, "dir", "is too short to define a direction");
  if (in.softness < 0 || in.softness > 1) context.report.error(where, "softness", "must be between 0 and 1");
  return out;
}

namespace {

void compile_joint_limits(Context& context, const Place& where, JointNode& out) {
  const spec::Joint& in = *out.in;
  const JointKind& kind = joint_kind(in.type);
  out.range = in.range;
  if (kind.limit != JointLimit::None)
    out.limited = is_limited(context, where, {"limited", "range", in.limited, in.range});
  if (out.limited && kind.limit == JointLimit::Interval && !(in.range[0] < in.range[1]))
    context.report.error(where, "range", "the lower bound must be below the upper one");
  if (out.limited && kind.limit == JointLimit::Angle && in.range[0] != 0)
    context.report.error(where, "range", "the lower bound of a ball joint must be 0");
  if (out.limited && context.spec.compiler_of(in.origin).degree && kind.has_angular_range())
    out.range = {in.range[0] * kRadian, in.range[1] * kRadian};
  if (kind.is_scalar()) {
    out.actfrclimited = is_limited_and_valid(
        context, where, {"actuatorfrclimited", "actuatorfrcrange", in.actuatorfrclimited, in.actuatorfrcrange});
  }
}

JointNode compile_joint(Context& context, const BodyNode& body, const spec::Joint& in) {
  const Place where = place("joint", in);
  check_user(context, where, in.user, {context.spec.size.nuser_jnt, "nuser_jnt"});
  JointNode out;
  out.in = &in;
  compile_joint_limits(context, where, out);
  if ((in.springdamper[0] != 0 || in.springdamper[1] != 0) && !(in.springdamper[0] > 0 && in.springdamper[1] > 0))
    context.report.error(where, "springdamper", "both numbers must be positive, or both 0");

  const JointKind& kind = joint_kind(in.type);
  if (!kind.floating) out.pos = in_body(body, in, {Vec::load(in.pos.data()), {}}).pos;
  out.axis = direction_in_body(body, in, Vec::load(in.axis.data()));
  if (!kind.is_scalar()) {
    out.axis = {0, 0, 1};
  } else if (unit(out.axis) == 0) {
    context.report.error(where, "axis", "is too short to define a direction");
  }
  const double scale = context.spec.compiler_of(in.origin).degree && kind.has_angular_position() ? kRadian : 1;
  out.ref = in.ref * scale;
  out.springref = in.springref * scale;
  return out;
}

}  // namespace

void compile_joints(Context& context, BodyNode& body) {
  if (body.is_world()) return;
  int total = 0;
  bool has_ball = false;
  for (const spec::Joint& in : body.in->joints) {
    const Place where = place("joint", in);
    body.joints.push_back(compile_joint(context, body, in));
    const JointKind& kind = joint_kind(in.type);
    total += kind.nv;
    if (kind.floating && body.in->joints.size() > 1)
      context.report.error(where, "type", "a free joint must be the only joint of its body");
    if (has_ball && !kind.floating && kind.rotations() > 0)
      context.report.error(where, "type", "a ball joint leaves no rotation for another joint of its body");
    has_ball = has_ball || kind.is_ball();
  }
  if (total > 6) {
    context.report.error(place("body", *body.in), "",
                         "its joints have " + std::to_string(total) + " degrees of freedom, more than 6");
  }
}

}  // namespace sinew::compiling
