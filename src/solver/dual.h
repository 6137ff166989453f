#pragma once

#include "base/arena.h"
#include "solver/problem.h"

namespace sinew {

/// The dual problem's matrix A = J M⁻¹ Jᵀ without ever forming it: w = M⁻¹ Jᵀ f is kept up to date while single forces
/// change, and a row's residual is J_i w. Cost and memory grow with the number of rows, not with its square.
class DualOperator {
 public:
  DualOperator(const ConstraintProblem& p, Scratch& scratch, Arena& arena);

  /// Takes all forces anew.
  void set_forces(const double* force);
  /// w += M⁻¹ J_rowᵀ change
  void change_force(int row, double change);
  /// J_row w = (A force)_row
  double row_times_w(int row) const;
  /// A[row][row]
  double diagonal(int row) const { return diagonal_[row]; }
  /// A[i][j] for two rows of one block.
  double entry(int i, int j) const;
  /// b = J acc_smooth - aref
  const double* b() const { return b_; }
  const double* w() const { return w_; }

 private:
  struct Support {  // the dofs of the trees that a block touches
    int ntree = 0;
    const int* begin = nullptr;
    const int* end = nullptr;
    int width = 0;
    const double* B = nullptr;      // rows of M⁻¹ Jᵀ on these dofs
    const int* position = nullptr;  // of each of the block's columns
  };

  const ConstraintProblem& p_;
  Arena& arena_;
  int* block_of_ = nullptr;
  Support* support_ = nullptr;
  double* diagonal_ = nullptr;
  double* b_ = nullptr;
  double* w_ = nullptr;
};

/// force·b + ½ force·(A + R) force
double dual_cost(const ConstraintProblem& p, const double* force, Arena& arena);

/// An update of forces that raises the dual cost by more than this is taken back.
inline constexpr double kDualGuard = 1e-10;

/// d·residual + ½ d·A d for n forces that change by d; A row-major.
double dual_cost_change(const double* A, const double* residual, const double* d, int n);

/// Sets the states that the forces speak of and records one sweep.
void record_dual_iteration(const ConstraintProblem& p, double improvement, Solution& x);

}  // namespace sinew
