#pragma once

#include <algorithm>
#include <cmath>

#include "math/pack.h"
#include "solver/tile_pattern.h"

// Products and factorization on packs and tiles. They are inlined into the few functions compiled once per instruction
// set (SINEW_KERNEL), to avoid call overhead.

namespace sinew {

/// Rows of J on common columns, split into packs of four dofs: row r holds `npack` packs, those of the dofs 4 pack[k] …
/// 4 pack[k] + 3, with zeros for dofs that are not columns.
struct PackedBlock {
  int row = 0;
  int nrow = 0;
  int npack = 0;
  const int* pack = nullptr;  // ascending
  double* J = nullptr;
};

/// A row with one column: a limit or the dry friction of one dof.
struct UnitRow {
  int row = 0;
  int dof = 0;
  double J = 0;
};

/// An active row and the same row of W J; if W is just the scalar D, Z is J and the weight is stored separately.
struct ActiveRow {
  const double* J = nullptr;
  const double* Z = nullptr;
  double weight = 0;
};

SINEW_INLINE void copy_tiles(const double* from, int count, double* to) {
  for (int i = 0; i < 16 * count; i += 16)
#pragma GCC unroll 4
    for (int k = 0; k < 16; k += 4) store_pack(to + i + k, load_pack(from + i + k));
}

/// out_i = J v_i for `count` vectors, four rows at a time.
template <int count>
SINEW_INLINE void multiply_blocks(const PackedBlock* blocks, int nblock, const double* const* v, double* const* out) {
  for (const PackedBlock* b = blocks; b != blocks + nblock; ++b) {
    const int stride = 4 * b->npack;
    const double* J = b->J;
    int row = b->row;
    const int end = row + b->nrow;
    for (; row + 4 <= end; row += 4, J += 4 * stride) {
      Pack s[count][4] = {};
      for (int k = 0; k < b->npack; ++k) {
#pragma GCC unroll 2
        for (int c = 0; c < count; ++c) {
          const Pack x = load_pack(v[c] + 4 * b->pack[k]);
#pragma GCC unroll 4
          for (int i = 0; i < 4; ++i) s[c][i] += load_pack(J + i * stride + 4 * k) * x;
        }
      }
#pragma GCC unroll 2
      for (int c = 0; c < count; ++c) store_pack(out[c] + row, lane_sums(s[c][0], s[c][1], s[c][2], s[c][3]));
    }
    for (; row < end; ++row, J += stride) {
#pragma GCC unroll 2
      for (int c = 0; c < count; ++c) {
        Pack s = {};
        for (int k = 0; k < b->npack; ++k) s += load_pack(J + 4 * k) * load_pack(v[c] + 4 * b->pack[k]);
        out[c][row] = lane_sum(s);
      }
    }
  }
}

/// out += Jᵀ f on `count` packs of a block, starting at its pack k.
template <int count>
SINEW_INLINE void add_packs_transposed(const PackedBlock& b, const double* f, int k, double* out) {
  Pack s[count];
  for (int i = 0; i < count; ++i) s[i] = load_pack(out + 4 * b.pack[k + i]);
  const double* J = b.J + 4 * k;
  for (int r = 0; r < b.nrow; ++r, J += 4 * b.npack)
    for (int i = 0; i < count; ++i) s[i] += f[r] * load_pack(J + 4 * i);
  for (int i = 0; i < count; ++i) store_pack(out + 4 * b.pack[k + i], s[i]);
}

SINEW_INLINE void add_blocks_transposed(const PackedBlock* blocks, int nblock, const double* f, double* out) {
  for (const PackedBlock* b = blocks; b != blocks + nblock; ++b) {
    const double* fb = f + b->row;
    if (std::all_of(fb, fb + b->nrow, [](double x) { return x == 0; })) continue;
    int k = 0;
    for (; b->npack - k > 3; k += 4) add_packs_transposed<4>(*b, fb, k, out);
    switch (b->npack - k) {
      case 1: add_packs_transposed<1>(*b, fb, k, out); break;
      case 2: add_packs_transposed<2>(*b, fb, k, out); break;
      case 3: add_packs_transposed<3>(*b, fb, k, out); break;
    }
  }
}

SINEW_INLINE void multiply_tiles(const TilePattern& t, const double* M, const double* v, double* out) {
  for (int k = 0; k < t.ntile; ++k) {
    const int stride = 4 * t.count[k], last = t.count[k] - 1;
    const int* column = t.column + t.begin[k];
    const double* own = v + 4 * k;
    Pack s[4] = {};
    for (int j = 0; j < last; ++j) {
      const Pack x = load_pack(v + 4 * column[j]);
      Pack mirrored = load_pack(out + 4 * column[j]);
#pragma GCC unroll 4
      for (int i = 0; i < 4; ++i) {
        const Pack row = load_pack(M + i * stride + 4 * j);
        s[i] += row * x;
        mirrored += own[i] * row;
      }
      store_pack(out + 4 * column[j], mirrored);
    }
    const Pack x = load_pack(own);
#pragma GCC unroll 4
    for (int i = 0; i < 4; ++i) s[i] += load_pack(M + i * stride + 4 * last) * x;
    store_pack(out + 4 * k, lane_sums(s[0], s[1], s[2], s[3]));
    M += 4 * stride;
  }
}

/// L of one tile row from its rows of H, last row first: U_k = H_k - Σ_{t>k} L_tk U_t, L_k = U_k / U_kk. U of the tiles
/// left of the diagonal goes to `U`, 1 / U_kk to diag_inv. A nonpositive pivot belongs to a direction without inertia:
/// it is set to the smallest value, its row is cleared.
SINEW_INLINE void factor_tile_row(double* L, int count, double* diag_inv, double* U) {
  const int stride = 4 * count;
  double* own = L + stride - 4;
  double u[4][4], l[4][4], scale[4];
#pragma GCC unroll 4
  for (int k = 3; k >= 0; --k) {
#pragma GCC unroll 4
    for (int c = 0; c <= k; ++c) {
      u[k][c] = own[k * stride + c];
#pragma GCC unroll 4
      for (int t = 3; t > k; --t) u[k][c] -= l[t][k] * u[t][c];
    }
    const bool degenerate = u[k][k] < kMinVal;
    diag_inv[k] = 1 / (degenerate ? kMinVal : u[k][k]);
    scale[k] = degenerate ? 0.0 : diag_inv[k];
#pragma GCC unroll 4
    for (int c = 0; c < k; ++c) own[k * stride + c] = l[k][c] = u[k][c] * scale[k];
  }
  for (int j = 0; j < stride - 4; j += 4) {
    Pack row[4];
#pragma GCC unroll 4
    for (int k = 3; k >= 0; --k) {
      row[k] = load_pack(L + k * stride + j);
#pragma GCC unroll 4
      for (int t = 3; t > k; --t) row[k] -= l[t][k] * row[t];
      store_pack(U + k * stride + j, row[k]);
      store_pack(L + k * stride + j, scale[k] * row[k]);
    }
  }
}

/// target -= Pᵀ Q, each one tile.
SINEW_INLINE void subtract_product(double* target, int target_stride, const double* P, const double* Q, int stride) {
  Pack row[4];
#pragma GCC unroll 4
  for (int i = 0; i < 4; ++i) row[i] = load_pack(target + i * target_stride);
#pragma GCC unroll 4
  for (int t = 0; t < 4; ++t) {
    const Pack q = load_pack(Q + t * stride);
#pragma GCC unroll 4
    for (int i = 0; i < 4; ++i) row[i] -= P[t * stride + i] * q;
  }
#pragma GCC unroll 4
  for (int i = 0; i < 4; ++i) store_pack(target + i * target_stride, row[i]);
}

/// H = Lᵀ D L in place, with a unit diagonal of L and D's inverse in diag_inv. Entries on and right of the diagonal
/// inside its tiles are garbage afterwards. U holds one tile row.
SINEW_INLINE void factor_tiles(const TilePattern& t, double* L, double* diag_inv, double* U) {
  for (int k = t.ntile - 1; k >= 0; --k) {
    const int count = t.count[k], stride = 4 * count;
    const int* column = t.column + t.begin[k];
    double* own = L + 16 * t.begin[k];
    factor_tile_row(own, count, diag_inv + 4 * k, U);
    for (int i = 0; i < count - 1; ++i) {
      const int earlier = column[i];
      double* target = L + 16 * t.begin[earlier];
      const int* slot = t.slot + earlier * t.ntile;
      for (int j = 0; j <= i; ++j)
        subtract_product(target + 4 * slot[column[j]], 4 * t.count[earlier], U + 4 * i, own + 4 * j, stride);
    }
  }
}

SINEW_INLINE void solve_tiles(const TilePattern& t, const double* L, const double* diag_inv, double* y) {
  for (int k = t.ntile - 1; k >= 0; --k) {  // Lᵀ y' = y
    const int stride = 4 * t.count[k];
    const int* column = t.column + t.begin[k];
    const double *row = L + 16 * t.begin[k], *tile = row + stride - 4;
    double* own = y + 4 * k;
    const double y3 = own[3];
    const double y2 = own[2] - tile[3 * stride + 2] * y3;
    const double y1 = own[1] - tile[3 * stride + 1] * y3 - tile[2 * stride + 1] * y2;
    const double y0 = own[0] - tile[3 * stride] * y3 - tile[2 * stride] * y2 - tile[stride] * y1;
    store_pack(own, Pack{y0, y1, y2, y3});
    for (int j = 0; j < t.count[k] - 1; ++j) {
      double* earlier = y + 4 * column[j];
      store_pack(earlier, load_pack(earlier) - y0 * load_pack(row + 4 * j) - y1 * load_pack(row + stride + 4 * j) -
                              y2 * load_pack(row + 2 * stride + 4 * j) - y3 * load_pack(row + 3 * stride + 4 * j));
    }
  }
  for (int k = 0; k < t.ntile; ++k) {  // L x = D⁻¹ y'
    const int stride = 4 * t.count[k];
    const int* column = t.column + t.begin[k];
    const double *row = L + 16 * t.begin[k], *tile = row + stride - 4;
    double* own = y + 4 * k;
    Pack s[4] = {};
    for (int j = 0; j < t.count[k] - 1; ++j) {
      const Pack x = load_pack(y + 4 * column[j]);
#pragma GCC unroll 4
      for (int i = 0; i < 4; ++i) s[i] += load_pack(row + i * stride + 4 * j) * x;
    }
    const Pack rest = load_pack(own) * load_pack(diag_inv + 4 * k) - lane_sums(s[0], s[1], s[2], s[3]);
    const double x0 = rest[0];
    const double x1 = rest[1] - tile[stride] * x0;
    const double x2 = rest[2] - tile[2 * stride] * x0 - tile[2 * stride + 1] * x1;
    const double x3 = rest[3] - tile[3 * stride] * x0 - tile[3 * stride + 1] * x1 - tile[3 * stride + 2] * x2;
    store_pack(own, Pack{x0, x1, x2, x3});
  }
}

/// z = Σ_j weight_j J_j over `count` consecutive rows of n entries.
SINEW_INLINE void weigh_row(const double* J, const double* weight, int count, int n, double* z) {
  for (int k = 0; k < n; k += 4) {
    Pack v = weight[0] * load_pack(J + k);
    for (int j = 1; j < count; ++j) v += weight[j] * load_pack(J + j * n + k);
    store_pack(z + k, v);
  }
}

/// `width` adjacent tiles of one tile row: tile += Σ_r weight_r Z_r J_rᵀ.
template <int width>
SINEW_INLINE void add_product_tiles(double* const* tile, int stride, const ActiveRow* active, int nactive, int a,
                                    int c) {
  Pack sum[width][4];
#pragma GCC unroll 2
  for (int w = 0; w < width; ++w)
#pragma GCC unroll 4
    for (int i = 0; i < 4; ++i) sum[w][i] = load_pack(tile[w] + i * stride);
  for (const ActiveRow* r = active; r != active + nactive; ++r) {
    Pack q[width];
#pragma GCC unroll 2
    for (int w = 0; w < width; ++w) q[w] = r->weight * load_pack(r->J + c + 4 * w);
#pragma GCC unroll 4
    for (int i = 0; i < 4; ++i) {
      const double z = r->Z[a + i];
#pragma GCC unroll 2
      for (int w = 0; w < width; ++w) sum[w][i] += z * q[w];
    }
  }
#pragma GCC unroll 2
  for (int w = 0; w < width; ++w)
#pragma GCC unroll 4
    for (int i = 0; i < 4; ++i) store_pack(tile[w] + i * stride, sum[w][i]);
}

/// H += Σ_r weight_r Z_r J_rᵀ over the active rows of one block.
SINEW_INLINE void add_product(const TilePattern& t, double* H, const PackedBlock& b, const ActiveRow* active,
                              int nactive) {
  for (int a = 0; a < b.npack; ++a) {
    const int k = b.pack[a], stride = 4 * t.count[k];
    const int* slot = t.slot + k * t.ntile;
    double* rows = H + 16 * t.begin[k];
    int c = 0;
    for (; c < a; c += 2) {
      double* const tiles[2] = {rows + 4 * slot[b.pack[c]], rows + 4 * slot[b.pack[c + 1]]};
      add_product_tiles<2>(tiles, stride, active, nactive, 4 * a, 4 * c);
    }
    if (c > a) continue;
    double* const tile = rows + 4 * slot[k];
    add_product_tiles<1>(&tile, stride, active, nactive, 4 * a, 4 * c);
  }
}

}  // namespace sinew
