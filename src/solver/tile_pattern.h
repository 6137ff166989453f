#pragma once

#include <cstdint>

#include "base/arena.h"
#include "solver/problem.h"

namespace sinew {

// Thresholds, in tile rows of four dofs.
inline constexpr int kWholeTiles = 3;
inline constexpr int kDenseTiles = 10;
inline constexpr int kMostTiles = 64;
inline constexpr int kMostProducts = 16;

/// Which 4 x 4 tiles of H = M + Jᵀ W J and of its factor are there. Tile row k holds the tiles of `column`, ascending,
/// its own last, as four rows of 4 count[k] numbers.
struct TilePattern {
  int ntile = 0;
  const int* count = nullptr;   // tiles of each row
  const int* begin = nullptr;   // first tile of each row, counted over all rows
  const int* column = nullptr;  // by tile
  const int* slot = nullptr;    // [row * ntile + column]: which tile of its row that is
  int total = 0;
};

/// The tiles of the columns of each block of J, as bits.
void find_block_tiles(const ConstraintProblem& p, std::uint64_t* block_tiles);

/// The tiles of H and its factor, or none (ntile = 0) where they would cost more than a better order of elimination.
TilePattern find_pattern(const ConstraintProblem& p, const std::uint64_t* block_tiles, Scratch& scratch);

/// All tiles of a triangle of up to kWholeTiles tile rows.
TilePattern whole_triangle(int ntile);

constexpr std::uint64_t tile_bit(int tile) { return std::uint64_t{1} << tile; }

}  // namespace sinew
