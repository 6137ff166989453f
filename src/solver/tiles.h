#pragma once

#include <cstdint>
#include <optional>

#include "base/arena.h"
#include "solver/problem.h"

namespace sinew {

/// Rows of J on common columns, cut into packs of four dofs: row r holds `npack` packs, those of the dofs
/// 4 pack[k] … 4 pack[k] + 3, with zeros where the row has no column.
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

/// An active row and the same row of W J; where W is the number D alone, Z is J and the weight stands beside it.
struct ActiveRow {
  const double* J = nullptr;
  const double* Z = nullptr;
  double weight = 0;
};

/// Which 4 x 4 tiles of H = M + Jᵀ W J and of its factor are there. Tile row k holds the tiles of `column`, ascending,
/// its own last, as four rows of 4 count[k] numbers.
struct TilePattern {
  int ntile = 0;
  const int* count = nullptr;   // tiles of each row
  const int* begin = nullptr;   // first tile of each row, counted over all rows
  const int* column = nullptr;  // by tile
  const int* slot = nullptr;    // [row * ntile + column]: which tile of its row that is
  int total = 0;
  int nproduct = 0;  // products of two tiles that the factor takes
};

/// The constraint problem of few dofs, or of bodies in a row, in a form without gathers: vectors are padded with zeros
/// to whole packs of four, J is cut into packs, M, H and its factor into tiles of 4 x 4. The factor is H = LᵀL, which
/// eliminates the last dof first: the inertia of a tree then has no fill-in.
class TileSystem {
 public:
  /// The problem in tiles, or nothing where that would cost more than a better order of elimination (Hessian).
  static std::optional<TileSystem> cut(const ConstraintProblem& p, Scratch& scratch);

  /// The same problem on padded vectors; M's entries are not there, only its padded size.
  const ConstraintProblem& problem() const { return posed_; }
  int ndof() const { return n_; }
  /// x with zeros up to the padded size.
  void pad(const double* x, double* out) const;

  void multiply_inertia(const double* v, double* out) const;          // out = M v
  void multiply_rows(const double* v, double* out) const;             // out = J v
  void multiply_rows_transposed(const double* f, double* out) const;  // out = Jᵀ f
  void solve_inertia(double* x) const;                                // x := M⁻¹ x

  /// Takes the memory of H. Then: assembles H for these states and factors it. W is D on the rows in the quadratic
  /// state and the cone's own Hessian (36 numbers for each cone) on contacts in their middle zone.
  void prepare_factor(Scratch& scratch);
  void factor(const int* state, const double* cone_hessian);
  void solve(double* x) const;  // x := H⁻¹ x

 private:
  TileSystem(const ConstraintProblem& p, const TilePattern& pattern, const std::uint64_t* block_tiles,
             Scratch& scratch);
  void pack_rows(const std::uint64_t* block_tiles, Scratch& scratch);
  void fill_inertia(Scratch& scratch);
  void add_rows(const PackedBlock& block, const int* state, const double* cone_hessian);

  const ConstraintProblem& p_;
  ConstraintProblem posed_;
  int n_ = 0;
  PackedBlock* blocks_ = nullptr;
  int nblock_ = 0;
  UnitRow* units_ = nullptr;
  int nunit_ = 0;
  TilePattern pattern_;
  double* M_ = nullptr;  // tiles; those on the diagonal are whole
  double* L_ = nullptr;  // tiles of H, then of its factor
  double* diag_inv_ = nullptr;
  double* weighted_ = nullptr;  // W J of one block's rows
  ActiveRow* active_ = nullptr;
};

}  // namespace sinew
