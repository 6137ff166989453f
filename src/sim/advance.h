#pragma once

#include "sinew/data.h"

namespace sinew {

/// The last part of every step of length h = opt.timestep, with the rates from an integrator: samples into the delay
/// buffers, activations, qvel += h qacc, qpos moved with qvel (null: the new d.qvel), time += h, qacc_warmstart =
/// d.qacc. With sleep enabled, trees at rest fall asleep first; then the velocity and acceleration levels and their
/// sensors are recomputed without them.
/// Reads: time, qpos, qvel, qacc, tree_awake, as record_controls, as record_sensors, as advance_activations, as
/// fall_asleep, as velocity, as sensors(Stage::Vel), as acceleration, as sensors(Stage::Acc).
/// Writes: time, qpos, qvel, qacc_warmstart, plugin_state, as record_controls, as record_sensors, as
/// advance_activations, as fall_asleep, as velocity, as sensors(Stage::Vel), as acceleration, as sensors(Stage::Acc),
/// as update_awake.
void advance(const Model& m, Data& d, const double* act_dot, const double* qacc, const double* qvel = nullptr);

}  // namespace sinew
