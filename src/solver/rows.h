#pragma once

#include "base/arena.h"
#include "solver/problem.h"

namespace sinew {

/// out = J v
void multiply_rows(std::span<const RowBlock> blocks, const double* v, double* out, Arena& arena);

/// out = Jᵀ f, n entries; rows without force are skipped.
void multiply_rows_transposed(std::span<const RowBlock> blocks, const double* f, double* out, int n, Arena& arena);

}  // namespace sinew
