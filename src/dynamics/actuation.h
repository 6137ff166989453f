#pragma once

#include "sinew/data.h"

namespace sinew {

/// Actuation: activation rates and forces of all actuators, and the resulting joint forces. Controls are delayed,
/// clamped to ctrlrange (the user's ctrl is not modified), and all set to zero if one is bad. Forces pass the limits of
/// tendon, actuator and joint, in this order; joints with actuatorgravcomp get their gravity compensation before their
/// limit. If actuation is disabled, forces are zero and act_dot is unchanged.
/// Reads: time, ctrl, act, history, actuator_length, actuator_velocity, actuator_moment, moment_*, qfrc_gravcomp,
/// body_awake, warning.
/// Writes: act_dot, actuator_force, qfrc_actuator, warning.
template <class Real>
void actuation(const Model& m, BasicData<Real>& d);

/// Activations after one timestep with the rates act_dot (na numbers), and the projections at the end of a step:
/// periodic setpoints are wrapped close to the length, rotation vectors to an angle below π. Does nothing if actuation
/// is disabled; actuators of disabled groups are integrated with rate 0.
/// Reads: act, actuator_length, actuator_velocity. Writes: act.
template <class Real>
void advance_activations(const Model& m, BasicData<Real>& d, const Real* act_dot);

}  // namespace sinew
