#pragma once

#include "sinew/data.h"

// The simulation of one world. None of these allocates after its first call with a Data, throws or takes a lock.
//
// Each returns whether it succeeded. It fails, changing nothing, if the model was edited since it was compiled or
// refreshed, if the Data was made for a model of other sizes, or if an option has an invalid value. Given a non-const
// model, they refresh it themselves if it was edited; then they may allocate.

namespace sinew {

/// One step of opt.timestep: checks the state, computes forces and accelerations, integrates.
///
/// A number of qpos, qvel or qacc that is not finite or beyond kMaxVal is counted in data.warning with its index;
/// unless autoreset is disabled the world is then reset to its initial state.
Status step(const Model& model, Data& data);
Status step(Model& model, Data& data);

/// A step in two halves; user code in between can read positions, velocities and their sensors and set ctrl,
/// qfrc_applied and xfrc_applied. RK4, which needs the controls of four stages, becomes Euler.
Status step1(const Model& model, Data& data);
Status step1(Model& model, Data& data);
Status step2(const Model& model, Data& data);
Status step2(Model& model, Data& data);

/// A step of any integrator split where forces and accelerations match the state: between the two calls, data is a
/// consistent snapshot. begin_step checks the state and runs forward, finish_step integrates; changes of state or
/// inputs in between do not affect the accelerations that finish_step uses.
Status begin_step(const Model& model, Data& data);
Status begin_step(Model& model, Data& data);
Status finish_step(const Model& model, Data& data);
Status finish_step(Model& model, Data& data);

/// Everything that follows from state and inputs, up to qacc; changes neither.
Status forward(const Model& model, Data& data);
Status forward(Model& model, Data& data);

/// As forward, without the levels up to `skip` (Stage::Pos: positions, Stage::Vel: positions and velocities), whose
/// results are already in data; skip_sensors omits the sensors.
Status forward_skip(const Model& model, Data& data, Stage skip, bool skip_sensors);
Status forward_skip(Model& model, Data& data, Stage skip, bool skip_sensors);

/// The generalized force qfrc_inverse that produces data.qacc in this state. With the flag invdiscrete, qacc is the
/// velocity change of a whole step, (v(t+h) - v(t)) / h, of the model's integrator; RK4 has no such inverse, and
/// qfrc_inverse is NaN.
Status inverse(const Model& model, Data& data);
Status inverse(Model& model, Data& data);

/// As inverse, without the levels up to `skip`.
Status inverse_skip(const Model& model, Data& data, Stage skip, bool skip_sensors);
Status inverse_skip(Model& model, Data& data, Stage skip, bool skip_sensors);

}  // namespace sinew
