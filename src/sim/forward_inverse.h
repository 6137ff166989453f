#pragma once

#include "sinew/data.h"

namespace sinew {

/// Option flag fwdinv: how far the forward pass in d and its inverse are apart, as norms of the constraint force and of
/// the applied force. Leaves the forward results as they are, except qfrc_inverse.
/// With invdiscrete the implicit integrators compute qDeriv again.
/// Reads: nefc, qvel, qacc, qfrc_applied, qfrc_actuator, qfrc_constraint, xfrc_applied, xipos, subtree_com, cdof, M,
/// qLD, qLDiagInv, qfrc_bias, qfrc_passive, as inverse_constraints, as velocity_derivative, as
/// free_body_bias_derivative.
/// Writes: solver_fwdinv, qfrc_inverse, qDeriv.
void compare_forward_inverse(const Model& m, Data& d);

}  // namespace sinew
