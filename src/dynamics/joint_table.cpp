#include "dynamics/joint_table.h"

#include "math/dual.h"

namespace sinew {

template <class Real>
void integrate_position(const Model& m, Real* qpos, const Real* qvel, double h) {
  for (int j = 0; j < m.njnt; ++j)
    visit_joint(joint_type(m, j),
                [&](auto kind) { kind.integrate(qpos + m.jnt_qposadr[j], qvel + m.jnt_dofadr[j], h); });
}

template <class Real>
void difference_position(const Model& m, Real* qvel, double h, const Real* qpos1, const Real* qpos2) {
  for (int j = 0; j < m.njnt; ++j) {
    const int adr = m.jnt_qposadr[j];
    visit_joint(joint_type(m, j),
                [&](auto kind) { kind.difference(qvel + m.jnt_dofadr[j], qpos1 + adr, qpos2 + adr, h); });
  }
}

template void integrate_position(const Model&, double*, const double*, double);
template void difference_position(const Model&, double*, double, const double*, const double*);

template void integrate_position(const Model&, Dual4*, const Dual4*, double);
template void difference_position(const Model&, Dual4*, double, const Dual4*, const Dual4*);

}  // namespace sinew
