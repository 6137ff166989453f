#pragma once

#include "base/arena.h"
#include "solver/ray_cost.h"
#include "solver/solve.h"

namespace sinew {

struct Step {
  double alpha = 0;
  double decrease = 0;  // cost(0) - cost(alpha)
  double slope = 1;     // |dcost/dalpha| at alpha, scaled and relative to |search|; 1: not computed
  int neval = 0;        // evaluations
  bool lost_precision = false;
};

/// Exact minimum along the ray: one-sided Newton steps until the slope changes sign, then Newton steps and bisection
/// inside the bracket. Zero if no decrease was found.
Step line_search(const ConstraintProblem& p, const SolverOptions& options, const SearchRay& ray, Arena& arena);

}  // namespace sinew
