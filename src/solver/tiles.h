#pragma once

#include <optional>

#include "base/arena.h"
#include "solver/cost.h"
#include "solver/tile_kernels.h"
#include "solver/tree_matrix.h"

namespace sinew {

/// The constraint problem of few dofs, or of loosely coupled bodies, in a form without gathers: vectors are zero-padded
/// to whole packs of four, J is split into packs, M, H and its factor into tiles of 4 x 4. The factor is H = Lᵀ D L,
/// which eliminates the last dof first: the inertia of a tree then has no fill-in.
class TileSystem {
 public:
  /// The problem in tiles, or nullopt if that would cost more than a better elimination order (Hessian).
  static std::optional<TileSystem> cut(const ConstraintProblem& p, Scratch& scratch);
  TileSystem(const ConstraintProblem& p, const TilePattern& pattern);  // still empty: filled by `cut`

  /// The same problem on padded vectors; of M it has only the padded size, not the entries.
  const ConstraintProblem& problem() const { return posed_; }
  int ndof() const { return n_; }

  /// jar = J acc - aref for one or two accelerations, and M acc, for accelerations that are not padded. M acc has n
  /// entries in the caller's scratch.
  void row_accelerations(const double* acc, double* jar, Scratch& scratch) const;
  void row_accelerations(const double* const acc[2], double* const jar[2], Scratch& scratch) const;
  const double* inertia_times(const double* acc, Scratch& scratch) const;

  /// x zero-padded to the padded size.
  SINEW_INLINE void pad(const double* x, double* out) const {
    int i = 0;
    for (; i + 4 <= n_; i += 4) store_pack(out + i, load_pack(x + i));
    if (i == n_) return;
    store_pack(out + i, Pack{});
    for (; i < n_; ++i) out[i] = x[i];
  }

  /// out = M v, out = J v, out = Jᵀ f
  SINEW_INLINE void multiply_inertia(const double* v, double* out) const { multiply_tiles(pattern_, M_, v, out); }
  SINEW_INLINE void multiply_rows(const double* v, double* out) const {
    for (const UnitRow* u = units_; u != units_ + nunit_; ++u) out[u->row] = u->J * v[u->dof];
    multiply_blocks<1>(blocks_, nblock_, &v, &out);
  }
  SINEW_INLINE void multiply_rows_transposed(const double* f, double* out) const {
    for (int i = 0; i < n_; i += 4) store_pack(out + i, Pack{});
    for (const UnitRow* u = units_; u != units_ + nunit_; ++u) out[u->dof] += f[u->row] * u->J;
    add_blocks_transposed(blocks_, nblock_, f, out);
  }
  /// x := M⁻¹ x
  void solve_inertia(double* x) const { solve_tree(p_.M, x); }

  /// Allocates H. Then: assembles H for these states and factors it. W is D for rows in the quadratic state and the
  /// cone's Hessian (36 entries per cone) for contacts in their middle zone.
  void prepare_factor(Scratch& scratch) {
    L_ = scratch.take<double>(static_cast<std::size_t>(16) * (pattern_.total + pattern_.ntile));
    U_ = L_ + static_cast<std::ptrdiff_t>(16) * pattern_.total;
  }
  SINEW_INLINE void factor(const int* state, const double* cone_hessian) {
    const TilePattern& t = pattern_;
    copy_tiles(M_, t.total, L_);
    for (const UnitRow* u = units_; u != units_ + nunit_; ++u) {
      if (state[u->row] != kQuadratic) continue;
      const int k = u->dof >> 2, i = u->dof & 3;
      L_[16 * t.begin[k] + (i + 1) * 4 * t.count[k] - 4 + i] += p_.D[u->row] * u->J * u->J;
    }
    for (const PackedBlock* b = blocks_; b != blocks_ + nblock_; ++b)
      if (const int nactive = collect_active(*b, state, cone_hessian)) add_product(t, L_, *b, active_, nactive);
    factor_tiles(t, L_, diag_inv_, U_);
  }
  SINEW_INLINE void solve(double* x) const { solve_tiles(pattern_, L_, diag_inv_, x); }  // x := H⁻¹ x

 private:
  SINEW_INLINE void pack_rows(const std::uint64_t* block_tiles, double* J, Scratch& scratch);
  SINEW_INLINE void fill_inertia(double* zeros);
  template <int count>
  SINEW_INLINE void row_accelerations_of(const double* const* acc, double* const* jar, Scratch& scratch) const;

  /// The rows of a block that have curvature, with the rows of W J.
  SINEW_INLINE int collect_active(const PackedBlock& block, const int* state, const double* cone_hessian) {
    const int stride = 4 * block.npack;
    int nactive = 0;
    for (int r = 0; r < block.nrow; ++r) {
      const int row = block.row + r;
      const double* J = block.J + r * stride;
      if (state[row] == kQuadratic) active_[nactive++] = {J, J, p_.D[row]};
      if (state[row] != kCone) continue;
      const RowWeights w = row_weights(p_, row, kCone, cone_hessian);
      double* z = weighted_ + r * stride;
      weigh_row(block.J + (w.first - block.row) * stride, w.weight, w.count, stride, z);
      active_[nactive++] = {J, z, 1};
    }
    return nactive;
  }

  const ConstraintProblem& p_;
  ConstraintProblem posed_;
  int n_ = 0;
  PackedBlock* blocks_ = nullptr;
  int nblock_ = 0;
  UnitRow* units_ = nullptr;
  int nunit_ = 0;
  TilePattern pattern_;
  double* M_ = nullptr;  // tiles; those on the diagonal are stored in full
  double* L_ = nullptr;  // tiles of H, then of its factor
  double* U_ = nullptr;  // a tile row, for the factor
  double* diag_inv_ = nullptr;
  double* weighted_ = nullptr;  // W J of one block's rows
  ActiveRow* active_ = nullptr;
};

}  // namespace sinew
