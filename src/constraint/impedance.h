#pragma once

#include "sinew/data.h"

namespace sinew {

/// Impedance and its slope d imp / d pos at a residual, by the solimp curve.
struct Impedance {
  double value = 0;
  double slope = 0;
};
Impedance impedance(const double solimp[kNumImp], double pos, double margin);

/// The diagonal of J M⁻¹ Jᵀ as the model's inverse weights approximate it, one number for each row.
void approximate_diagonal(const Model& m, const Data& d, double* diagonal);

/// The same exactly: Σ (D^-½ L⁻ᵀ Jᵀ)².
void exact_diagonal(const Model& m, Data& d, double* diagonal);

/// Stiffness, damping, impedance and regularizer of every row, given that diagonal.
/// reads   Data: efc_type, efc_id, efc_pos, efc_margin, contact          writes  Data: efc_KBIP, efc_R, efc_D,
/// efc_diagA,
///         contact mu
void regularize_rows(const Model& m, Data& d, const double* diagonal);

}  // namespace sinew
