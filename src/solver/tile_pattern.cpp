#include "solver/tile_pattern.h"

#include <bit>

#include "math/pack.h"

namespace sinew {
namespace {

/// The nonzero tiles of M and Jᵀ J up to the diagonal of each tile row, as bits; then the fill-in of elimination.
void find_tiles(const ConstraintProblem& p, const std::uint64_t* block_tiles, std::uint64_t* left, int ntile,
                Scratch& scratch) {
  const TreeMatrix& M = p.M;
  std::uint64_t* above = scratch.take<std::uint64_t>(M.n);  // tiles of a dof and its ancestors
  for (int k = 0; k < ntile; ++k) left[k] = tile_bit(k);
  for (int i = 0; i < M.n; ++i) {
    above[i] = tile_bit(i >> 2);
    if (M.rownnz[i] > 1) above[i] |= above[M.colind[M.rowadr[i] + M.rownnz[i] - 2]];
    left[i >> 2] |= above[i];
  }
  for (std::size_t b = 0; b < p.blocks.size(); ++b)
    for (std::uint64_t bits = block_tiles[b]; bits & (bits - 1);) {  // a tile is coupled to all those before it
      const int last = std::bit_width(bits) - 1;
      left[last] |= bits;
      bits &= ~tile_bit(last);
    }
  // the next row to be eliminated inherits all the others, which become coupled through it
  for (int k = ntile - 1; k > 0; --k) {
    const std::uint64_t earlier = left[k] & ~tile_bit(k);
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
TilePattern triangle() {
  static constexpr WholeTriangle<n> whole;
  return {.ntile = n,
          .count = whole.count,
          .begin = whole.begin,
          .column = whole.column,
          .slot = whole.slot,
          .total = n * (n + 1) / 2};
}

}  // namespace

void find_block_tiles(const ConstraintProblem& p, std::uint64_t* block_tiles) {
  for (const RowBlock& b : p.blocks) {
    std::uint64_t bits = 0;
    for (int k = 0; k < b.nnz; ++k) bits |= tile_bit(b.col[k] >> 2);
    *block_tiles++ = bits;
  }
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
  int nproduct = 0;  // of two tiles, in the factorization
  for (int k = 0; k < t.ntile; ++k) {
    begin[k] = t.total;
    for (std::uint64_t bits = left[k]; bits; bits &= bits - 1) {
      const int c = std::countr_zero(bits);
      slot[k * t.ntile + c] = t.total - begin[k];
      column[t.total++] = c;
    }
    count[k] = t.total - begin[k];
    nproduct += count[k] * (count[k] - 1) / 2;
  }
  if (t.ntile > kDenseTiles && nproduct > kMostProducts * t.ntile) return {};
  t.count = count;
  t.begin = begin;
  t.slot = slot;
  t.column = column;
  return t;
}

TilePattern whole_triangle(int ntile) {
  static_assert(kWholeTiles == 3);
  return ntile == 1 ? triangle<1>() : ntile == 2 ? triangle<2>() : triangle<3>();
}

}  // namespace sinew
