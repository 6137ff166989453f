#pragma once

#include "sinew/data.h"

namespace sinew {

/// As the model's integrator (not RK4), with the factor of its matrix that an earlier step left in d: what MuJoCo's
/// finite differences do where only the forces were perturbed.
void integrate_with_kept_factor(const Model& m, Data& d);

}  // namespace sinew
