#pragma once

#include "sinew/data.h"

// The simulation of one world. None of these allocates after its first call with a Data, throws or takes a lock.

namespace sinew {

/// One step of opt.timestep: checks the state, computes forces and accelerations, integrates.
///
/// A number of qpos, qvel or qacc that is not finite or beyond kMaxVal is counted in data.warning with its index;
/// unless autoreset is disabled the world then starts again from its initial state.
void step(const Model& model, Data& data);

/// A step in two halves, with room for user code between them that reads positions, velocities and their sensors and
/// sets ctrl, qfrc_applied and xfrc_applied. RK4, which needs the controls of four stages, becomes Euler.
void step1(const Model& model, Data& data);
void step2(const Model& model, Data& data);

/// Everything that follows from state and inputs, up to qacc; changes neither.
void forward(const Model& model, Data& data);

/// As forward, without the levels up to `skip` (Stage::Pos: positions, Stage::Vel: positions and velocities), whose
/// results are in data already; without sensors where skip_sensors.
void forward_skip(const Model& model, Data& data, Stage skip, bool skip_sensors);

/// The generalized force qfrc_inverse that produces data.qacc in this state. With the flag invdiscrete, qacc is the
/// velocity change of a whole step, (v(t+h) - v(t)) / h, of the model's integrator; RK4 has no such inverse, and
/// qfrc_inverse becomes NaN.
void inverse(const Model& model, Data& data);

/// As inverse, without the levels up to `skip`.
void inverse_skip(const Model& model, Data& data, Stage skip, bool skip_sensors);

}  // namespace sinew
