#pragma once

#include "solver/evaluate.h"

namespace sinew {

/// A row of W, the second derivative of the rows' cost: the rows that it couples, side by side, and their weights.
struct RowWeights {
  int first = 0;
  int count = 0;
  const double* weight = nullptr;
};

/// W's row of a row in the state kQuadratic, where it is D alone, or kCone.
RowWeights row_weights(const ConstraintProblem& p, int row, int state, const double* cone_hessian);

/// s(jar) alone.
double row_cost(const ConstraintProblem& p, const double* jar);

}  // namespace sinew
