#pragma once

#include <cstdint>

#include "base/arena.h"
#include "solver/problem.h"

namespace sinew {

// Thresholds, in tile rows of four dofs. Times are for a whole Newton solve. Changing a threshold changes the bits of
// results: tiles and panels eliminate in different orders.

/// Up to 12 dofs all tiles of the triangle are treated as present. Looking for absent ones costs a branch of 12 dofs
/// 4.0 µs instead of 3.6, and gains little if there are some: 1.6 µs instead of 1.8 for decoupled dofs.
inline constexpr int kWholeTiles = 3;

/// Up to 40 dofs tiles are used whatever the fill-in: a branch, with all tiles of the triangle, takes 31 µs in tiles
/// and 61 in panels at 40 dofs. (At 80 it is still 142 and 208.)
inline constexpr int kDenseTiles = 10;

/// Beyond that only if the factorization takes at most this many products of two tiles per tile row: free bodies in
/// contact with one another take 0.4 to 0.65 of the time of panels up to here, 0.65 to 0.85 at 30 products, equal time
/// at 45 to 60, and 1.4 times as long at 110.
inline constexpr int kMostProducts = 16;

/// Beyond 256 dofs there are only panels: the tiles of a row are a 64-bit set.
inline constexpr int kMostTiles = 64;

/// The nonzero 4 x 4 tiles of H = M + Jᵀ W J and of its factor. Tile row k holds the tiles of `column`, ascending, the
/// diagonal one last, as four rows of 4 count[k] entries.
struct TilePattern {
  int ntile = 0;
  const int* count = nullptr;   // tiles of each row
  const int* begin = nullptr;   // first tile of each row, counted over all rows
  const int* column = nullptr;  // by tile
  const int* slot = nullptr;    // [row * ntile + column]: index of the tile within its row
  int total = 0;
};

/// The tiles of the columns of each block of J, as bits.
void find_block_tiles(const ConstraintProblem& p, std::uint64_t* block_tiles);

/// The tiles of H and its factor, or none (ntile = 0) if they would cost more than a better elimination order.
TilePattern find_pattern(const ConstraintProblem& p, const std::uint64_t* block_tiles, Scratch& scratch);

/// All tiles of a triangle of up to kWholeTiles tile rows.
TilePattern whole_triangle(int ntile);

constexpr std::uint64_t tile_bit(int tile) { return std::uint64_t{1} << tile; }

}  // namespace sinew
