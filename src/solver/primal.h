#pragma once

#include "solver/start.h"

namespace sinew {

/// Newton's method: search direction -H⁻¹ gradient, exact line search. On the rows as posed, with H in panels.
void solve_newton(const ConstraintProblem& p, const SolverOptions& options, const Start& start, Solution& x,
                  Arena& arena);

/// The same for a problem in tiles. x is not padded.
void solve_newton(TileSystem& system, const SolverOptions& options, const Start& start, Solution& x, Arena& arena);

/// Nonlinear conjugate gradients (Hager and Zhang 2005), preconditioned with M⁻¹, exact line search.
void solve_cg(const ConstraintProblem& p, const SolverOptions& options, const Start& start, Solution& x, Arena& arena);

}  // namespace sinew
