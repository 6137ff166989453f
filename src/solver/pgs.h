#pragma once

#include "base/arena.h"
#include "solver/solve.h"

namespace sinew {

/// Projected Gauss-Seidel on the dual problem, blocks in random order (a fixed sequence), with Nesterov momentum.
/// Starts from x.force and stores its result there; acc and frc_constraint are not changed.
void solve_pgs(const ConstraintProblem& p, const SolverOptions& options, Solution& x, Arena& arena);

}  // namespace sinew
