#pragma once

#include <vector>

#include "base/budget.h"
#include "sinew/error.h"
#include "sinew/model.h"

namespace sinew {

/// actuator_lengthrange of the actuators selected by m.lropt.mode: kept, taken from a limit, or found by pulling the
/// actuator to both limits in a simulation.
///
/// The model's options are used as they are. The compiler uses compute_length_ranges_at_compile instead: there the
/// timestep is lropt's, and frictionloss, contacts, springs, dampers, gravity and actuation are off, everything else
/// on. One problem for each actuator whose range does not settle, or one for <lengthrange> if the options require more
/// steps than limits.h allows; the model is then unchanged.
///
/// Throws Interrupted if the budget requires it; the model is then unusable.
std::vector<Problem> compute_length_ranges(Model& m, Budget* budget = nullptr);
std::vector<Problem> compute_length_ranges_at_compile(Model& m, Budget* budget = nullptr);

}  // namespace sinew
