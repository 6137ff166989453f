#pragma once

#include "base/arena.h"
#include "solver/ordering.h"
#include "solver/problem.h"

namespace sinew {

/// Columns of a block of rows that are contiguous in H as well.
struct ColumnRun {
  int place = 0;  // first column, in elimination order
  int count = 0;
  int at = 0;    // first column inside the block
  int node = 0;  // all belong to this node
};

/// The active rows of a block, J and Z = W J, `stride` entries apart.
struct ProductRows {
  const double* J = nullptr;
  const double* Z = nullptr;
  int stride = 0;
  int count = 0;
};

/// H = M + Jᵀ W J and its Cholesky factor UᵀU. W is D for rows in the quadratic state and the cone's Hessian for
/// contacts in their middle zone. Memory comes from the scratch of the owning solver.
class Hessian {
 public:
  Hessian(const ConstraintProblem& p, Scratch& scratch);

  /// Assembles H for these states and factors it. cone_hessian: 36 entries per cone, used if the state is kCone.
  void factor(const int* state, const double* cone_hessian);

  /// x := H⁻¹ x
  void solve(double* x) const;

 private:
  struct Panel {
    double* U = nullptr;  // rows of the node's dofs: own columns, then those of the reached nodes
    int stride = 0;
  };

  /// Rows of J on common columns, in elimination order.
  struct Block {
    int row = 0;
    int nrow = 0;
    int nnz = 0;
    const double* J = nullptr;
    ColumnRun* run = nullptr;
    int nrun = 0;
  };

  Block arranged(const RowBlock& from, Scratch& scratch) const;
  void add_inertia();
  void add_rows(const Block& block, const int* state, const double* cone_hessian);
  void reduce_later_nodes(int k);
  int column_in_panel(int node, int other, int place) const;

  const ConstraintProblem& p_;
  Elimination plan_;
  Panel* panel_ = nullptr;
  double* diag_inv_ = nullptr;  // by place
  Block* blocks_ = nullptr;
  double* weighted_ = nullptr;  // W J of one block: its active rows
  double* active_ = nullptr;    // J of one block: its active rows
  double* line_ = nullptr;      // one row of a block's Jᵀ W J
  int* offset_ = nullptr;       // start of a block's runs inside a panel
  double* permuted_ = nullptr;  // a right-hand side in elimination order
  double* gathered_ = nullptr;  // its entries at the columns of one node
};

}  // namespace sinew
