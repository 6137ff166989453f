#pragma once

#include "base/arena.h"
#include "constraint/kinds.h"
#include "sinew/data.h"

namespace sinew {

/// Appends constraints to the rows of Data, one block of rows with common columns at a time.
class RowBuilder {
 public:
  RowBuilder(const Model& m, Data& d);

  /// Buffer for the columns of one constraint, to be filled in ascending order before `add`.
  int* columns() { return columns_; }

  struct Block {
    int row = 0;  // first row
    int nrow = 0;
    int ncol = 0;
    double* J = nullptr;  // nrow x ncol values to write, row by row
  };
  /// Adds nrow rows on ncol columns, with zero residual, margin and friction.
  Block add(ConstraintKind kind, int id, int nrow, const int* columns, int ncol) {
    const Block block = make_room(nrow, ncol);
    for (int r = 0; r < nrow; ++r) describe(kind, id, block, r);
    int* out = d.efc_J_colind.data() + (block.J - d.efc_J.data());
    for (int r = 0; r < nrow; ++r, out += ncol)
      for (int k = 0; k < ncol; ++k) out[k] = columns[k];
    return block;
  }
  /// One row with one entry.
  Block add_single(ConstraintKind kind, int id, int column, double J) {
    const Block block = make_room(1, 1);
    describe(kind, id, block, 0);
    d.efc_J_colind[block.J - d.efc_J.data()] = column;
    *block.J = J;
    return block;
  }

  /// For constraints other than contacts, once the values are written: removes the block if the jacobian option counts
  /// it as empty.
  bool keep(const Block& block);

  const Model& m;
  Data& d;

 private:
  Block make_room(int nrow, int ncol) {
    const int row = d.nefc, start = d.nJ;
    d.nefc = row + nrow;
    d.nJ = start + nrow * ncol;
    if (d.efc_type.size() < static_cast<std::size_t>(d.nefc) || d.efc_J.size() < static_cast<std::size_t>(d.nJ))
        [[unlikely]]
      d.grow_rows();
    return {row, nrow, ncol, d.efc_J.data() + start};
  }
  void describe(ConstraintKind kind, int id, const Block& block, int r) {
    const int i = block.row + r;
    d.efc_type[i] = static_cast<int>(kind);
    d.efc_id[i] = id;
    d.efc_J_rownnz[i] = block.ncol;
    d.efc_J_rowadr[i] = static_cast<int>(block.J - d.efc_J.data()) + r * block.ncol;
    d.efc_J_rowsuper[i] = block.nrow - 1 - r;
    d.efc_pos[i] = 0;
    d.efc_margin[i] = 0;
    d.efc_frictionloss[i] = 0;
  }

  Scratch scratch_;
  int* columns_;
  bool dense_;
};

}  // namespace sinew
