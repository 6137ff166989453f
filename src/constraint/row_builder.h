#pragma once

#include <span>

#include "base/arena.h"
#include "constraint/kinds.h"
#include "sinew/data.h"

namespace sinew {

/// Appends constraints to the rows of Data: one block of rows on common columns at a time.
class RowBuilder {
 public:
  RowBuilder(const Model& m, Data& d);

  /// Room for the columns of one constraint, to be filled in ascending order before `add`.
  int* columns() { return columns_; }

  struct Block {
    int row = 0;  // first row
    int nrow = 0;
    int ncol = 0;
    double* J = nullptr;  // nrow x ncol numbers to write, row by row
  };
  /// Adds nrow rows on the first ncol columns, with zero residual, margin and friction.
  Block add(ConstraintKind kind, int id, int nrow, int ncol);

  /// For constraints that are not contacts, when the numbers are written: takes the block back if it is empty in the
  /// sense of the jacobian option.
  bool keep(const Block& block);

  const Model& m;
  Data& d;

 private:
  Scratch scratch_;
  int* columns_;
  bool dense_;
};

}  // namespace sinew
