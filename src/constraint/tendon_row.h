#pragma once

#include "constraint/row_builder.h"

namespace sinew {

/// tendon_efcadr: the first of the tendon's rows.
inline void note_tendon_row(Data& d, int tendon, int row) {
  if (d.tendon_efcadr[tendon] < 0) d.tendon_efcadr[tendon] = row;
}

/// Adds a row that is `sign` times the tendon's Jacobian.
inline RowBuilder::Block add_tendon_row(RowBuilder& rows, ConstraintKind kind, int tendon, double sign) {
  const int start = rows.m.ten_J_rowadr[tendon], nnz = rows.m.ten_J_rownnz[tendon];
  const auto block = rows.add(kind, tendon, 1, rows.m.ten_J_colind.data() + start, nnz);
  for (int k = 0; k < nnz; ++k) block.J[k] = sign * rows.d.ten_J[start + k];
  note_tendon_row(rows.d, tendon, block.row);
  return block;
}

}  // namespace sinew
