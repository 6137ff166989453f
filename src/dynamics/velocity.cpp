#include "dynamics/velocity.h"

#include <algorithm>

#include "dynamics/awake.h"
#include "dynamics/joint_table.h"
#include "dynamics/stage_kernel.h"

namespace sinew {
namespace {

template <class Real>
SINEW_INLINE void move_bodies(const Model& m, BasicData<Real>& d) {
  std::fill_n(d.cvel.begin(), 6, Real(0));
  const Awake awake(m, d);
  for (int body = 1; body < m.nbody; ++body) {
    if (!awake.body(body)) continue;
    Motion<Real> v = Motion<Real>::load(&d.cvel[6 * m.body_parentid[body]]);
    const int first = m.body_jntadr[body];
    for (int jnt = first; jnt < first + m.body_jntnum[body]; ++jnt) {
      const int dof = m.jnt_dofadr[jnt];
      visit_joint(joint_type(m, jnt), [&](auto kind) {
        kind.axes_rate(&d.cdof_dot[6 * dof], v, static_cast<const Real*>(&d.cdof[6 * dof]),
                       static_cast<const Real*>(&d.qvel[dof]));
      });
    }
    v.store(&d.cvel[6 * body]);
  }
}

}  // namespace

SINEW_STAGE_WITH_KERNEL(com_velocity, move_bodies);

template <class Real>
void tendon_velocity(const Model& m, BasicData<Real>& d) {
  for (int t = 0; t < m.ntendon; ++t) {
    Real sum(0);
    const int end = m.ten_J_rowadr[t] + m.ten_J_rownnz[t];
    for (int k = m.ten_J_rowadr[t]; k < end; ++k) sum += d.ten_J[k] * d.qvel[m.ten_J_colind[k]];
    d.ten_velocity[t] = sum;
  }
}

template <class Real>
void actuator_velocity(const Model& m, BasicData<Real>& d) {
  const bool off = m.opt.disabled(kDisableActuation);
  for (int out = 0; out < m.nout; ++out) {
    Real sum(0);
    const int end = off ? 0 : d.moment_rowadr[out] + d.moment_rownnz[out];
    for (int k = d.moment_rowadr[out]; k < end; ++k) sum += d.actuator_moment[k] * d.qvel[d.moment_colind[k]];
    d.actuator_velocity[out] = sum;
  }
}

template void tendon_velocity(const Model&, BasicData<double>&);
template void actuator_velocity(const Model&, BasicData<double>&);

template void tendon_velocity(const Model&, BasicData<Dual4>&);
template void actuator_velocity(const Model&, BasicData<Dual4>&);

}  // namespace sinew
