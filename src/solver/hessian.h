#pragma once

#include "base/arena.h"
#include "solver/ordering.h"
#include "solver/problem.h"

namespace sinew {

/// H = M + Jᵀ W J and its Cholesky factor UᵀU. W is D on the rows in the quadratic state and the cone's own Hessian on
/// contacts in their middle zone. Memory is taken from the scratch of the solver that owns this object.
class Hessian {
 public:
  Hessian(const ConstraintProblem& p, Scratch& scratch);

  /// Assembles H for these states and factors it. cone_hessian: 36 numbers for each cone, used where the state is
  /// kCone.
  void factor(const int* state, const double* cone_hessian);

  /// x := H⁻¹ x
  void solve(double* x) const;

 private:
  struct Panel {
    double* U = nullptr;  // rows of the node's dofs: own columns, then those of the reached nodes
    int stride = 0;
  };

  void copy_blocks(Scratch& scratch);
  void add_inertia();
  void add_rows(const RowBlock& block, const int* state, const double* cone_hessian);
  void scatter(const RowBlock& block, int column, const double* values);
  void reduce_later_nodes(int k);
  int column_in_panel(int node, int place) const;

  const ConstraintProblem& p_;
  Elimination plan_;
  Panel* panel_ = nullptr;
  double* diag_inv_ = nullptr;  // by place
  RowBlock* blocks_ = nullptr;  // columns in the order of elimination
  double* weighted_ = nullptr;  // W J of one block: its active rows
  double* active_ = nullptr;    // J of one block: its active rows
  double* line_ = nullptr;      // lines of one block's Jᵀ W J
  double* permuted_ = nullptr;  // a right-hand side in the order of elimination
  double* gathered_ = nullptr;  // its numbers at the columns of one node
};

}  // namespace sinew
