#include "constraint/row_builder.h"

#include <algorithm>

namespace sinew {

RowBuilder::RowBuilder(const Model& m, Data& d)
    : m(m), d(d), scratch_(d.scratch()), columns_(scratch_.take<int>(m.nv)), dense_(uses_dense_jacobian(m)) {}

bool RowBuilder::keep(const Block& block) {
  const int count = block.nrow * block.ncol;
  const bool empty = dense_ ? std::all_of(block.J, block.J + count, [](double x) { return x == 0; }) : block.ncol == 0;
  if (!empty) return true;
  d.nefc -= block.nrow;
  d.nJ -= count;
  return false;
}

}  // namespace sinew
