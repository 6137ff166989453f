#pragma once

#include "solver/evaluate.h"

namespace sinew {

/// A row of W, the Hessian of the rows' cost: the consecutive rows that it couples, and their weights.
struct RowWeights {
  int first = 0;
  int count = 0;
  const double* weight = nullptr;
};

/// Row of W for a row in the state kQuadratic, where it is just D, or kCone.
RowWeights row_weights(const ConstraintProblem& p, int row, int state, const double* cone_hessian);

/// Only s(jar).
double row_cost(const ConstraintProblem& p, const double* jar);

}  // namespace sinew
