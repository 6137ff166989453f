#include "solver/pgs.h"

#include "solver/pgs_sweeps.h"

namespace sinew {

SINEW_KERNEL void solve_pgs(const ConstraintProblem& p, const SolverOptions& options, Solution& x, Arena& arena) {
  Scratch scratch(arena);
  DualOperator A(p, scratch, arena);
  iterate_pgs(A, p, options, x, scratch);
}

}  // namespace sinew
