#pragma once

#include "dynamics/awake.h"
#include "math/spatial.h"
#include "math/spatial_pack.h"
#include "sinew/data.h"

// The two halves of the recursive Newton-Euler pass that bias_forces and body_accelerations share.

namespace sinew::detail {

/// Inertial force of one body with velocity v and acceleration a: I a + v ×f (I v). With I = (J, m r, m) that is
///   t = J α + w × J w + (m r) × u,   f = m u + α × (m r) + w × (w × (m r)),   u = a + w × v.
template <class Real>
SINEW_INLINE Force<Real> inertial_force(const Real* inertia, const Motion<Real>& v, const Motion<Real>& a) {
  const Real* J = inertia;
  const auto J_times = [J](const Vec3<Real>& x) -> Vec3<Real> {
    return {J[0] * x.x + J[3] * x.y + J[4] * x.z, J[3] * x.x + J[1] * x.y + J[5] * x.z,
            J[4] * x.x + J[5] * x.y + J[2] * x.z};
  };
  const Vec3<Real> mr = Vec3<Real>::load(inertia + 6);
  const Vec3<Real> u = a.v + cross(v.w, v.v);
  return {J_times(a.w) + cross(v.w, J_times(v.w)) + cross(mr, u),
          u * inertia[9] + cross(a.w, mr) + cross(v.w, cross(v.w, mr))};
}

/// Root to leaf: cacc of every awake body, a_parent + Σ cdof_dot q̇ (+ Σ cdof q̈ if qacc is not null) from a_world =
/// -gravity, and visit(body) once its own is computed.
template <class Real, class Visit>
SINEW_INLINE void accelerate_bodies(const Model& m, const BasicData<Real>& d, const Awake& awake, const Real* qacc,
                                    Real* cacc, Visit&& visit) {
  Motion<Real> world{};
  if (!m.opt.disabled(kDisableGravity)) world.v = -Vec3<Real>::load(m.opt.gravity.data());
  world.store(cacc);
  const int nbody = static_cast<int>(m.nbody);
  const int *parent = m.body_parentid.data(), *dofadr = m.body_dofadr.data(), *dofnum = m.body_dofnum.data();
  const Real *cdof = d.cdof.data(), *cdof_dot = d.cdof_dot.data(), *qvel = d.qvel.data();
  for (int body = 1; body < nbody; ++body) {
    if (!awake.body(body)) continue;
    SpatialPack<Real> a(cacc + 6 * parent[body]);
    const int end = dofadr[body] + dofnum[body];
    for (int dof = dofadr[body]; dof < end; ++dof) a.add_scaled(cdof_dot + 6 * dof, qvel[dof]);
    if (qacc) {
      for (int dof = dofadr[body]; dof < end; ++dof) a.add_scaled(cdof + 6 * dof, qacc[dof]);
    }
    a.store(cacc + 6 * body);
    visit(body);
  }
}

}  // namespace sinew::detail
