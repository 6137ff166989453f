#include "dynamics/acceleration.h"

#include <algorithm>

#include "dynamics/awake.h"
#include "dynamics/inertia.h"
#include "dynamics/jacobian.h"
#include "math/dual.h"
#include "math/pack.h"

namespace sinew {
namespace {

template <class Real>
bool all_zero(const Real* x, int n) {
  return std::all_of(x, x + n, [](const Real& value) { return value == Real(0); });
}
/// External forces are zero for most bodies: compare four numbers at a time.
SINEW_KERNEL bool all_zero(const double* x, int n) {
  auto zero = Pack{} == Pack{};
  int i = 0;
  for (; i + 4 <= n; i += 4) zero &= load_pack(x + i) == 0;
  bool all = (zero[0] & zero[1] & zero[2] & zero[3]) != 0;
  for (; i < n; ++i) all = all && x[i] == 0;
  return all;
}

}  // namespace

template <class Real>
void add_applied_body_forces(const Model& m, const BasicData<Real>& d, Real* qfrc) {
  if (all_zero(d.xfrc_applied.data(), static_cast<int>(d.xfrc_applied.size()))) return;
  for (int b = 1; b < m.nbody; ++b) {
    const Real* xfrc = &d.xfrc_applied[6 * b];
    if (all_zero(xfrc, 6)) continue;
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
  for (int i = 0; i < m.nv; ++i)
    if (awake.dof(i)) d.qacc_smooth[i] = d.qfrc_smooth[i];
  solve_awake_inertia(m, d, d.qacc_smooth.data());
}

template void add_applied_body_forces<double>(const Model&, const Data&, double*);
template void smooth_acceleration<double>(const Model&, Data&);

template void add_applied_body_forces<Dual4>(const Model&, const BasicData<Dual4>&, Dual4*);
template void smooth_acceleration<Dual4>(const Model&, BasicData<Dual4>&);

}  // namespace sinew
