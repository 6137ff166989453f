#pragma once

#include "base/arena.h"
#include "solver/solve.h"

namespace sinew {

/// Removes slip: Gauss-Seidel iterations on the friction forces of x.force alone, without regularization.
void remove_slip(const ConstraintProblem& p, const SolverOptions& options, Solution& x, Arena& arena);

}  // namespace sinew
