#include "dynamics/velocity.h"

#include <algorithm>

#include "math/spatial.h"

namespace sinew {
namespace {

/// Σ axis_k q̇_k over n dofs.
template <class Real>
Motion<Real> combine(const Real* axes, const Real* qvel, int n) {
  Motion<Real> sum = Motion<Real>::load(axes) * qvel[0];
  for (int k = 1; k < n; ++k) sum += Motion<Real>::load(axes + 6 * k) * qvel[k];
  return sum;
}

/// Axis rates of n dofs that see the same velocity v, and v after they moved.
template <class Real>
void pass_axes(BasicData<Real>& d, int dof, int n, Motion<Real>& v) {
  for (int k = dof; k < dof + n; ++k)
    cross_motion(v, Motion<Real>::load(&d.cdof[6 * k])).store(&d.cdof_dot[6 * k]);
  v += combine(&d.cdof[6 * dof], &d.qvel[dof], n);
}

}  // namespace

template <class Real>
void com_velocity(const Model& m, BasicData<Real>& d) {
  std::fill_n(d.cvel.begin(), 6, Real(0));
  for (int body = 1; body < m.nbody; ++body) {
    Motion<Real> v = Motion<Real>::load(&d.cvel[6 * m.body_parentid[body]]);
    const int first = m.body_jntadr[body];
    for (int jnt = first; jnt < first + m.body_jntnum[body]; ++jnt) {
      const int dof = m.jnt_dofadr[jnt];
      switch (JointType(m.jnt_type[jnt])) {
        case JointType::Free:
          // world axes do not turn
          std::fill_n(d.cdof_dot.begin() + 6 * dof, 18, Real(0));
          v += combine(&d.cdof[6 * dof], &d.qvel[dof], 3);
          pass_axes(d, dof + 3, 3, v);
          break;
        case JointType::Ball:
          pass_axes(d, dof, 3, v);
          break;
        case JointType::Slide:
        case JointType::Hinge:
          pass_axes(d, dof, 1, v);
          break;
      }
    }
    v.store(&d.cvel[6 * body]);
  }
}

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

template void com_velocity(const Model&, BasicData<double>&);
template void tendon_velocity(const Model&, BasicData<double>&);
template void actuator_velocity(const Model&, BasicData<double>&);

}  // namespace sinew
