#pragma once

#include "derivative/state.h"

namespace sinew {

/// s.residual = ∂G/∂x at the acceleration s.acc, and s.integrator; needs begin_integrator and the rows at s.acc.
void residual_columns(const Model& m, Data& d, DerivativeState& s);

/// da/dx of the acceleration that forward has computed in d, and everything integrators and sensors need as well.
void differentiate_acceleration(const Model& m, Data& d, DerivativeState& s);

/// X := H⁻¹ X with the H of the last differentiate_acceleration.
void solve_acceleration(const Model& m, const Data& d, const DerivativeState& s, Matrix& X);

}  // namespace sinew
