#pragma once

#include "dynamics/joint_table.h"
#include "sinew/data.h"

namespace sinew {

/// qpos of the joint that dof `dof` belongs to, moved by `amount` along this dof: scalars by addition, quaternions by a
/// rotation in the frame of the body.
inline void perturb_position(const Model& m, Data& d, int dof, double amount) {
  const int jnt = m.dof_jntid[dof];
  double direction[6] = {};
  direction[dof - m.jnt_dofadr[jnt]] = 1;
  visit_joint(joint_type(m, jnt), [&](auto kind) { kind.integrate(&d.qpos[m.jnt_qposadr[jnt]], direction, amount); });
}

}  // namespace sinew
