#include "solver/evaluate.h"

#include "solver/rows.h"
#include "solver/tree_matrix.h"

namespace sinew {

void evaluate_at(const ConstraintProblem& p, const double* a, const ProblemPoint& at, Arena& arena) {
  multiply_rows(p.blocks, a, at.jar, arena);
  for (int i = 0; i < p.nefc; ++i) at.jar[i] -= p.aref[i];
  evaluate_rows(p, at.jar, at.force, at.state, at.cone_hessian);
  multiply_rows_transposed(p.blocks, at.force, at.frc_constraint, p.M.n, arena);
}

void gradient_at(const ConstraintProblem& p, const double* a, const double* frc_constraint, double* grad) {
  multiply_inertia(p, a, grad);
  for (int i = 0; i < p.M.n; ++i) grad[i] -= p.frc_smooth[i] + frc_constraint[i];
}

}  // namespace sinew
