#pragma once

#include "sinew/data.h"

namespace sinew {

/// Constraint forces and the acceleration that they produce, with the solver that the options name.
/// The first call with more islands allocates.
/// Reads: qacc_smooth, qfrc_smooth, qacc_warmstart, M, qLD, efc_aref, island_*, map_*.
/// Writes: qacc, qfrc_constraint, efc_force, efc_state, efc_b, solver_niter, solver.*.
void solve_constraints(const Model& m, Data& d);

/// The analytic inverse: the constraint forces that belong to an acceleration.
/// Reads: nefc, efc_J, efc_aref, efc_D. Writes: efc_force, efc_state, qfrc_constraint.
void inverse_constraints(const Model& m, Data& d, const double* qacc);

}  // namespace sinew
