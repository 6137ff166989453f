#include "solver/rows.h"

#include <algorithm>

#include "solver/pack.h"

namespace sinew {
namespace {

/// out[r] = J[r] · v for four rows at a time, v already gathered.
SINEW_KERNEL void multiply_block(const double* J, const double* v, int nrow, int nnz, double* out) {
  for (int r = 0; r < nrow; ++r) out[r] = dot(J + r * nnz, v, nnz);
}

/// sum[0..nnz) = sum over the rows with a force of f[r] J[r]
SINEW_KERNEL void combine_block(const double* J, const double* f, int nrow, int nnz, double* sum) {
  for (int k = 0; k < nnz; ++k) sum[k] = 0;
  for (int r = 0; r < nrow; ++r)
    if (f[r] != 0) add_scaled(sum, J + r * nnz, f[r], nnz);
}

}  // namespace

int widest(std::span<const RowBlock> blocks) {
  int nnz = 0;
  for (const RowBlock& b : blocks) nnz = std::max(nnz, b.nnz);
  return nnz;
}

void multiply(std::span<const RowBlock> blocks, const double* v, double* out, Arena& arena) {
  Scratch scratch(arena);
  double* gathered = scratch.take<double>(widest(blocks));
  for (const RowBlock& b : blocks) {
    if (b.nnz == 1) {
      for (int r = 0; r < b.nrow; ++r) out[b.row + r] = b.J[r] * v[b.col[0]];
      continue;
    }
    for (int k = 0; k < b.nnz; ++k) gathered[k] = v[b.col[k]];
    multiply_block(b.J, gathered, b.nrow, b.nnz, out + b.row);
  }
}

void multiply_transposed(std::span<const RowBlock> blocks, const double* f, double* out, int n, Arena& arena) {
  Scratch scratch(arena);
  double* sum = scratch.take<double>(widest(blocks));
  for (int i = 0; i < n; ++i) out[i] = 0;
  for (const RowBlock& b : blocks) {
    const double* fb = f + b.row;
    if (std::all_of(fb, fb + b.nrow, [](double x) { return x == 0; })) continue;
    combine_block(b.J, fb, b.nrow, b.nnz, sum);
    for (int k = 0; k < b.nnz; ++k) out[b.col[k]] += sum[k];
  }
}

}  // namespace sinew
