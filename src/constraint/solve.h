#pragma once

#include "sinew/data.h"

namespace sinew {

/// Constraint forces and the acceleration that they produce, with the solver that the options name.
/// reads   Data: qacc_smooth, qfrc_smooth, qacc_warmstart, M, qLD, efc_*, islands
/// writes  Data: qacc, qfrc_constraint, efc_force, efc_state, efc_b, solver_niter, solver
/// needs   smooth_acceleration, constraint_reference, find_islands          The first call with more islands allocates.
void solve_constraints(const Model& m, Data& d);

/// The analytic inverse: the constraint forces that belong to an acceleration.
/// reads   Data: efc_*          writes  Data: efc_force, efc_state, qfrc_constraint          needs constraint_reference
void inverse_constraints(const Model& m, Data& d, const double* qacc);

}  // namespace sinew
