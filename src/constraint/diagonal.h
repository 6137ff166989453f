#pragma once

#include "sinew/data.h"

namespace sinew {

/// The diagonal of J M⁻¹ Jᵀ as the model's inverse weights approximate it, one number for each row; of a contact only
/// the first.
void approximate_diagonal(const Model& m, const Data& d, double* diagonal);

/// The same exactly, of every row: Σ (D^-½ L⁻ᵀ Jᵀ)².
void exact_diagonal(const Model& m, Data& d, double* diagonal);

}  // namespace sinew
