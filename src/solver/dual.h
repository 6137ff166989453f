#pragma once

#include "base/arena.h"
#include "math/pack.h"
#include "solver/solve.h"

namespace sinew {

/// Up to this many rows the matrix of the dual problem is formed: 64 rows take 32 kB, the L1 cache of a typical core.
/// Measured, PGS from a warm start: one tree of 27 dofs, 63 rows 13 µs formed and 27 µs not, 126 rows 50 and 54; eight
/// bodies of 6 dofs, 63 rows 15 and 8, 126 rows 114 and 16. Beyond 64 rows, separate bodies would lose far more than a
/// single tree gains.
inline constexpr int kFormedRows = 64;

/// The matrix of the dual problem A = J M⁻¹ Jᵀ, and A f under changes of single forces. With few rows A is formed; with
/// many, w = M⁻¹ Jᵀ f is kept up to date and (A f)_i is J_i w, so that cost and memory are linear in the number of
/// rows.
class DualOperator {
 public:
  DualOperator(const ConstraintProblem& p, Scratch& scratch, Arena& arena);

  bool is_formed() const { return A_ != nullptr; }

  /// Sets all forces. The caller owns the array and must report every change in it.
  void set_forces(const double* force);
  /// force[row] has changed by `change`.
  SINEW_INLINE void change_force(int row, double change) {
    if (change == 0) return;
    if (A_)
      add_scaled(Af_, A_ + static_cast<std::size_t>(row) * stride_, change, stride_);
    else
      add_column(row, change);
  }
  /// (A force)_row
  SINEW_INLINE double times_force(int row) const { return A_ ? Af_[row] : row_times_w(row); }
  /// A[row][row]
  double diagonal(int row) const { return diagonal_[row]; }
  /// A[i][j] for two rows of one block.
  double entry(int i, int j) const;
  /// b = J acc_smooth - aref
  const double* b() const { return b_; }

 private:
  struct Support {  // dofs of the trees of a block
    int ntree = 0;
    const int* begin = nullptr;
    const int* end = nullptr;
    int width = 0;
    const double* B = nullptr;      // rows of M⁻¹ Jᵀ on these dofs
    const int* position = nullptr;  // of each of the block's columns
  };

  double row_times_w(int row) const;
  void add_column(int row, double change);
  void form_matrix(Scratch& scratch);
  void solve_for_rows(Scratch& scratch);

  const ConstraintProblem& p_;
  Arena& arena_;
  double* b_ = nullptr;
  double* diagonal_ = nullptr;
  double* A_ = nullptr;   // nefc rows of `stride` entries, or null with many rows
  double* Af_ = nullptr;  // A force
  int stride_ = 0;        // nefc rounded up to whole packs
  // instead of A:
  int* block_of_ = nullptr;
  Support* support_ = nullptr;
  double* w_ = nullptr;
};

/// force·b + ½ force·(A + R) force
double dual_cost(const ConstraintProblem& p, const double* force, Arena& arena);

/// A force update that raises the dual cost by more than this is reverted.
inline constexpr double kDualGuard = 1e-10;

/// d·residual + ½ d·A d for n forces that change by d; A row-major.
double dual_cost_change(const double* A, const double* residual, const double* d, int n);

/// Sets the states implied by the forces and records one sweep.
void record_dual_iteration(const ConstraintProblem& p, double improvement, Solution& x);

}  // namespace sinew
