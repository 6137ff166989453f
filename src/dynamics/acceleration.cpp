#include "dynamics/acceleration.h"

#include <span>

#include "dynamics/all_zero.h"
#include "dynamics/awake.h"
#include "dynamics/flex_metric.h"
#include "dynamics/inertia.h"
#include "dynamics/jacobian.h"
#include "math/dual.h"

namespace sinew {

template <class Real>
void add_applied_body_forces(const Model& m, const BasicData<Real>& d, Real* qfrc) {
  if (all_zero(std::span<const Real>(d.xfrc_applied))) return;
  for (int b = 1; b < m.nbody; ++b) {
    const Real* xfrc = &d.xfrc_applied[6 * b];
    if (all_zero(std::span(xfrc, 6))) continue;
    apply_force(m, d, Vec3<Real>::load(xfrc), Vec3<Real>::load(xfrc + 3), Vec3<Real>::load(&d.xipos[3 * b]), b, qfrc);
  }
}

template <class Real>
void smooth_acceleration(const Model& m, BasicData<Real>& d) {
  // sleeping bodies keep the forces and accelerations they fell asleep with; xfrc_applied would have woken them
  const Awake awake(m, d);
  for (int i = 0; i < m.nv; ++i)
    if (awake.dof(i)) d.qfrc_smooth[i] = d.qfrc_passive[i] - d.qfrc_bias[i] + d.qfrc_applied[i] + d.qfrc_actuator[i];
  add_applied_body_forces(m, d, d.qfrc_smooth.data());
  if constexpr (std::is_same_v<Real, double>) {
    if (m.nflex > 0 && d.efm_active) {
      for (int i = 0; i < m.nv; ++i) d.qacc_smooth[i] = d.qfrc_smooth[i] + d.efm_c[i];
      return solve_flex_metric(m, d, d.qacc_smooth.data());
    }
  }
  for (int i = 0; i < m.nv; ++i)
    if (awake.dof(i)) d.qacc_smooth[i] = d.qfrc_smooth[i];
  solve_awake_inertia(m, d, d.qacc_smooth.data());
}

template void add_applied_body_forces<double>(const Model&, const Data&, double*);
template void smooth_acceleration<double>(const Model&, Data&);

template void add_applied_body_forces<Dual4>(const Model&, const BasicData<Dual4>&, Dual4*);
template void smooth_acceleration<Dual4>(const Model&, BasicData<Dual4>&);

}  // namespace sinew
