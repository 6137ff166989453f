#pragma once

#include "sinew/model.h"

namespace sinew::compiling {

/// efm0_*: the factor Lᵀ L of M + (h² + h damping) K on the dofs of flexes that resist bending, with K that of bending,
/// which is constant. It solves implicit bending at once, so that conjugate gradients need one iteration. Needs dof_M0.
void factor_bending(Model& m);

}  // namespace sinew::compiling
