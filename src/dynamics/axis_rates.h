#pragma once

#include "math/spatial.h"
#include "model/joint_kinds.h"

namespace sinew {

/// Contribution of the axis rates of a body's ball joint beyond cdof_dot, times qvel: the velocity r of the later
/// joints of the same body rotates its axes, which gives r x w with the ball's own velocity w (for w itself, w x w =
/// 0). `moved(i)` is cdof qvel of dof i.
template <class Real, class Moved>
Motion<Real> axis_rates_beyond(const Model& m, int body, Moved&& moved) {
  const int first = m.body_jntadr[body], count = m.body_jntnum[body];
  Motion<Real> sum, behind;
  for (int jnt = first + count - 1; count > 1 && jnt >= first; --jnt) {
    Motion<Real> own;
    const JointKind& kind = joint_kind(m, jnt);
    const int dof = m.jnt_dofadr[jnt];
    for (int i = dof; i < dof + kind.nv; ++i) own += moved(i);
    if (kind.is_ball()) sum += cross_motion(behind, own);
    behind += own;
  }
  return sum;
}

}  // namespace sinew
