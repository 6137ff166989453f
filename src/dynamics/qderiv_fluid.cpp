#include <algorithm>
#include <cmath>

#include "dynamics/fluid.h"
#include "dynamics/qderiv.h"
#include "dynamics/qderiv_parts.h"
#include "math/dual.h"

namespace sinew::detail {
namespace {

/// Drag on the inertia box is diagonal in its frame.
template <class Real>
MotionToForce<Real> box_derivative(const Model& m, int body, const Motion<Real>& v) {
  using std::abs;
  const double density = m.opt.density, viscosity = m.opt.viscosity;
  const Vec3<double> box = inertia_box(m, body);
  const double diameter = (box.x + box.y + box.z) / 3;
  Vec3<Real> rotation, translation;
  for (int k = 0; k < 3; ++k) {
    const double bk = box[k], bi = box[(k + 1) % 3], bj = box[(k + 2) % 3];
    rotation[k] = Real(-kPi * diameter * diameter * diameter * viscosity) -
                  Real(density * bk * (bi * bi * bi * bi + bj * bj * bj * bj) / 32) * abs(v.w[k]);
    translation[k] = Real(-3 * kPi * diameter * viscosity) - Real(density * bi * bj) * abs(v.v[k]);
  }
  return {diagonal(rotation), {}, {}, diagonal(translation)};
}

/// p × w + …: with p = M u and L = I w (virtual mass and inertia, times density), [t; f] = [p×u + L×w; p×w].
template <class Real>
MotionToForce<Real> added_mass_derivative(const FluidEllipsoid& e, double density, const Motion<Real>& v) {
  const Mat3<Real> mass = diagonal(Vec3<Real>(e.virtual_mass)) * Real(density);
  const Mat3<Real> inertia = diagonal(Vec3<Real>(e.virtual_inertia)) * Real(density);
  const Mat3<Real> p = cross_matrix(mass * v.v), L = cross_matrix(inertia * v.w);
  const Mat3<Real> w = cross_matrix(v.w), u = cross_matrix(v.v);
  return {L - w * inertia, p - u * mass, p, w * mass * Real(-1)};
}

/// Derivative of Kutta lift and quadratic drag by u. With projection weights a, num = Σ a u², den = Σ a² u², n = |u|:
/// lift_i = -k' c_i num u_i with c_i = Σ_j u_j² (a_i - a_j), drag = -ρ n (C_b A + C_s (A_max - A)) u, A = π √(den/num).
template <class Real>
Mat3<Real> lift_and_drag_derivative(const FluidEllipsoid& e, double density, const Vec3<Real>& u) {
  using std::sqrt;
  const auto guarded = [](const Real& x) { return maximum(Real(kMinVal), x); };
  const Vec3<double> a = e.projection_weights();
  const Vec3<Real> au = {Real(a.x) * u.x, Real(a.y) * u.y, Real(a.z) * u.z};
  const Real num = dot(au, u), den = dot(au, au), n2 = dot(u, u), n = sqrt(n2);

  const Real lift = Real(kPi * e.kutta * density) / guarded(sqrt(den * num * n2));
  const Real area = Real(kPi) * sqrt(den / guarded(num));
  const Real drag = Real(density) * (area * Real(e.blunt) + Real(e.slender) * (Real(e.max_area()) - area));
  const Real area_slope = Real(density * (e.blunt - e.slender) * kPi) * n / guarded(sqrt(num * num * num * den));

  Mat3<Real> D;
  for (int i = 0; i < 3; ++i) {
    Real c(0);
    for (int j = 0; j < 3; ++j) c += u[j] * u[j] * Real(a[i] - a[j]);
    for (int j = 0; j < 3; ++j) {
      Real weighted(0);  // Σ_k a_k u_k² (a_j - a_k)
      for (int k = 0; k < 3; ++k) weighted += au[k] * u[k] * Real(a[j] - a[k]);
      const Real t = Real(a[j] * a[j]) * num / guarded(den) - Real(a[j]) + num / guarded(n2);
      D(i, j) = lift * (Real(2) * num * Real(a[j] - a[i]) + t * c) * u[i] * u[j];
      D(i, j) -= drag / guarded(n) * u[i] * u[j] + u[i] * area_slope * au[j] * weighted;
    }
    D(i, i) -= lift * c * num + drag / guarded(n) * n2;
  }
  return D;
}

template <class Real>
Mat3<Real> angular_drag_derivative(const FluidEllipsoid& e, double density, const Vec3<Real>& w) {
  const Vec3<double> J = e.axis_moments();
  Vec3<double> mu;
  Vec3<Real> moment, slope;
  for (int k = 0; k < 3; ++k) mu[k] = e.angular * J[k] + e.slender * (e.max_moment() - J[k]);
  for (int k = 0; k < 3; ++k) moment[k] = w[k] * Real(mu[k]);
  const Real scale = Real(-density) / maximum(Real(kMinVal), norm(moment));
  for (int k = 0; k < 3; ++k) slope[k] = scale * moment[k] * Real(mu[k]);
  return outer(w, slope) + Mat3<Real>::identity() * dot(w, slope);
}

template <class Real>
MotionToForce<Real> ellipsoid_derivative(const Model& m, const FluidEllipsoid& e, const Motion<Real>& v) {
  const double density = m.opt.density, D = e.equivalent_diameter();
  MotionToForce<Real> B = added_mass_derivative(e, density, v);
  const Real magnus = Real(e.magnus * density * e.volume());
  B.fw += cross_matrix(v.v) * -magnus;
  B.fv += cross_matrix(v.w) * magnus;
  B.fv += lift_and_drag_derivative(e, density, v.v);
  B.fv += Mat3<Real>::identity() * Real(-3 * kPi * D * m.opt.viscosity);
  B.tw += angular_drag_derivative(e, density, v.w);
  B.tw += Mat3<Real>::identity() * Real(-kPi * D * D * D * m.opt.viscosity);
  return B;
}

}  // namespace

template <class Real>
void add_fluid_coupling(const Model& m, const BasicData<Real>& d, bool symmetrize, MotionToForce<Real>* coupling) {
  const auto add = [&](const FramePose<Real>& frame, const MotionToForce<Real>& local) {
    const Vec3<Real> c = Vec3<Real>::load(&d.subtree_com[3 * m.body_rootid[frame.body]]);
    coupling[frame.body] += moved(rotated(local, frame.mat), frame.pos, c);
  };
  visit_fluid_shapes(
      m,
      [&](int body) {
        const FramePose<Real> frame = frame_pose(m, d, ObjType::Body, body);
        add(frame, box_derivative(m, body, velocity_in_fluid(m, d, frame)));
      },
      [&](int geom) {
        const FramePose<Real> frame = frame_pose(m, d, ObjType::Geom, geom);
        const auto B = ellipsoid_derivative(m, FluidEllipsoid(m, geom), velocity_in_fluid(m, d, frame));
        add(frame, symmetrize && !is_standalone_free_body(m, frame.body) ? symmetrized(B) : B);
      });
}

template void add_fluid_coupling(const Model&, const BasicData<double>&, bool, MotionToForce<double>*);
template void add_fluid_coupling(const Model&, const BasicData<Dual4>&, bool, MotionToForce<Dual4>*);

}  // namespace sinew::detail
