#pragma once

#include "base/arena.h"
#include "solver/problem.h"

namespace sinew {

/// The point and the direction along which the cost is minimized, with what is already known of them.
struct SearchRay {
  const double* acc = nullptr;
  const double* search = nullptr;
  const double* Ma = nullptr;   // M acc
  const double* Mv = nullptr;   // M search
  const double* jar = nullptr;  // J acc - aref
  const double* Jv = nullptr;   // J search
};

struct Step {
  double alpha = 0;
  double decrease = 0;  // cost(0) - cost(alpha)
  double slope = 1;     // |dcost/dalpha| at alpha, scaled and relative to |search|; 1: not computed
  int neval = 0;        // evaluations
  bool lost_precision = false;
};

/// Exact minimum along the ray: one-sided Newton steps until the slope changes sign, then Newton steps and the midpoint
/// inside the bracket. Zero where nothing better was found.
Step line_search(const ConstraintProblem& p, const SolverOptions& options, const SearchRay& ray, Arena& arena);

}  // namespace sinew
