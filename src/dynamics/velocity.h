#pragma once

#include "sinew/data.h"

namespace sinew {

/// Body velocities and rates of the motion axes, root to leaf, all at the tree's center of mass (held fixed in space).
/// Reads: qvel, cdof, body_awake. Writes: cvel, cdof_dot.
/// cvel = cvel_parent + Σ cdof q̇;  cdof_dot = v ×m cdof with v the velocity before the joint moves: all three axes of
/// a ball joint use the same v; the translations of a free joint have rate 0, and its rotations use the velocity after
/// them.
template <class Real>
void com_velocity(const Model& m, BasicData<Real>& d);

/// ten_velocity = ten_J q̇.
/// Reads: qvel, ten_J. Writes: ten_velocity.
template <class Real>
void tendon_velocity(const Model& m, BasicData<Real>& d);

/// actuator_velocity = moment q̇, per output; zero if actuation is disabled.
/// Reads: qvel, actuator_moment, moment_*. Writes: actuator_velocity.
template <class Real>
void actuator_velocity(const Model& m, BasicData<Real>& d);

}  // namespace sinew
