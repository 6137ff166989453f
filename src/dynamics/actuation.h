#pragma once

#include "sinew/data.h"

namespace sinew {

/// Actuation: activation rates and forces of all actuators, and what they do in joint space.
/// Controls are read through their delays, clamped to ctrlrange (the user's ctrl stays as it is), and all zero where
/// one is bad. Forces pass the limits of tendon, actuator and joint, in this order; joints with actuatorgravcomp get
/// their gravity compensation before their limit. Where actuation is disabled forces are zero and act_dot stays.
/// Reads: time, ctrl, act, history, actuator_length, actuator_velocity, actuator_moment, moment_*, qfrc_gravcomp,
/// body_awake, warning.
/// Writes: act_dot, actuator_force, qfrc_actuator, warning.
template <class Real>
void actuation(const Model& m, BasicData<Real>& d);

/// Activations after one timestep with the rates act_dot (na numbers), and the projections at the end of a step:
/// setpoints that repeat are brought near the length, rotation vectors to an angle below π. Nothing where actuation is
/// disabled; actuators of disabled groups go on with rate 0.
/// Reads: act, actuator_length, actuator_velocity. Writes: act.
template <class Real>
void advance_activations(const Model& m, BasicData<Real>& d, const Real* act_dot);

}  // namespace sinew
