#pragma once

#include "sinew/data.h"

namespace sinew {

/// Constraint forces and the resulting acceleration, with the solver selected in the options. The first call with more
/// islands allocates.
/// Reads: qacc_smooth, qfrc_smooth, qacc_warmstart, M, qLD, qLDiagInv, ne, nf, nefc, nisland, nidof, efc_type, efc_id,
/// efc_J*, efc_frictionloss, efc_D, efc_R, efc_aref, island_*, map_*, dof_island, ncon, contact.friction, contact.mu,
/// contact.dim, efm_active, nefmdof, efm_*, contact.exclude.
/// Writes: qacc, qfrc_constraint, efc_force, efc_state, efc_b, solver_niter, solver.*.
void solve_constraints(const Model& m, Data& d);

/// The analytic inverse: the constraint forces at a given acceleration.
/// Reads: ne, nf, nefc, nisland, efc_type, efc_id, efc_J*, efc_frictionloss, efc_D, efc_R, efc_aref, dof_island, ncon,
/// contact.friction, contact.mu, contact.dim, contact.exclude, efm_active, nefmdof, efm_dofid, efm_K_rownnz,
/// efm_K_rowadr, efm_K_colind. Writes: efc_force, efc_state, qfrc_constraint.
void inverse_constraints(const Model& m, Data& d, const double* qacc);

}  // namespace sinew
