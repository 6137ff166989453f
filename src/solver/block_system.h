#pragma once

#include <optional>

#include "base/arena.h"
#include "solver/hessian.h"
#include "solver/problem.h"
#include "solver/rows.h"
#include "solver/tree_matrix.h"

namespace sinew {

/// The problem as posed: the products that a primal solver needs, on blocks of rows and the tree-sparse M; the
/// counterpart of TileSystem for many dofs.
class BlockSystem {
 public:
  BlockSystem(const ConstraintProblem& p, Arena& arena) : p_(p), arena_(arena) {}

  const ConstraintProblem& problem() const { return p_; }
  void multiply_inertia(const double* v, double* out) const { sinew::multiply_inertia(p_, v, out); }
  void multiply_rows(const double* v, double* out) const { sinew::multiply_rows(p_.blocks, v, out, arena_); }
  void multiply_rows_transposed(const double* f, double* out) const {
    sinew::multiply_rows_transposed(p_.blocks, f, out, p_.M.n, arena_);
  }
  void solve_inertia(double* x) const { sinew::solve_inertia(p_, x, arena_); }
  void prepare_factor(Scratch& scratch) { hessian_.emplace(p_, scratch); }
  void factor(const int* state, const double* cone_hessian) { hessian_->factor(state, cone_hessian); }
  void solve(double* x) const { hessian_->solve(x); }

 private:
  const ConstraintProblem& p_;
  Arena& arena_;
  std::optional<Hessian> hessian_;
};

}  // namespace sinew
