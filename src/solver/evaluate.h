#pragma once

#include "base/arena.h"
#include "solver/problem.h"

// Evaluates the problem at a given point: for inverse dynamics, for derivatives, and for the solvers themselves.

namespace sinew {

/// The cost of the rows at jar = J a - aref, and counts of their states.
struct RowCost {
  double cost = 0;
  int nactive = 0;  // rows that are not satisfied
  int nchange = 0;  // rows whose state differs from the previous one in `state`
  int ncurved = 0;  // rows that entered or left the quadratic state
  int ncone = 0;    // rows of cones in their middle zone
};

/// Fills force = -ds/djar and state. If cone_hessian is not null, the Hessian ∂²s/∂jar² of every cone in its middle
/// zone is stored there, kConeHessian entries per cone of the problem, dim x dim used.
RowCost evaluate_rows(const ConstraintProblem& p, const double* jar, double* force, int* state, double* cone_hessian);

/// Output arrays of evaluate_at.
struct ProblemPoint {
  double* jar = nullptr;             // nefc: J a - aref
  double* force = nullptr;           // nefc
  int* state = nullptr;              // nefc
  double* cone_hessian = nullptr;    // as in evaluate_rows
  double* frc_constraint = nullptr;  // n: Jᵀ force
};

/// Evaluates the rows at acceleration a.
void evaluate_at(const ConstraintProblem& p, const double* a, const ProblemPoint& at, Arena& arena);

/// grad = M a - f - Jᵀ force, the gradient of the cost.
void gradient_at(const ConstraintProblem& p, const double* a, const double* frc_constraint, double* grad);

}  // namespace sinew
