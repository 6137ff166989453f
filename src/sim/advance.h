#pragma once

#include "sinew/data.h"

namespace sinew {

/// The last part of every step of length h = opt.timestep, with the rates that an integrator found:
/// samples into the delay buffers, activations, qvel += h qacc, qpos moved with qvel (null: the new d.qvel), time += h,
/// qacc_warmstart = d.qacc.
void advance(const Model& m, Data& d, const double* act_dot, const double* qacc, const double* qvel = nullptr);

}  // namespace sinew
