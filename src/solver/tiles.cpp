#include "solver/tiles.h"

#include <bit>

#include "solver/primal.h"
#include "solver/primal_point.h"

namespace sinew {

SINEW_KERNEL std::optional<TileSystem> TileSystem::cut(const ConstraintProblem& p, Scratch& scratch) {
  const int ntile = padded(p.M.n) / 4;
  if (ntile > kMostTiles) return {};
  std::uint64_t* block_tiles = scratch.take<std::uint64_t>(p.blocks.size());
  TilePattern pattern;
  if (ntile <= kWholeTiles) {
    std::fill_n(block_tiles, p.blocks.size(), bit(ntile) - 1);
    pattern = whole_triangle(ntile);
  } else {
    find_block_tiles(p, block_tiles);
    pattern = find_pattern(p, block_tiles, scratch);
  }
  if (pattern.ntile == 0) return {};
  std::optional<TileSystem> system = TileSystem(p, pattern, scratch);
  system->pack_rows(block_tiles, scratch);
  system->fill_inertia(scratch);
  return system;
}

TileSystem::TileSystem(const ConstraintProblem& p, const TilePattern& pattern, Scratch& scratch)
    : p_(p), posed_(p), n_(p.M.n), pattern_(pattern) {
  const int n = padded(n_);
  posed_.M = {};
  posed_.M.n = n;
  double* memory = scratch.take<double>(static_cast<std::size_t>(2) * n);
  pad(p.frc_smooth, memory);
  posed_.frc_smooth = memory;
  posed_.acc_smooth = nullptr;
  diag_inv_ = memory + n;
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

SINEW_KERNEL void TileSystem::row_accelerations(const double* acc, double* jar, Scratch& scratch) const {
  double* v = scratch.take<double>(padded(n_));
  pad(acc, v);
  multiply_rows(v, jar);
  in_packs(p_.nefc, [&]<class T>(int i) SINEW_INLINED { give(jar + i, take<T>(jar + i) - take<T>(p_.aref + i)); });
}

SINEW_KERNEL const double* TileSystem::inertia_times(const double* acc, Scratch& scratch) const {
  double* v = scratch.take<double>(static_cast<std::size_t>(2) * padded(n_));
  double* Ma = v + padded(n_);
  pad(acc, v);
  multiply_inertia(v, Ma);
  return Ma;
}

SINEW_KERNEL void solve_newton(TileSystem& system, const SolverOptions& options, Solution& x, Arena& arena) {
  Scratch scratch(arena);
  const int n = system.ndof(), padded = system.problem().M.n;
  double* memory = scratch.take<double>(static_cast<std::size_t>(3) * padded);
  Solution y = x;
  y.acc = memory;
  y.frc_constraint = memory + padded;
  system.pad(x.acc, y.acc);
  if (x.Ma) {
    system.pad(x.Ma, memory + 2 * padded);
    y.Ma = memory + 2 * padded;
  }
  iterate_newton(system, options, y, arena);
  x.niter = y.niter;
  x.lost_precision = y.lost_precision;
  copy(y.acc, n, x.acc);
  copy(y.frc_constraint, n, x.frc_constraint);
}

}  // namespace sinew
