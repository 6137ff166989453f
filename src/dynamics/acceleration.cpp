#include "dynamics/acceleration.h"

#include <algorithm>

#include "base/arena.h"
#include "dynamics/inertia.h"
#include "dynamics/jacobian.h"
#include "math/dual.h"

namespace sinew {

template <class Real>
void add_applied_body_forces(const Model& m, const BasicData<Real>& d, Real* qfrc) {
  for (int b = 1; b < m.nbody; ++b) {
    const Real* xfrc = &d.xfrc_applied[6 * b];
    const bool applied = std::any_of(xfrc, xfrc + 6, [](const Real& x) { return x != Real(0); });
    if (!applied) continue;
    apply_force(m, d, Vec3<Real>::load(xfrc), Vec3<Real>::load(xfrc + 3), Vec3<Real>::load(&d.xipos[3 * b]), b, qfrc);
  }
}

template <class Real>
void smooth_acceleration(const Model& m, BasicData<Real>& d) {
  Scratch scratch(d.scratch());
  Real* kept = m.opt.enabled(kEnableSleep) ? scratch.take<Real>(2 * m.nv) : nullptr;
  if (kept) std::ranges::copy(d.qacc_smooth, std::ranges::copy(d.qfrc_smooth, kept).out);
  for (int i = 0; i < m.nv; ++i)
    d.qfrc_smooth[i] = d.qfrc_passive[i] - d.qfrc_bias[i] + d.qfrc_applied[i] + d.qfrc_actuator[i];
  add_applied_body_forces(m, d, d.qfrc_smooth.data());
  std::ranges::copy(d.qfrc_smooth, d.qacc_smooth.begin());
  solve_inertia(m, d, d.qacc_smooth.data());
  if (!kept) return;
  // what sleeps keeps the forces and accelerations of the moment it fell asleep
  for (int i = 0; i < m.nv; ++i) {
    if (d.tree_awake[m.dof_treeid[i]]) continue;
    d.qfrc_smooth[i] = kept[i];
    d.qacc_smooth[i] = kept[m.nv + i];
  }
}

template void add_applied_body_forces<double>(const Model&, const Data&, double*);
template void smooth_acceleration<double>(const Model&, Data&);

template void add_applied_body_forces<Dual4>(const Model&, const BasicData<Dual4>&, Dual4*);
template void smooth_acceleration<Dual4>(const Model&, BasicData<Dual4>&);

}  // namespace sinew
