#include "solver/tiles.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

#include "math/pack.h"
#include "solver/cost.h"
#include "solver/tree_matrix.h"

namespace sinew {
namespace {

constexpr int padded(int n) { return (n + 3) / 4 * 4; }

SINEW_KERNEL void multiply_blocks(const PackedBlock* blocks, int nblock, const double* v, double* out) {
  for (const PackedBlock* b = blocks; b != blocks + nblock; ++b) {
    const int stride = 4 * b->npack;
    const double* J = b->J;
    double* result = out + b->row;
    int r = 0;
    for (; r + 4 <= b->nrow; r += 4, J += 4 * stride) {
      Pack s[4] = {};
      for (int k = 0; k < b->npack; ++k) {
        const Pack x = load(v + 4 * b->pack[k]);
#pragma GCC unroll 4
        for (int i = 0; i < 4; ++i) s[i] += load(J + i * stride + 4 * k) * x;
      }
      store(result + r, sums(s[0], s[1], s[2], s[3]));
    }
    for (; r < b->nrow; ++r, J += stride) {
      Pack s = {};
      for (int k = 0; k < b->npack; ++k) s += load(J + 4 * k) * load(v + 4 * b->pack[k]);
      result[r] = sum(s);
    }
  }
}

/// out += Jᵀ f on `count` packs of a block that begin with its pack number k.
template <int count>
SINEW_INLINE void add_packs_transposed(const PackedBlock& b, const double* f, int k, double* out) {
  Pack s[count];
  for (int i = 0; i < count; ++i) s[i] = load(out + 4 * b.pack[k + i]);
  const double* J = b.J + 4 * k;
  for (int r = 0; r < b.nrow; ++r, J += 4 * b.npack)
    for (int i = 0; i < count; ++i) s[i] += f[r] * load(J + 4 * i);
  for (int i = 0; i < count; ++i) store(out + 4 * b.pack[k + i], s[i]);
}

SINEW_KERNEL void add_blocks_transposed(const PackedBlock* blocks, int nblock, const double* f, double* out) {
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

SINEW_KERNEL void multiply_tiles(const TilePattern& t, const double* M, const double* v, double* out) {
  for (int k = 0; k < t.ntile; ++k) {
    const int stride = 4 * t.count[k], last = t.count[k] - 1;
    const int* column = t.column + t.begin[k];
    const double* own = v + 4 * k;
    Pack s[4] = {};
    for (int j = 0; j < last; ++j) {
      const Pack x = load(v + 4 * column[j]);
      Pack mirrored = load(out + 4 * column[j]);
#pragma GCC unroll 4
      for (int i = 0; i < 4; ++i) {
        const Pack row = load(M + i * stride + 4 * j);
        s[i] += row * x;
        mirrored += own[i] * row;
      }
      store(out + 4 * column[j], mirrored);
    }
    const Pack x = load(own);
#pragma GCC unroll 4
    for (int i = 0; i < 4; ++i) s[i] += load(M + i * stride + 4 * last) * x;
    store(out + 4 * k, sums(s[0], s[1], s[2], s[3]));
    M += 4 * stride;
  }
}

/// L of one tile row from its rows of H, last row first: L_k = (H_k - Σ_{t>k} L_tk L_t) / sqrt(pivot). A pivot that is
/// not positive belongs to a direction without inertia: it becomes the smallest value, its row is cleared.
SINEW_INLINE void factor_tile_row(double* L, int count, double* diag_inv) {
  const int stride = 4 * count;
  double* own = L + stride - 4;
  double a[4][4], scale[4];
#pragma GCC unroll 4
  for (int i = 0; i < 4; ++i)
#pragma GCC unroll 4
    for (int c = 0; c <= i; ++c) a[i][c] = own[i * stride + c];
#pragma GCC unroll 4
  for (int k = 3; k >= 0; --k) {
#pragma GCC unroll 4
    for (int t = 3; t > k; --t)
#pragma GCC unroll 4
      for (int c = 0; c <= k; ++c) a[k][c] -= a[t][k] * a[t][c];
    const bool degenerate = a[k][k] < kMinVal;
    const double pivot = std::sqrt(degenerate ? kMinVal : a[k][k]);
    diag_inv[k] = 1 / pivot;
    scale[k] = degenerate ? 0.0 : diag_inv[k];
#pragma GCC unroll 4
    for (int c = 0; c < k; ++c) own[k * stride + c] = a[k][c] *= scale[k];
  }
  for (int j = 0; j < stride - 4; j += 4) {
    Pack row[4];
#pragma GCC unroll 4
    for (int k = 3; k >= 0; --k) {
      row[k] = load(L + k * stride + j);
#pragma GCC unroll 4
      for (int t = 3; t > k; --t) row[k] -= a[t][k] * row[t];
      row[k] *= scale[k];
      store(L + k * stride + j, row[k]);
    }
  }
}

/// target -= Pᵀ Q, three tiles.
SINEW_INLINE void subtract_product(double* target, int target_stride, const double* P, const double* Q, int stride) {
  Pack row[4];
#pragma GCC unroll 4
  for (int i = 0; i < 4; ++i) row[i] = load(target + i * target_stride);
  for (int t = 0; t < 4; ++t) {
    const Pack q = load(Q + t * stride);
#pragma GCC unroll 4
    for (int i = 0; i < 4; ++i) row[i] -= P[t * stride + i] * q;
  }
#pragma GCC unroll 4
  for (int i = 0; i < 4; ++i) store(target + i * target_stride, row[i]);
}

/// H = LᵀL in place. What stands right of the diagonal inside of its tiles means nothing afterwards.
SINEW_KERNEL void factor_tiles(const TilePattern& t, double* L, double* diag_inv) {
  for (int k = t.ntile - 1; k >= 0; --k) {
    const int count = t.count[k], stride = 4 * count;
    const int* column = t.column + t.begin[k];
    double* own = L + 16 * t.begin[k];
    factor_tile_row(own, count, diag_inv + 4 * k);
    for (int i = 0; i < count - 1; ++i) {
      const int earlier = column[i];
      double* target = L + 16 * t.begin[earlier];
      const int* slot = t.slot + earlier * t.ntile;
      for (int j = 0; j <= i; ++j)
        subtract_product(target + 4 * slot[column[j]], 4 * t.count[earlier], own + 4 * i, own + 4 * j, stride);
    }
  }
}

SINEW_KERNEL void solve_tiles(const TilePattern& t, const double* L, const double* diag_inv, double* y) {
  for (int k = t.ntile - 1; k >= 0; --k) {  // Lᵀ y' = y
    const int stride = 4 * t.count[k];
    const int* column = t.column + t.begin[k];
    const double *row = L + 16 * t.begin[k], *tile = row + stride - 4, *d = diag_inv + 4 * k;
    double* own = y + 4 * k;
    const double y3 = own[3] * d[3];
    const double y2 = (own[2] - tile[3 * stride + 2] * y3) * d[2];
    const double y1 = (own[1] - tile[3 * stride + 1] * y3 - tile[2 * stride + 1] * y2) * d[1];
    const double y0 = (own[0] - tile[3 * stride] * y3 - tile[2 * stride] * y2 - tile[stride] * y1) * d[0];
    store(own, Pack{y0, y1, y2, y3});
    for (int j = 0; j < t.count[k] - 1; ++j) {
      double* earlier = y + 4 * column[j];
      store(earlier, load(earlier) - y0 * load(row + 4 * j) - y1 * load(row + stride + 4 * j) -
                         y2 * load(row + 2 * stride + 4 * j) - y3 * load(row + 3 * stride + 4 * j));
    }
  }
  for (int k = 0; k < t.ntile; ++k) {  // L x = y'
    const int stride = 4 * t.count[k];
    const int* column = t.column + t.begin[k];
    const double *row = L + 16 * t.begin[k], *tile = row + stride - 4, *d = diag_inv + 4 * k;
    double* own = y + 4 * k;
    Pack s[4] = {};
    for (int j = 0; j < t.count[k] - 1; ++j) {
      const Pack x = load(y + 4 * column[j]);
#pragma GCC unroll 4
      for (int i = 0; i < 4; ++i) s[i] += load(row + i * stride + 4 * j) * x;
    }
    const Pack rest = load(own) - sums(s[0], s[1], s[2], s[3]);
    const double x0 = rest[0] * d[0];
    const double x1 = (rest[1] - tile[stride] * x0) * d[1];
    const double x2 = (rest[2] - tile[2 * stride] * x0 - tile[2 * stride + 1] * x1) * d[2];
    const double x3 = (rest[3] - tile[3 * stride] * x0 - tile[3 * stride + 1] * x1 - tile[3 * stride + 2] * x2) * d[3];
    store(own, Pack{x0, x1, x2, x3});
  }
}

/// z = Σ_j weight_j J_j over `count` rows of n numbers that follow one another.
SINEW_KERNEL void weigh_row(const double* J, const double* weight, int count, int n, double* z) {
  for (int k = 0; k < n; k += 4) {
    Pack v = weight[0] * load(J + k);
    for (int j = 1; j < count; ++j) v += weight[j] * load(J + j * n + k);
    store(z + k, v);
  }
}

/// `width` tiles of one tile row side by side: tile += Σ_r weight_r Z_r J_rᵀ.
template <int width>
SINEW_INLINE void add_product_tiles(double* const* tile, int stride, const ActiveRow* active, int nactive, int a,
                                    int c) {
  Pack sum[width][4];
#pragma GCC unroll 2
  for (int w = 0; w < width; ++w)
#pragma GCC unroll 4
    for (int i = 0; i < 4; ++i) sum[w][i] = load(tile[w] + i * stride);
  for (const ActiveRow* r = active; r != active + nactive; ++r) {
    Pack q[width];
#pragma GCC unroll 2
    for (int w = 0; w < width; ++w) q[w] = r->weight * load(r->J + c + 4 * w);
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
    for (int i = 0; i < 4; ++i) store(tile[w] + i * stride, sum[w][i]);
}

/// H += Σ_r weight_r Z_r J_rᵀ over the active rows of one block.
SINEW_KERNEL void add_product(const TilePattern& t, double* H, const PackedBlock& b, const ActiveRow* active,
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

constexpr int kMostTiles = 64;     // a tile row is a set of 64 bits
constexpr int kWholeTiles = 3;     // up to here the whole triangle is taken: to look for holes costs more
constexpr int kFewTiles = 10;      // up to here even a full matrix is quick
constexpr int kMostProducts = 16;  // a tile beyond that: the order of the tree fills in too much

constexpr std::uint64_t bit(int tile) { return std::uint64_t{1} << tile; }

/// The tiles of the columns of each block of J, as bits.
void find_block_tiles(const ConstraintProblem& p, std::uint64_t* tiles) {
  for (const RowBlock& b : p.blocks) {
    std::uint64_t bits = 0;
    for (int k = 0; k < b.nnz; ++k) bits |= bit(b.col[k] >> 2);
    *tiles++ = bits;
  }
}

/// The tiles up to the diagonal of each tile row that M and Jᵀ J have, as bits; then those that elimination fills.
void find_tiles(const ConstraintProblem& p, const std::uint64_t* block_tiles, std::uint64_t* left, int ntile,
                Scratch& scratch) {
  const TreeMatrix& M = p.M;
  std::uint64_t* above = scratch.take<std::uint64_t>(M.n);  // tiles of a dof and its ancestors
  for (int k = 0; k < ntile; ++k) left[k] = bit(k);
  for (int i = 0; i < M.n; ++i) {
    above[i] = bit(i >> 2);
    if (M.rownnz[i] > 1) above[i] |= above[M.colind[M.rowadr[i] + M.rownnz[i] - 2]];
    left[i >> 2] |= above[i];
  }
  for (std::size_t b = 0; b < p.blocks.size(); ++b)
    for (std::uint64_t bits = block_tiles[b]; bits & (bits - 1);) {  // a tile meets all those before it
      const int last = std::bit_width(bits) - 1;
      left[last] |= bits;
      bits &= ~bit(last);
    }
  // the row that elimination meets next gets all the others; they meet one another through it
  for (int k = ntile - 1; k > 0; --k) {
    const std::uint64_t earlier = left[k] & ~bit(k);
    if (earlier) left[std::bit_width(earlier) - 1] |= earlier;
  }
}

/// All tiles of a triangle of n tile rows.
template <int n>
struct WholeTriangle {
  int count[n], begin[n], column[n * (n + 1) / 2], slot[n * n];
  constexpr WholeTriangle() : count(), begin(), column(), slot() {
    for (int k = 0, total = 0; k < n; ++k) {
      count[k] = k + 1;
      begin[k] = total;
      for (int c = 0; c <= k; ++c) column[total++] = c;
      for (int c = 0; c < n; ++c) slot[k * n + c] = c;
    }
  }
};
template <int n>
TilePattern whole_triangle() {
  static constexpr WholeTriangle<n> whole;
  return {.ntile = n,
          .count = whole.count,
          .begin = whole.begin,
          .column = whole.column,
          .slot = whole.slot,
          .total = n * (n + 1) / 2};
}

TilePattern find_pattern(const ConstraintProblem& p, const std::uint64_t* block_tiles, Scratch& scratch) {
  TilePattern t;
  t.ntile = padded(p.M.n) / 4;
  std::uint64_t* left = scratch.take<std::uint64_t>(t.ntile);
  find_tiles(p, block_tiles, left, t.ntile, scratch);
  int* count = scratch.take<int>(static_cast<std::size_t>(2) * t.ntile);
  int* begin = count + t.ntile;
  int* slot = scratch.take<int>(static_cast<std::size_t>(t.ntile) * t.ntile);
  int* column = scratch.take<int>(static_cast<std::size_t>(t.ntile) * (t.ntile + 1) / 2);
  for (int k = 0; k < t.ntile; ++k) {
    begin[k] = t.total;
    for (std::uint64_t bits = left[k]; bits; bits &= bits - 1) {
      const int c = std::countr_zero(bits);
      slot[k * t.ntile + c] = t.total - begin[k];
      column[t.total++] = c;
    }
    count[k] = t.total - begin[k];
    t.nproduct += count[k] * (count[k] - 1) / 2;
  }
  t.count = count;
  t.begin = begin;
  t.slot = slot;
  t.column = column;
  return t;
}

}  // namespace

std::optional<TileSystem> TileSystem::cut(const ConstraintProblem& p, Scratch& scratch) {
  const int ntile = padded(p.M.n) / 4;
  if (ntile > kMostTiles) return {};
  std::uint64_t* block_tiles = scratch.take<std::uint64_t>(p.blocks.size());
  if (ntile <= kWholeTiles) {
    std::fill_n(block_tiles, p.blocks.size(), bit(ntile) - 1);
    const TilePattern whole = ntile == 1 ? whole_triangle<1>() : ntile == 2 ? whole_triangle<2>() : whole_triangle<3>();
    return TileSystem(p, whole, block_tiles, scratch);
  }
  find_block_tiles(p, block_tiles);
  const TilePattern pattern = find_pattern(p, block_tiles, scratch);
  if (ntile > kFewTiles && pattern.nproduct > kMostProducts * ntile) return {};
  return TileSystem(p, pattern, block_tiles, scratch);
}

TileSystem::TileSystem(const ConstraintProblem& p, const TilePattern& pattern, const std::uint64_t* block_tiles,
                       Scratch& scratch)
    : p_(p), posed_(p), n_(p.M.n), pattern_(pattern) {
  const int n = padded(n_);
  posed_.M = {};
  posed_.M.n = n;
  double* memory = scratch.take<double>(static_cast<std::size_t>(2) * n);
  pad(p.frc_smooth, memory);
  posed_.frc_smooth = memory;
  posed_.acc_smooth = nullptr;
  diag_inv_ = memory + n;
  pack_rows(block_tiles, scratch);
  fill_inertia(scratch);
}

void TileSystem::pad(const double* x, double* out) const {
  int i = 0;
  for (; i + 4 <= n_; i += 4) store(out + i, load(x + i));
  if (i == n_) return;
  store(out + i, Pack{});
  for (; i < n_; ++i) out[i] = x[i];
}

void TileSystem::pack_rows(const std::uint64_t* block_tiles, Scratch& scratch) {
  const std::size_t nblock = p_.blocks.size();
  blocks_ = scratch.take<PackedBlock>(nblock);
  units_ = scratch.take<UnitRow>(nblock);
  std::size_t numbers = 0;
  for (std::size_t b = 0; b < nblock; ++b)
    numbers += static_cast<std::size_t>(4) * p_.blocks[b].nrow * std::popcount(block_tiles[b]);
  double* J = scratch.take<double>(numbers);
  int* slot = scratch.take<int>(n_ + pattern_.ntile);  // where a column of the block stands in its packed row
  int* place = slot + n_;                              // and where a tile does
  PackedBlock* to = nullptr;
  std::uint64_t tiles = 0;  // of `to`
  int most_rows = 0, most_numbers = 0;
  for (std::size_t b = 0; b < nblock; ++b) {
    const RowBlock& from = p_.blocks[b];
    if (from.nnz == 1 && from.nrow == 1) {
      units_[nunit_++] = {from.row, from.col[0], from.J[0]};
      continue;
    }
    // rows in the same tiles that follow one another are one block
    if (block_tiles[b] != tiles || to->row + to->nrow != from.row) {
      tiles = block_tiles[b];
      int* pack = scratch.take<int>(pattern_.ntile);
      int npack = 0;
      for (std::uint64_t bits = tiles; bits; bits &= bits - 1) {
        const int tile = std::countr_zero(bits);
        place[tile] = 4 * (npack - tile);
        pack[npack++] = tile;
      }
      to = &blocks_[nblock_++];
      *to = {from.row, 0, npack, pack, J};
    }
    const int stride = 4 * to->npack;
    for (int k = 0; k < from.nnz; ++k) slot[k] = place[from.col[k] >> 2] + from.col[k];
    if (stride != from.nnz) std::fill_n(J, from.nrow * stride, 0.0);
    const double* value = from.J;
    for (int r = 0; r < from.nrow; ++r, J += stride)
      for (int k = 0; k < from.nnz; ++k) J[slot[k]] = *value++;
    to->nrow += from.nrow;
    most_rows = std::max(most_rows, to->nrow);
    most_numbers = std::max(most_numbers, to->nrow * stride);
  }
  weighted_ = scratch.take<double>(most_numbers);
  active_ = scratch.take<ActiveRow>(most_rows);
}

void TileSystem::fill_inertia(Scratch& scratch) {
  const TreeMatrix& M = p_.M;
  const TilePattern& t = pattern_;
  M_ = scratch.take<double>(static_cast<std::size_t>(16) * t.total);
  std::fill_n(M_, static_cast<std::size_t>(16) * t.total, 0.0);
  for (int i = 0; i < n_; ++i) {
    const int k = i >> 2;
    const int* slot = t.slot + k * t.ntile;
    double* line = M_ + 16 * t.begin[k] + static_cast<std::ptrdiff_t>((i & 3) * 4) * t.count[k];
    const auto place = [&](int column) { return line + 4 * slot[column >> 2] + (column & 3); };
    const int* col = M.colind + M.rowadr[i];
    const int nnz = M.rownnz[i];
    const double* value = M.value + M.rowadr[i];
    int j = 0;
    while (j + 4 <= nnz) {  // columns side by side stand in tiles side by side
      if (col[j + 3] == col[j] + 3) {
        store(place(col[j]), load(value + j));
        j += 4;
      } else {
        *place(col[j]) = value[j];
        ++j;
      }
    }
    for (; j < nnz; ++j) *place(col[j]) = value[j];
  }
  for (int k = 0; k < t.ntile; ++k) {  // the tiles on the diagonal are whole
    const int stride = 4 * t.count[k];
    double* tile = M_ + 16 * t.begin[k] + stride - 4;
    for (int i = 1; i < 4; ++i)
      for (int c = 0; c < i; ++c) tile[c * stride + i] = tile[i * stride + c];
  }
  for (int i = n_; i < 4 * t.ntile; ++i)  // what fills the last tile is a world of its own
    M_[16 * t.begin[i >> 2] + ((i & 3) + 1) * 4 * t.count[i >> 2] - 4 + (i & 3)] = 1;
}

void TileSystem::multiply_inertia(const double* v, double* out) const { multiply_tiles(pattern_, M_, v, out); }

void TileSystem::multiply_rows(const double* v, double* out) const {
  for (const UnitRow* u = units_; u != units_ + nunit_; ++u) out[u->row] = u->J * v[u->dof];
  multiply_blocks(blocks_, nblock_, v, out);
}

void TileSystem::multiply_rows_transposed(const double* f, double* out) const {
  std::fill_n(out, padded(n_), 0.0);
  for (const UnitRow* u = units_; u != units_ + nunit_; ++u) out[u->dof] += f[u->row] * u->J;
  add_blocks_transposed(blocks_, nblock_, f, out);
}

void TileSystem::solve_inertia(double* x) const { sinew::solve(p_.M, x); }

void TileSystem::prepare_factor(Scratch& scratch) {
  L_ = scratch.take<double>(static_cast<std::size_t>(16) * pattern_.total);
}

void TileSystem::add_rows(const PackedBlock& block, const int* state, const double* cone_hessian) {
  const int stride = 4 * block.npack;
  int nactive = 0;
  for (int r = 0; r < block.nrow; ++r) {
    const int row = block.row + r, s = state[row];
    if (s != kQuadratic && s != kCone) continue;
    const double* J = block.J + r * stride;
    const RowWeights w = row_weights(p_, row, s, cone_hessian);
    ActiveRow& active = active_[nactive++];
    active = {J, J, *w.weight};
    if (s == kQuadratic) continue;
    double* z = weighted_ + r * stride;
    weigh_row(block.J + (w.first - block.row) * stride, w.weight, w.count, stride, z);
    active = {J, z, 1};
  }
  if (nactive > 0) add_product(pattern_, L_, block, active_, nactive);
}

void TileSystem::factor(const int* state, const double* cone_hessian) {
  const TilePattern& t = pattern_;
  std::copy_n(M_, static_cast<std::size_t>(16) * t.total, L_);
  for (const UnitRow* u = units_; u != units_ + nunit_; ++u) {
    if (state[u->row] != kQuadratic) continue;
    const int k = u->dof >> 2, i = u->dof & 3;
    L_[16 * t.begin[k] + (i + 1) * 4 * t.count[k] - 4 + i] += p_.D[u->row] * u->J * u->J;
  }
  for (const PackedBlock* b = blocks_; b != blocks_ + nblock_; ++b) add_rows(*b, state, cone_hessian);
  factor_tiles(t, L_, diag_inv_);
}

void TileSystem::solve(double* x) const { solve_tiles(pattern_, L_, diag_inv_, x); }

}  // namespace sinew
