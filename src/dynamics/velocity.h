#pragma once

#include "sinew/data.h"

namespace sinew {

/// Body velocities and rates of the motion axes, root to leaf, all at the tree's centre of mass (held fixed in space).
/// reads   Model: body_parentid, body_jnt*, jnt_type, jnt_dofadr      Data: qvel, cdof
/// writes  Data: cvel, cdof_dot          needs  com_position
/// cvel = cvel_parent + Σ cdof q̇;  cdof_dot = v ×m cdof with v the velocity before the joint moves: all three axes of
/// a ball joint see the same v, the translations of a free joint have rate 0 and its rotations see them.
template <class Real>
void com_velocity(const Model& m, BasicData<Real>& d);

/// ten_velocity = ten_J q̇.
/// reads   Model: ten_J_*      Data: qvel, ten_J          writes  Data: ten_velocity          needs  tendon_paths
template <class Real>
void tendon_velocity(const Model& m, BasicData<Real>& d);

/// actuator_velocity = moment q̇, by output; zero where actuation is disabled.
/// reads   Data: qvel, actuator_moment, moment_*          writes  Data: actuator_velocity          needs  transmission
template <class Real>
void actuator_velocity(const Model& m, BasicData<Real>& d);

}  // namespace sinew
