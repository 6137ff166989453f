#pragma once

#include "sinew/data.h"

namespace sinew {

/// The model's integrator (not RK4), reusing the factor that an earlier step left in d: MuJoCo's finite differences do
/// this if only forces were perturbed.
void integrate_with_kept_factor(const Model& m, Data& d);

}  // namespace sinew
