#include "dynamics/bias.h"

#include <algorithm>

#include "base/arena.h"
#include "dynamics/awake.h"
#include "dynamics/jacobian.h"
#include "dynamics/newton_euler.h"
#include "dynamics/reflected.h"
#include "math/dual.h"
#include "math/pack.h"

namespace sinew {
namespace {

template <class Real>
Vec3<Real> point_velocity(const Model& m, const BasicData<Real>& d, int body, const Vec3<Real>& point) {
  if (last_dof(m, body) < 0) return {};
  const Vec3<Real> c = Vec3<Real>::load(&d.subtree_com[3 * m.body_rootid[body]]);
  return move_motion(Motion<Real>::load(&d.cvel[6 * body]), c, point).v;
}

/// J̇ q̇ of a point: its acceleration for q̈ = 0.
template <class Real>
Vec3<Real> point_bias_acceleration(const Model& m, BasicData<Real>& d, int body, const Vec3<Real>& point) {
  Scratch scratch(d.scratch());
  Real* jac_dot = scratch.take<Real>(std::size_t(3 * m.nv));
  jacobian_dot<Real>(m, d, jac_dot, nullptr, point, body);
  Vec3<Real> sum{};
  for (int i = 0; i < 3; ++i)
    for (int dof = last_dof(m, body); dof >= 0; dof = m.dof_parentid[dof])
      sum[i] += jac_dot[i * m.nv + dof] * d.qvel[dof];
  return sum;
}

/// J̇ q̇ of the straight line between two sites: u · Δa + u̇ · Δv.
template <class Real>
Real segment_bias(const Model& m, BasicData<Real>& d, int site0, int site1) {
  const int body0 = m.site_bodyid[site0], body1 = m.site_bodyid[site1];
  if (body0 == body1) return Real(0);
  const Vec3<Real> p0 = Vec3<Real>::load(&d.site_xpos[3 * site0]), p1 = Vec3<Real>::load(&d.site_xpos[3 * site1]);
  const Vec3<Real> dv = point_velocity(m, d, body1, p1) - point_velocity(m, d, body0, p0);
  Vec3<Real> u = p1 - p0;
  const Real length = normalize(u);
  const Vec3<Real> du = length > kMinVal ? (dv - u * dot(u, dv)) * (Real(1) / length) : Vec3<Real>{};
  const Vec3<Real> da = point_bias_acceleration(m, d, body1, p1) - point_bias_acceleration(m, d, body0, p0);
  return dot(u, da) + dot(du, dv);
}

/// J̇ q̇ of a tendon: zero for a fixed one. A tendon that wraps geoms has no armature of its own; of that of actuators
/// only the segments between two sites count, as in MuJoCo.
template <class Real>
Real tendon_bias_acceleration(const Model& m, BasicData<Real>& d, int tendon) {
  Real sum(0);
  double divisor = 1;
  const int first = m.tendon_adr[tendon], last = first + m.tendon_num[tendon] - 1;
  if (WrapType(m.wrap_type[first]) == WrapType::Joint) return sum;
  for (int j = first; j < last; ++j) {
    const WrapType here = WrapType(m.wrap_type[j]), next = WrapType(m.wrap_type[j + 1]);
    if (here == WrapType::Pulley) divisor = m.wrap_prm[j];
    if (here != WrapType::Site || next != WrapType::Site) continue;
    sum += segment_bias(m, d, m.wrap_objid[j], m.wrap_objid[j + 1]) / divisor;
  }
  return sum;
}

template <class Real>
SINEW_INLINE void newton_euler(const Model& m, BasicData<Real>& d, const Real* qacc, Real* result) {
  Scratch scratch(d.scratch());
  const auto n = std::size_t(6 * m.nbody);
  Real* cacc = scratch.take<Real>(n);
  Real* force = scratch.take<Real>(n);
  const Awake awake(m, d);
  const Real *cinert = d.cinert.data(), *cvel = d.cvel.data(), *cdof = d.cdof.data();
  detail::accelerate_bodies(m, d, awake, qacc, cacc, [&](int body) {
    detail::inertial_force(cinert + 10 * body, Motion<Real>::load(cvel + 6 * body), Motion<Real>::load(cacc + 6 * body))
        .store(force + 6 * body);
  });
  const int *parentid = m.body_parentid.data(), *dofadr = m.body_dofadr.data(), *dofnum = m.body_dofnum.data();
  for (int body = int(m.nbody) - 1; body > 0; --body) {
    if (!awake.body(body)) continue;
    const SpatialPack<Real> own(force + 6 * body);  // includes the forces of its descendants
    const int end = dofadr[body] + dofnum[body];
    for (int dof = dofadr[body]; dof < end; ++dof) result[dof] = own.dot(cdof + 6 * dof);
    if (const int parent = parentid[body]; parent > 0) own.add_to(force + 6 * parent);
  }
}
SINEW_FLAT_KERNEL void rne_kernel(const Model& m, Data& d, const double* qacc, double* result) {
  newton_euler(m, d, qacc, result);
}

}  // namespace

template <class Real>
void rne(const Model& m, BasicData<Real>& d, const Real* qacc, Real* result) {
  if constexpr (std::is_same_v<Real, double>)
    rne_kernel(m, d, qacc, result);
  else
    newton_euler(m, d, qacc, result);
}

template <class Real>
void add_tendon_bias(const Model& m, BasicData<Real>& d, Real* result) {
  const Awake awake(m, d);
  for (int tendon = 0; tendon < m.ntendon; ++tendon) {
    const double armature = total_tendon_armature(m, tendon);
    if (armature == 0) continue;
    const Real force = tendon_bias_acceleration(m, d, tendon) * Real(armature);
    if (force == Real(0)) continue;
    const int end = m.ten_J_rowadr[tendon] + m.ten_J_rownnz[tendon];
    for (int k = m.ten_J_rowadr[tendon]; k < end; ++k)
      if (awake.dof(m.ten_J_colind[k])) result[m.ten_J_colind[k]] += d.ten_J[k] * force;
  }
}

template <class Real>
void bias_forces(const Model& m, BasicData<Real>& d) {
  rne<Real>(m, d, nullptr, d.qfrc_bias.data());
  add_tendon_bias(m, d, d.qfrc_bias.data());
}

template void rne(const Model&, BasicData<double>&, const double*, double*);
template void add_tendon_bias(const Model&, BasicData<double>&, double*);
template void bias_forces(const Model&, BasicData<double>&);

template void rne(const Model&, BasicData<Dual4>&, const Dual4*, Dual4*);
template void add_tendon_bias(const Model&, BasicData<Dual4>&, Dual4*);
template void bias_forces(const Model&, BasicData<Dual4>&);

}  // namespace sinew
