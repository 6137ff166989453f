#pragma once

#include "dynamics/awake.h"
#include "math/spatial.h"
#include "sinew/data.h"

// The two halves of the recursive Newton-Euler pass that bias_forces and body_accelerations share.

namespace sinew::detail {

/// The force that moves one body as d.cvel and `a` say: I a + v ×f (I v).
template <class Real>
SINEW_INLINE Force<Real> inertial_force(const BasicData<Real>& d, int body, const Motion<Real>& a) {
  const Real* inertia = &d.cinert[10 * body];
  const Motion<Real> v = Motion<Real>::load(&d.cvel[6 * body]);
  return mul_inertia(inertia, a) + cross_force(v, mul_inertia(inertia, v));
}

/// Root to leaf: cacc of every body that is awake, a_parent + Σ cdof_dot q̇ (+ Σ cdof q̈ where qacc is not null) from
/// a_world = -gravity, and visit(body, acceleration).
template <class Real, class Visit>
SINEW_INLINE void accelerate_bodies(const Model& m, const BasicData<Real>& d, const Awake& awake, const Real* qacc,
                                    Real* cacc, Visit&& visit) {
  Motion<Real> world{};
  if (!m.opt.disabled(kDisableGravity)) world.v = -Vec3<Real>::load(m.opt.gravity.data());
  world.store(cacc);
  for (int body = 1; body < m.nbody; ++body) {
    if (!awake.body(body)) continue;
    Motion<Real> a = Motion<Real>::load(cacc + 6 * m.body_parentid[body]);
    const int end = m.body_dofadr[body] + m.body_dofnum[body];
    for (int dof = m.body_dofadr[body]; dof < end; ++dof) a += Motion<Real>::load(&d.cdof_dot[6 * dof]) * d.qvel[dof];
    if (qacc) {
      for (int dof = m.body_dofadr[body]; dof < end; ++dof) a += Motion<Real>::load(&d.cdof[6 * dof]) * qacc[dof];
    }
    a.store(cacc + 6 * body);
    visit(body, a);
  }
}

}  // namespace sinew::detail
