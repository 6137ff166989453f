#include "compile/mass.h"

#include <algorithm>

#include "compile/orientation.h"
#include "geometry/principal_axes.h"

namespace sinew::compiling {
namespace {

bool from_geoms(const Context& context, const BodyNode& body) {
  const spec::Tri rule = context.spec.compiler_of(body.in->origin).inertiafromgeom;
  return rule == spec::Tri::True || (rule == spec::Tri::Auto && !body.in->inertial);
}

bool in_group_range(const Context& context, const BodyNode& body, const GeomNode& geom) {
  const auto& range = context.spec.compiler_of(body.in->origin).inertiagrouprange;
  return geom.in->group >= range[0] && geom.in->group <= range[1];
}

/// The mesh's volume (a shell's: its area) with the inertia of its equivalent box.
void compile_mesh_mass(Context& context, GeomNode& geom) {
  if (geom.dataid < 0) return;
  const spec::Geom& in = *geom.in;
  const CompiledMesh& mesh = context.meshes[geom.dataid].mesh;
  geom.mass = in.mass ? (mesh.volume > kCompileEps ? *in.mass : 0) : in.density * mesh.volume;
  if (geom.mass < 0) context.report.error(place("geom", in), in.mass ? "mass" : "density", "must not be negative");
  const Vec& b = mesh.box;
  geom.inertia = {geom.mass * (b.y * b.y + b.z * b.z) / 3, geom.mass * (b.x * b.x + b.z * b.z) / 3,
                  geom.mass * (b.x * b.x + b.y * b.y) / 3};
}

void compile_geom_mass(Context& context, GeomNode& geom) {
  const spec::Geom& in = *geom.in;
  const Place where = place("geom", in);
  if (is_mesh(in.type)) return compile_mesh_mass(context, geom);
  // a height field is treated as a box of its size
  const ShapeKind& row = shape_kind(in.type == GeomType::Hfield ? GeomType::Box : in.type);
  const double volume = in.shellinertia ? row.area(geom.size) : row.volume(geom.size);
  if (!(volume >= 0)) return;  // the size was already rejected
  geom.mass = in.mass ? (volume > kCompileEps ? *in.mass : 0) : in.density * volume;
  if (geom.mass == 0) return;
  geom.inertia = in.shellinertia ? row.shell_inertia(geom.mass, geom.size) : row.inertia(geom.mass, geom.size);
  if (geom.mass < 0 || geom.inertia.x < 0 || geom.inertia.y < 0 || geom.inertia.z < 0)
    context.report.error(where, in.mass ? "mass" : "density", "must not be negative");
}

/// R(quat) diag(d) transpose(R(quat)).
Matrix3 inertia_in_frame(const Vec& diagonal, const Quat4& quat) {
  const Matrix3 r = to_matrix(quat);
  Matrix3 out;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      out(i, j) =
          r(i, 0) * (r(j, 0) * diagonal.x) + r(i, 1) * (r(j, 1) * diagonal.y) + r(i, 2) * (r(j, 2) * diagonal.z);
  return out;
}

/// m (|d|² 1 - d dᵀ): the contribution of a mass to the inertia about a point at distance d from its center.
Matrix3 point_inertia(double mass, const Vec& d) {
  Matrix3 out;
  out(0, 0) = mass * (d.y * d.y + d.z * d.z);
  out(1, 1) = mass * (d.x * d.x + d.z * d.z);
  out(2, 2) = mass * (d.x * d.x + d.y * d.y);
  out(0, 1) = out(1, 0) = -mass * d.x * d.y;
  out(0, 2) = out(2, 0) = -mass * d.x * d.z;
  out(1, 2) = out(2, 1) = -mass * d.y * d.z;
  return out;
}

/// Something with mass in the frame of a body.
struct Part {
  double mass;
  Vec inertia;
  Pose pose;
};

/// Mass, center and inertia of several parts, summed in their order to keep the rounding.
void combine(BodyNode& body, const std::vector<Part>& parts) {
  double mass = 0;
  Vec moment;
  for (const Part& part : parts) {
    mass += part.mass;
    moment += part.mass * part.pose.pos;
  }
  body.mass = mass;
  body.inertial.pos = {moment.x / mass, moment.y / mass, moment.z / mass};
  Matrix3 total;
  for (const Part& part : parts) {
    const Matrix3 own = inertia_in_frame(part.inertia, part.pose.quat);
    const Matrix3 offset = point_inertia(part.mass, part.pose.pos - body.inertial.pos);
    for (int i = 0; i < 9; ++i) total.m[i] = total.m[i] + own.m[i] + offset.m[i];
  }
  const PrincipalAxes axes = principal_axes(total);
  body.inertia = axes.moment;
  body.inertial.quat = axes.axes;
}

/// Returns whether any geom had mass.
bool inertia_from_geoms(Context& context, BodyNode& body) {
  std::vector<Part> parts;
  for (const GeomNode& geom : body.geoms) {
    if (in_group_range(context, body, geom) && geom.mass > kCompileEps)
      parts.push_back({geom.mass, geom.inertia, geom.pose});
  }
  if (parts.empty()) return false;
  if (parts.size() == 1) {  // as given: no sorting, no diagonalization
    body.mass = parts[0].mass;
    body.inertia = parts[0].inertia;
    body.inertial = parts[0].pose;
    return true;
  }
  combine(body, parts);
  if (std::min({body.inertia.x, body.inertia.y, body.inertia.z}) < kCompileEps)
    context.report.error(place("body", *body.in), "", "the inertia of its geoms has a non-positive eigenvalue");
  return true;
}

void compile_inertial(Context& context, BodyNode& body) {
  const spec::Inertial& in = *body.in->inertial;
  const Place where = {"inertial", body.in->name, in.origin};
  body.mass = in.mass;
  body.inertial.pos = Vec::load(in.pos.data());
  if (!in.fullinertia) {
    body.inertia = Vec::load(in.diaginertia.data());
    body.inertial.quat = resolve_orientation(context, where, in.quat, in.alt);
    return;
  }
  const spec::Reals<6>& full = *in.fullinertia;
  if (in.has_diaginertia) context.report.error(where, "fullinertia", "is given together with diaginertia");
  if (in.alt.kind != spec::Orientation::Kind::None || in.quat != spec::Reals<4>{1, 0, 0, 0})
    context.report.error(where, "fullinertia", "is given together with an orientation");
  Matrix3 a;
  for (int i = 0; i < 3; ++i) a(i, i) = full[i];
  a(0, 1) = a(1, 0) = full[3];
  a(0, 2) = a(2, 0) = full[4];
  a(1, 2) = a(2, 1) = full[5];
  const PrincipalAxes axes = principal_axes(a);
  body.inertia = axes.moment;
  body.inertial.quat = axes.axes;
  if (axes.moment.z < kCompileEps) context.report.error(where, "fullinertia", "must have positive eigenvalues");
}

/// Applies the compiler's lower bounds and checks that the moments are physically possible.
void bound_and_check(Context& context, BodyNode& body) {
  const spec::Compiler& compiler = context.spec.compiler_of(body.in->origin);
  const Place where =
      body.in->inertial ? Place{"inertial", body.in->name, body.in->inertial->origin} : place("body", *body.in);
  Vec& i = body.inertia;
  body.mass = std::max(body.mass, compiler.boundmass);
  for (int k = 0; k < 3; ++k) i[k] = std::max(i[k], compiler.boundinertia);
  if (body.mass < 0 || i.x < 0 || i.y < 0 || i.z < 0) {
    context.report.error(where, body.mass < 0 ? "mass" : "diaginertia", "must not be negative");
    return;
  }
  if (i.x + i.y < i.z || i.x + i.z < i.y || i.y + i.z < i.x) {
    if (compiler.balanceinertia) {
      const double mean = (i.x + i.y + i.z) / 3;
      i = {mean, mean, mean};
    } else {
      context.report.error(where, "diaginertia", "violates A + B >= C, which every physical body satisfies",
                           "the compiler's balanceinertia replaces the moments by their mean");
    }
  }
}

}  // namespace

void compile_mass(Context& context, BodyNode& body, const Pose& own) {
  if (body.is_world()) return;
  const bool use_geoms = from_geoms(context, body);
  if (body.in->inertial) compile_inertial(context, body);
  if (use_geoms) {
    for (GeomNode& geom : body.geoms)
      if (in_group_range(context, body, geom)) compile_geom_mass(context, geom);
  }
  const bool computed = use_geoms && !context.report.failed() && inertia_from_geoms(context, body);
  if (!computed && !body.in->inertial) body.inertial = own;
  bound_and_check(context, body);
}

void absorb_mass(BodyNode& body, const BodyNode& child, const Pose& child_pose) {
  combine(body,
          {{body.mass, body.inertia, body.inertial}, {child.mass, child.inertia, compose(child_pose, child.inertial)}});
}

void check_moving_bodies(Context& context) {
  // children before parents: a body may take inertia from a child that is welded to it
  const auto heavy = [](const BodyNode& body) {
    return body.mass >= kMinVal && body.inertia.x >= kMinVal && body.inertia.y >= kMinVal && body.inertia.z >= kMinVal;
  };
  std::vector<bool> has_inertia(context.tree.bodies.size());
  for (std::size_t i = context.tree.bodies.size(); i-- > 1;) {
    const BodyNode& body = *context.tree.bodies[i];
    if (heavy(body)) has_inertia[i] = true;
    if (has_inertia[i] && body.joints.empty()) has_inertia[body.parent->id] = true;
    if (has_inertia[i] || body.joints.empty()) continue;
    context.report.error(place("body", *body.in), "", "can move, but has no mass or inertia",
                         "give it geoms with mass, or an inertial element");
  }
}

}  // namespace sinew::compiling
