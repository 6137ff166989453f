#include "solver/rows.h"

#include <algorithm>

#include "math/pack.h"

namespace sinew {
namespace {

/// out[r] = J[r] · v, v already gathered; four rows share its loads.
SINEW_KERNEL void multiply_block(const double* J, const double* v, int nrow, int nnz, double* out) {
  int r = 0;
  for (; r + 4 <= nrow; r += 4) {
    const double *a = J + r * nnz, *b = a + nnz, *c = b + nnz, *d = c + nnz;
    Pack sa = {}, sb = {}, sc = {}, sd = {};
    int k = 0;
    for (; k + 4 <= nnz; k += 4) {
      const Pack x = load(v + k);
      sa += load(a + k) * x;
      sb += load(b + k) * x;
      sc += load(c + k) * x;
      sd += load(d + k) * x;
    }
    double ta = 0, tb = 0, tc = 0, td = 0;
    for (; k < nnz; ++k) {
      ta += a[k] * v[k];
      tb += b[k] * v[k];
      tc += c[k] * v[k];
      td += d[k] * v[k];
    }
    out[r] = sum(sa) + ta;
    out[r + 1] = sum(sb) + tb;
    out[r + 2] = sum(sc) + tc;
    out[r + 3] = sum(sd) + td;
  }
  for (; r < nrow; ++r) out[r] = dot(J + r * nnz, v, nnz);
}

/// result[0..nnz) = sum over the rows of f[r] J[r]
SINEW_KERNEL void combine_block(const double* J, const double* f, int nrow, int nnz, double* result) {
  int k = 0;
  for (; k + 4 <= nnz; k += 4) {
    Pack s = {};
    for (int r = 0; r < nrow; ++r) s += f[r] * load(J + r * nnz + k);
    store(result + k, s);
  }
  for (; k < nnz; ++k) {
    double s = 0;
    for (int r = 0; r < nrow; ++r) s += f[r] * J[r * nnz + k];
    result[k] = s;
  }
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
