#include "constraint/row_builder.h"

#include <algorithm>

namespace sinew {

RowBuilder::RowBuilder(const Model& m, Data& d)
    : m(m), d(d), scratch_(d.scratch()), columns_(scratch_.take<int>(m.nv)), dense_(uses_dense_jacobian(m)) {}

RowBuilder::Block RowBuilder::add(ConstraintKind kind, int id, int nrow, int ncol) {
  const int row = d.nefc, start = d.nJ;
  d.nefc += nrow;
  d.nJ += nrow * ncol;
  if (d.efc_type.size() < static_cast<std::size_t>(d.nefc) || d.efc_J.size() < static_cast<std::size_t>(d.nJ))
    d.grow_rows();
  for (int r = 0; r < nrow; ++r) {
    const int i = row + r;
    d.efc_type[i] = static_cast<int>(kind);
    d.efc_id[i] = id;
    d.efc_J_rownnz[i] = ncol;
    d.efc_J_rowadr[i] = start + r * ncol;
    d.efc_J_rowsuper[i] = nrow - 1 - r;
    d.efc_pos[i] = 0;
    d.efc_margin[i] = 0;
    d.efc_frictionloss[i] = 0;
  }
  int* column = d.efc_J_colind.data() + start;
  if (nrow == 1 && ncol == 1)
    *column = columns_[0];
  else
    for (int r = 0; r < nrow; ++r, column += ncol) std::copy_n(columns_, ncol, column);
  return {row, nrow, ncol, &d.efc_J[start]};
}

bool RowBuilder::keep(const Block& block) {
  const int count = block.nrow * block.ncol;
  const bool empty = dense_ ? std::all_of(block.J, block.J + count, [](double x) { return x == 0; }) : block.ncol == 0;
  if (!empty) return true;
  d.nefc -= block.nrow;
  d.nJ -= count;
  return false;
}

}  // namespace sinew
