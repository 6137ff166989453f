#pragma once

#include "sinew/data.h"

namespace sinew {

/// Stiffness, damping, impedance and regularizer of every row, given the diagonal of J M⁻¹ Jᵀ.
/// Reads: nefc, efc_type, efc_id, efc_J_rowsuper, efc_pos, efc_margin, contact.friction, contact.solref,
/// contact.solreffriction, contact.solimp, contact.dim.
/// Writes: efc_KBIP, efc_R, efc_D, efc_diagA, contact.mu.
void regularize_rows(const Model& m, Data& d, const double* diagonal);

}  // namespace sinew
