#pragma once

#include <vector>

#include "base/budget.h"
#include "sinew/error.h"
#include "sinew/model.h"

namespace sinew {

/// actuator_lengthrange of the actuators that m.lropt.mode selects: kept, taken from a limit, or found by pulling the
/// actuator to either end in a simulation.
///
/// The model's options are used as they are. Where the compiler calls it, use compute_length_ranges_at_compile: there
/// the timestep is lropt's, and frictionloss, contacts, springs, dampers, gravity and actuation are off, all else on.
/// One problem for each actuator whose range does not settle, or one of <lengthrange> where the options ask for more
/// steps than limits.h allows; the model is then unchanged.
///
/// Throws Interrupted where the budget says so; the model is then good for nothing.
std::vector<Problem> compute_length_ranges(Model& m, Budget* budget = nullptr);
std::vector<Problem> compute_length_ranges_at_compile(Model& m, Budget* budget = nullptr);

}  // namespace sinew
