#pragma once

#include "solver/problem.h"

namespace sinew {

/// The cost of the rows at jar = J a - aref, and what follows from it.
struct RowCost {
  double cost = 0;
  int nactive = 0;  // rows that are not satisfied
  int nchange = 0;  // rows whose state differs from what `state` held
  int ncurved = 0;  // rows that entered or left the quadratic state
  int ncone = 0;    // rows of cones in their middle zone
};

/// Fills force = -ds/djar and state. Where cone_hessian is not null it gets 36 numbers (dim x dim used) for every cone
/// that is in its middle zone.
RowCost evaluate_rows(const ConstraintProblem& p, const double* jar, double* force, int* state, double* cone_hessian);

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
