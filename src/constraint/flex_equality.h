#pragma once

#include "constraint/row_builder.h"

namespace sinew {

/// Rows of an equality that holds a flex, each a constraint of its own.
/// flex        length - rest length of every edge that is not rigid
/// flexvert    both strains at every vertex
/// flexstrain  w · (Qᵀ x - x0) for every mode w of one cell, x its nodes and Q its rotation, which counts as constant
void add_flex_equality(RowBuilder& rows, int eq);

}  // namespace sinew
