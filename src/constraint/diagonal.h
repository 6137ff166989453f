#pragma once

#include "sinew/data.h"

namespace sinew {

/// The diagonal of J M⁻¹ Jᵀ approximated by the model's inverse weights, one value per row (contacts: first
/// row only).
void approximate_diagonal(const Model& m, const Data& d, double* diagonal);

/// The exact diagonal, for every row: Σ (D^-½ L⁻ᵀ Jᵀ)².
void exact_diagonal(const Model& m, Data& d, double* diagonal);

}  // namespace sinew
