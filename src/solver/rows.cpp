#include "solver/rows.h"

#include <algorithm>

#include "math/pack.h"

namespace sinew {
namespace {

/// out[r] = J[r] · v for n rows, which share the loads of v.
template <int n>
SINEW_INLINE void multiply_together(const double* J, const double* v, int nnz, double* out) {
  Pack s[n] = {};
  double tail[n] = {};
  int k = 0;
  for (; k + 4 <= nnz; k += 4) {
    const Pack x = load_pack(v + k);
    for (int r = 0; r < n; ++r) s[r] += load_pack(J + r * nnz + k) * x;
  }
  for (; k < nnz; ++k)
    for (int r = 0; r < n; ++r) tail[r] += J[r * nnz + k] * v[k];
  for (int r = 0; r < n; ++r) out[r] = lane_sum(s[r]) + tail[r];
}

/// out[k] = v[col[k]]
SINEW_INLINE void gather(const double* v, const int* col, int n, double* out) {
  int k = 0;
  for (; k + 4 <= n; k += 4) store_pack(out + k, Pack{v[col[k]], v[col[k + 1]], v[col[k + 2]], v[col[k + 3]]});
  for (; k < n; ++k) out[k] = v[col[k]];
}

/// out = J v; `gathered` holds the entries of v at the columns of one block.
SINEW_KERNEL void multiply_blocks(std::span<const RowBlock> blocks, const double* v, double* gathered, double* out) {
  for (const RowBlock& b : blocks) {
    const double* J = b.J;
    int row = b.row;
    const int end = row + b.nrow, nnz = b.nnz;
    if (nnz == 1) {
      for (; row < end; ++row, ++J) out[row] = *J * v[b.col[0]];
      continue;
    }
    gather(v, b.col, nnz, gathered);
    for (; row + 4 <= end; row += 4, J += 4 * nnz) multiply_together<4>(J, gathered, nnz, out + row);
    switch (end - row) {
      case 3: multiply_together<3>(J, gathered, nnz, out + row); break;
      case 2: multiply_together<2>(J, gathered, nnz, out + row); break;
      case 1: multiply_together<1>(J, gathered, nnz, out + row); break;
    }
  }
}

/// result[0..nnz) = sum over the rows of f[r] J[r]
SINEW_KERNEL void combine_block(const double* J, const double* f, int nrow, int nnz, double* result) {
  int k = 0;
  for (; k + 4 <= nnz; k += 4) {
    Pack s = {};
    for (int r = 0; r < nrow; ++r) s += f[r] * load_pack(J + r * nnz + k);
    store_pack(result + k, s);
  }
  for (; k < nnz; ++k) {
    double s = 0;
    for (int r = 0; r < nrow; ++r) s += f[r] * J[r * nnz + k];
    result[k] = s;
  }
}

/// Largest number of columns of any block.
int widest(std::span<const RowBlock> blocks) {
  int nnz = 0;
  for (const RowBlock& b : blocks) nnz = std::max(nnz, b.nnz);
  return nnz;
}

}  // namespace

void multiply_rows(std::span<const RowBlock> blocks, const double* v, double* out, Arena& arena) {
  Scratch scratch(arena);
  multiply_blocks(blocks, v, scratch.take<double>(widest(blocks)), out);
}

void multiply_rows_transposed(std::span<const RowBlock> blocks, const double* f, double* out, int n, Arena& arena) {
  Scratch scratch(arena);
  double* combined = scratch.take<double>(widest(blocks));
  for (int i = 0; i < n; ++i) out[i] = 0;
  for (const RowBlock& b : blocks) {
    const double* fb = f + b.row;
    if (b.nnz == 1 && b.nrow == 1) {
      out[b.col[0]] += fb[0] * b.J[0];
      continue;
    }
    if (std::all_of(fb, fb + b.nrow, [](double x) { return x == 0; })) continue;
    combine_block(b.J, fb, b.nrow, b.nnz, combined);
    for (int k = 0; k < b.nnz; ++k) out[b.col[k]] += combined[k];
  }
}

}  // namespace sinew
