#include "solver/tiles.h"

#include <bit>

#include "solver/primal.h"
#include "solver/primal_point.h"

namespace sinew {
namespace {

/// Contiguous columns that are contiguous in tiles as well.
struct ColumnRun {
  int from, to, count;  // start in the sparse and in the packed row
};

SINEW_INLINE int find_runs(const int* col, int nnz, const int* place, ColumnRun* runs) {
  int nrun = 0;
  for (int begin = 0; begin < nnz;) {
    int end = begin + 1;
    if (col[nnz - 1] - col[begin] == nnz - 1 - begin)
      end = nnz;
    else
      while (end < nnz && col[end] == col[end - 1] + 1) ++end;
    runs[nrun++] = {begin, place[col[begin] >> 2] + col[begin], end - begin};
    begin = end;
  }
  return nrun;
}

}  // namespace

SINEW_KERNEL std::optional<TileSystem> TileSystem::cut(const ConstraintProblem& p, Scratch& scratch) {
  std::optional<TileSystem> system;
  const int ntile = padded(p.M.n) / 4;
  if (ntile == 0 || ntile > kMostTiles) return system;
  std::uint64_t* block_tiles = scratch.take<std::uint64_t>(p.blocks.size());
  TilePattern pattern;
  if (ntile <= kWholeTiles) {
    std::fill_n(block_tiles, p.blocks.size(), tile_bit(ntile) - 1);
    pattern = whole_triangle(ntile);
  } else {
    find_block_tiles(p, block_tiles);
    pattern = find_pattern(p, block_tiles, scratch);
  }
  if (pattern.ntile == 0) return system;
  system.emplace(p, pattern);

  // memory of the vectors, M and the rows; the last two start as zeros
  const int n = padded(p.M.n), inertia = 16 * pattern.total;
  std::size_t rows = 0;
  for (std::size_t b = 0; b < p.blocks.size(); ++b)
    rows += static_cast<std::size_t>(4) * p.blocks[b].nrow * std::popcount(block_tiles[b]);
  double* memory = scratch.take<double>(inertia + rows + 12 + static_cast<std::size_t>(2) * n);
  for (double* x = memory; x < memory + inertia + rows; x += 16)
#pragma GCC unroll 4
    for (int k = 0; k < 16; k += 4) store_pack(x + k, Pack{});
  system->fill_inertia(memory);
  system->pack_rows(block_tiles, memory + inertia, scratch);
  double* frc = memory + inertia + rows;
  system->pad(p.frc_smooth, frc);
  system->posed_.frc_smooth = frc;
  system->diag_inv_ = frc + n;
  return system;
}

TileSystem::TileSystem(const ConstraintProblem& p, const TilePattern& pattern)
    : p_(p), posed_(p), n_(p.M.n), pattern_(pattern) {
  posed_.M = {};
  posed_.M.n = padded(n_);
  posed_.acc_smooth = nullptr;
}

void TileSystem::pack_rows(const std::uint64_t* block_tiles, double* J, Scratch& scratch) {
  const std::size_t nblock = p_.blocks.size();
  blocks_ = scratch.take<PackedBlock>(nblock);
  units_ = scratch.take<UnitRow>(nblock);
  int* place = scratch.take<int>(pattern_.ntile);  // offset of a tile's columns in a packed row, in dofs
  ColumnRun* runs = scratch.take<ColumnRun>(n_);
  PackedBlock* to = nullptr;
  std::uint64_t tiles = 0;  // of `to`
  int most_rows = 0, most_numbers = 0;
  for (std::size_t b = 0; b < nblock; ++b) {
    const RowBlock& from = p_.blocks[b];
    if (from.nnz == 1 && from.nrow == 1) {
      units_[nunit_++] = {from.row, from.col[0], from.J[0]};
      continue;
    }
    // consecutive rows in the same tiles form one block
    if (!to || block_tiles[b] != tiles || to->row + to->nrow != from.row) {
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
    const int stride = 4 * to->npack, nrun = find_runs(from.col, from.nnz, place, runs);
    const double* value = from.J;
    for (int r = 0; r < from.nrow; ++r, J += stride, value += from.nnz)
      for (const ColumnRun* run = runs; run != runs + nrun; ++run) copy_few(value + run->from, run->count, J + run->to);
    to->nrow += from.nrow;
    most_rows = std::max(most_rows, to->nrow);
    most_numbers = std::max(most_numbers, to->nrow * stride);
  }
  weighted_ = scratch.take<double>(most_numbers);
  active_ = scratch.take<ActiveRow>(most_rows);
}

void TileSystem::fill_inertia(double* zeros) {
  const TreeMatrix& M = p_.M;
  const TilePattern& t = pattern_;
  M_ = zeros;
  double* line = M_;
  for (int k = 0; k < t.ntile; ++k) {
    const int stride = 4 * t.count[k], end = std::min(4 * k + 4, n_);
    const int* slot = t.slot + k * t.ntile;
    double* tile = line + stride - 4;
    for (int i = 4 * k; i < end; ++i, line += stride) {
      const int nnz = M.rownnz[i];
      const int* col = M.colind + M.rowadr[i];
      const double* value = M.value + M.rowadr[i];
      const auto place = [&](int column) SINEW_INLINED { return line + 4 * slot[column >> 2] + (column & 3); };
      int j = 0;
      while (col[j] != i - (nnz - 1 - j)) {  // a body that is not the last child of its parent
        *place(col[j]) = value[j];
        ++j;
      }
      copy_few(value + j, nnz - j, place(col[j]));  // contiguous columns are contiguous in tiles
    }
#pragma GCC unroll 4
    for (int i = 1; i < 4; ++i)  // the diagonal tile is stored in full
#pragma GCC unroll 4
      for (int c = 0; c < i; ++c) tile[c * stride + i] = tile[i * stride + c];
    for (int i = end; i < 4 * k + 4; ++i, line += stride) line[stride - 4 + (i & 3)] = 1;  // identity row for padding
  }
}

template <int count>
void TileSystem::row_accelerations_of(const double* const* acc, double* const* jar, Scratch& scratch) const {
  double* memory = scratch.take<double>(static_cast<std::size_t>(count) * padded(n_));
  double* v[count];
#pragma GCC unroll 2
  for (int c = 0; c < count; ++c) {
    v[c] = memory + static_cast<std::ptrdiff_t>(c) * padded(n_);
    pad(acc[c], v[c]);
    for (const UnitRow* u = units_; u != units_ + nunit_; ++u) jar[c][u->row] = u->J * v[c][u->dof];
  }
  multiply_blocks<count>(blocks_, nblock_, v, jar);
  in_packs(p_.nefc, [&]<class T>(int i) SINEW_INLINED {
    const T aref = load_as<T>(p_.aref + i);
#pragma GCC unroll 2
    for (int c = 0; c < count; ++c) store_as(jar[c] + i, load_as<T>(jar[c] + i) - aref);
  });
}
// Not a kernel: only worlds without a warm start ask for one alone.
void TileSystem::row_accelerations(const double* acc, double* jar, Scratch& scratch) const {
  row_accelerations_of<1>(&acc, &jar, scratch);
}
SINEW_KERNEL void TileSystem::row_accelerations(const double* const acc[2], double* const jar[2],
                                                Scratch& scratch) const {
  row_accelerations_of<2>(acc, jar, scratch);
}

SINEW_KERNEL const double* TileSystem::inertia_times(const double* acc, Scratch& scratch) const {
  double* v = scratch.take<double>(static_cast<std::size_t>(2) * padded(n_));
  double* Ma = v + padded(n_);
  pad(acc, v);
  multiply_inertia(v, Ma);
  return Ma;
}

SINEW_KERNEL void solve_newton(TileSystem& system, const SolverOptions& options, const Start& start, Solution& x,
                               Arena& arena) {
  Scratch scratch(arena);
  const int n = system.ndof(), padded = system.problem().M.n;
  double* memory = scratch.take<double>(static_cast<std::size_t>(3) * padded);
  Solution y = x;
  y.acc = memory;
  y.frc_constraint = memory + padded;
  system.pad(x.acc, y.acc);
  Start padded_start = start;
  if (start.Ma) {
    system.pad(start.Ma, memory + 2 * padded);
    padded_start.Ma = memory + 2 * padded;
  }
  iterate_newton(system, options, padded_start, y, arena);
  x.niter = y.niter;
  x.lost_precision = y.lost_precision;
  copy_numbers(y.acc, n, x.acc);
  copy_numbers(y.frc_constraint, n, x.frc_constraint);
}

}  // namespace sinew
