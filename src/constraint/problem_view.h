#pragma once

#include "base/arena.h"
#include "dynamics/flex_metric.h"
#include "sinew/data.h"
#include "solver/solve.h"

namespace sinew {

/// The rows of the constraint that starts at `row`.
inline RowBlock block_at(const Data& d, int row) {
  const int adr = d.efc_J_rowadr[row];
  return {row, d.efc_J_rowsuper[row] + 1, d.efc_J_rownnz[row], d.efc_J_colind.data() + adr, d.efc_J.data() + adr};
}

/// The constraint problem of a world, a view of its arrays, and the problems of its islands, which refer to the same
/// Jacobian and inertia with their own numbering of dofs and rows. Memory comes from the caller's scratch.
class ProblemView {
 public:
  ProblemView(const Model& m, Data& d, Scratch& scratch);

  const ConstraintProblem& whole() const { return whole_; }

  ProblemPart island(int k, Scratch& scratch);
  /// The rows in no island, which involve no tree: a problem without dofs.
  ProblemPart outside(Scratch& scratch);

  /// Islands are solved separately. Implicit flexes couple bodies across islands.
  bool splits() const { return d_.nisland > 0 && !whole_.K; }
  /// The island contains everything: its numbering is the world's.
  bool is_whole(int k) const;

 private:
  void collect_rows(bool in_parts, Scratch& scratch);
  void number_columns(Scratch& scratch);
  void take_rows(ProblemPart& result, int k, Scratch& scratch);
  void number_block(RowBlock& block, int k, int first_dof, Scratch& scratch) const;

  const Model& m_;
  Data& d_;
  StiffnessMatrix stiffness_;
  ConstraintProblem whole_;
  int* block_of_row_ = nullptr;  // these two only if islands are solved separately
  int* cone_of_row_ = nullptr;
  int* inertia_columns_ = nullptr;  // M_colind in the numbering of each dof's island
};

/// Solver settings from the model's options.
SolverOptions solver_options(const Model& m);

}  // namespace sinew
