#pragma once

#include "base/arena.h"
#include "solver/problem.h"

namespace sinew {

class TileSystem;

/// Newton's method: search direction -H⁻¹ gradient, exact line search.
void solve_newton(const ConstraintProblem& p, const SolverOptions& options, Solution& x, Arena& arena);

/// The same for a problem that was cut into tiles already. x is not padded.
void solve_newton(TileSystem& system, const SolverOptions& options, Solution& x, Arena& arena);

/// Nonlinear conjugate gradients (Hager and Zhang 2005), preconditioned with M⁻¹, exact line search.
void solve_cg(const ConstraintProblem& p, const SolverOptions& options, Solution& x, Arena& arena);

}  // namespace sinew
