#pragma once

#include "dynamics/joint_table.h"
#include "sinew/data.h"

namespace sinew {

/// Moves qpos of the joint of `dof` by `amount` along this dof: scalars by addition, quaternions by a rotation in the
/// body frame.
inline void perturb_position(const Model& m, Data& d, int dof, double amount) {
  const int jnt = m.dof_jntid[dof];
  double direction[6] = {};
  direction[dof - m.jnt_dofadr[jnt]] = 1;
  visit_joint(joint_type(m, jnt), [&](auto kind) { kind.integrate(&d.qpos[m.jnt_qposadr[jnt]], direction, amount); });
}

}  // namespace sinew
