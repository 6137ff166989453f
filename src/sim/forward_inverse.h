#pragma once

#include "sinew/data.h"

namespace sinew {

/// Option flag fwdinv: how far the forward pass in d and its inverse are apart, as norms of the constraint force and of
/// the applied force. Leaves the forward results as they are, except qfrc_inverse.
/// Reads: nefc, qacc, qfrc_applied, qfrc_actuator, xfrc_applied, xipos, subtree_com, cdof, M, qfrc_bias, qfrc_passive,
/// as inverse_constraints.
/// Writes: solver_fwdinv, qfrc_inverse.
void compare_forward_inverse(const Model& m, Data& d);

}  // namespace sinew
