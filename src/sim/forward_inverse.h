#pragma once

#include "sinew/data.h"

namespace sinew {

/// Option flag fwdinv: the difference between the forward pass in d and its inverse, as norms of the constraint force
/// and of the applied force. Preserves the forward results, except qfrc_inverse. With invdiscrete the implicit
/// integrators recompute qDeriv.
/// Reads: nefc, qvel, qacc, qfrc_applied, qfrc_actuator, qfrc_constraint, xfrc_applied, xipos, subtree_com, cdof, M,
/// qLD, qLDiagInv, qfrc_bias, qfrc_passive, efm_c, efm_K_val, as inverse_constraints, as velocity_derivative, as
/// free_body_bias_derivative.
/// Writes: solver_fwdinv, qfrc_inverse, qDeriv.
void compare_forward_inverse(const Model& m, Data& d);

}  // namespace sinew
