#include "dynamics/fluid.h"

#include <algorithm>
#include <cmath>

#include "dynamics/awake.h"
#include "geometry/shape_table.h"
#include "math/dual.h"

namespace sinew {

Vec3<double> inertia_box(const Model& m, int body) {
  const double* I = &m.body_inertia[3 * body];
  const auto edge = [&](double moment) { return std::sqrt(std::max(kMinVal, moment) / m.body_mass[body] * 6); };
  return {edge(I[1] + I[2] - I[0]), edge(I[0] + I[2] - I[1]), edge(I[0] + I[1] - I[2])};
}

FluidEllipsoid::FluidEllipsoid(const Model& m, int geom) {
  const double* size = &m.geom_size[3 * geom];
  r = shape_kind(static_cast<GeomType>(m.geom_type[geom])).fluid_semiaxes({size[0], size[1], size[2]});
  const double* fluid = &m.geom_fluid[kNumFluid * geom];
  blunt = fluid[1];
  slender = fluid[2];
  angular = fluid[3];
  kutta = fluid[4];
  magnus = fluid[5];
  virtual_mass = Vec3<double>::load(fluid + 6);
  virtual_inertia = Vec3<double>::load(fluid + 9);
}

double FluidEllipsoid::longest() const { return std::max({r.x, r.y, r.z}); }

double FluidEllipsoid::middle() const { return r.x + r.y + r.z - longest() - std::min({r.x, r.y, r.z}); }

namespace {

double moment_of(double axis, double lever) { return 8.0 / 15.0 * kPi * axis * (lever * lever) * (lever * lever); }

/// Component-wise product of a and b.
template <class Real>
Vec3<Real> scaled(const Vec3<double>& a, const Vec3<Real>& b) {
  return {Real(a.x) * b.x, Real(a.y) * b.y, Real(a.z) * b.z};
}

}  // namespace

double FluidEllipsoid::max_moment() const { return moment_of(middle(), longest()); }

Vec3<double> FluidEllipsoid::axis_moments() const {
  return {moment_of(r.x, std::max(r.y, r.z)), moment_of(r.y, std::max(r.z, r.x)), moment_of(r.z, std::max(r.x, r.y))};
}

Vec3<double> FluidEllipsoid::projection_weights() const {
  const auto square = [](double x) { return x * x; };
  return {square(r.y * r.z), square(r.z * r.x), square(r.x * r.y)};
}

template <class Real>
Motion<Real> velocity_in_fluid(const Model& m, const BasicData<Real>& d, const FramePose<Real>& frame) {
  Motion<Real> v = object_velocity(m, d, frame, true);
  v.v -= mul_transposed(frame.mat, Vec3<Real>::load(m.opt.wind.data()));
  return v;
}

namespace {

/// Drag on the inertia box: Stokes drag of a sphere with the mean edge as diameter, and quadratic drag per face.
template <class Real>
Force<Real> box_force(const Model& m, int body, const Motion<Real>& v) {
  using std::abs;
  const Vec3<double> box = inertia_box(m, body);
  Force<Real> force{};
  if (m.opt.viscosity > 0) {
    const double diameter = (box.x + box.y + box.z) / 3;
    force.t = v.w * Real(-kPi * diameter * diameter * diameter * m.opt.viscosity);
    force.f = v.v * Real(-3 * kPi * diameter * m.opt.viscosity);
  }
  if (m.opt.density > 0) {
    for (int k = 0; k < 3; ++k) {
      const double bk = box[k], bi = box[(k + 1) % 3], bj = box[(k + 2) % 3];
      const double face = 0.5 * m.opt.density * bi * bj;
      const double spin = m.opt.density * bk * (bi * bi * bi * bi + bj * bj * bj * bj) / 64;
      force.f[k] -= Real(face) * abs(v.v[k]) * v.v[k];
      force.t[k] -= Real(spin) * abs(v.w[k]) * v.w[k];
    }
  }
  return force;
}

/// Added mass (the part that depends on velocity), Magnus and Kutta lift, viscous and quadratic drag.
template <class Real>
Force<Real> ellipsoid_force(const Model& m, const FluidEllipsoid& e, const Motion<Real>& v) {
  using std::sqrt;
  const double density = m.opt.density, viscosity = m.opt.viscosity;
  const Vec3<Real>&w = v.w, u = v.v;

  const Vec3<Real> p = scaled(e.virtual_mass, u) * Real(density), L = scaled(e.virtual_inertia, w) * Real(density);
  Force<Real> force = {cross(p, u) + cross(L, w), cross(p, w)};

  force.f += cross(w, u) * Real(e.magnus * density * e.volume());

  // the ellipsoid's cross section perpendicular to u has area A; its normal makes the angle α with u
  const Vec3<double> a = e.projection_weights();
  const Vec3<Real> au = scaled(a, u);
  const Real den = dot(au, au), num = dot(au, u), speed = norm(u);
  const Real area = Real(kPi) * sqrt(den / maximum(Real(kMinVal), num));
  const Real cos_alpha = num / maximum(Real(kMinVal), speed * den);
  force.f += cross(cross(au, u) * (Real(e.kutta * density) * cos_alpha * area), u);

  const double D = e.equivalent_diameter();
  const Real drag = Real(3 * kPi * D * viscosity) +
                    Real(density) * speed * (area * Real(e.blunt) + Real(e.slender) * (Real(e.max_area()) - area));
  force.f -= u * drag;

  const Vec3<double> J = e.axis_moments();
  Vec3<Real> moment;
  for (int k = 0; k < 3; ++k) moment[k] = w[k] * Real(e.angular * J[k] + e.slender * (e.max_moment() - J[k]));
  force.t -= w * (Real(kPi * D * D * D * viscosity) + Real(density) * norm(moment));
  return force;
}

}  // namespace

template <class Real>
void fluid_forces(const Model& m, BasicData<Real>& d) {
  const Awake awake(m, d);
  const auto apply = [&](const FramePose<Real>& frame, const Force<Real>& local) {
    apply_force<Real>(m, d, frame.mat * local.f, frame.mat * local.t, frame.pos, frame.body, d.qfrc_fluid.data());
  };
  visit_fluid_shapes(
      m,
      [&](int body) {
        if (!awake.body(body)) return;
        const FramePose<Real> frame = frame_pose(m, d, ObjType::Body, body);
        apply(frame, box_force(m, body, velocity_in_fluid(m, d, frame)));
      },
      [&](int geom) {
        if (!awake.body(m.geom_bodyid[geom])) return;
        const FramePose<Real> frame = frame_pose(m, d, ObjType::Geom, geom);
        apply(frame, ellipsoid_force(m, FluidEllipsoid(m, geom), velocity_in_fluid(m, d, frame)));
      });
}

template Motion<double> velocity_in_fluid(const Model&, const BasicData<double>&, const FramePose<double>&);
template void fluid_forces(const Model&, BasicData<double>&);

template Motion<Dual4> velocity_in_fluid(const Model&, const BasicData<Dual4>&, const FramePose<Dual4>&);
template void fluid_forces(const Model&, BasicData<Dual4>&);

}  // namespace sinew
