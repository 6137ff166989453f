#include "solver/start.h"

#include <algorithm>
#include <cmath>

#include "math/pack.h"
#include "solver/cost.h"
#include "solver/dual.h"
#include "solver/rows.h"
#include "solver/tiles.h"
#include "solver/tree_matrix.h"

namespace sinew {
namespace {

/// The products needed for the start, on the tiles if the solver will use them, otherwise on the rows themselves.
class Products {
 public:
  Products(const ConstraintProblem& p, const TileSystem* tiles, Arena& arena) : p_(p), tiles_(tiles), arena_(arena) {}

  /// jar = J acc - aref
  void row_accelerations(const double* acc, double* jar) const {
    Scratch scratch(arena_);
    if (tiles_) return tiles_->row_accelerations(acc, jar, scratch);
    multiply_rows(p_.blocks, acc, jar, arena_);
    for (int i = 0; i < p_.nefc; ++i) jar[i] -= p_.aref[i];
  }

  void row_accelerations(const double* const acc[2], double* const jar[2]) const {
    Scratch scratch(arena_);
    if (tiles_) return tiles_->row_accelerations(acc, jar, scratch);
    for (int i = 0; i < 2; ++i) row_accelerations(acc[i], jar[i]);
  }

  /// M acc, in the caller's scratch
  const double* inertia_times(const double* acc, Scratch& scratch) const {
    if (tiles_) return tiles_->inertia_times(acc, scratch);
    double* Ma = scratch.take<double>(p_.M.n);
    multiply_inertia(p_, acc, Ma);
    return Ma;
  }

 private:
  const ConstraintProblem& p_;
  const TileSystem* tiles_;
  Arena& arena_;
};

/// (a - b)·(c - d)
double dot_of_differences(const double* a, const double* b, const double* c, const double* d, int n) {
  Pack s = {};
  int i = 0;
  for (; i + 4 <= n; i += 4) s += (load_pack(a + i) - load_pack(b + i)) * (load_pack(c + i) - load_pack(d + i));
  double tail = 0;
  for (; i < n; ++i) tail += (a[i] - b[i]) * (c[i] - d[i]);
  return lane_sum(s) + tail;
}

/// PGS starts with the forces of the rows at `warm` if their dual cost is below that of zero forces.
void choose_forces(const ConstraintProblem& p, const double* jar, const Solution& x, Arena& arena) {
  evaluate_rows(p, jar, x.force, x.state, nullptr);
  if (dual_cost(p, x.force, arena) > 0) std::fill_n(x.force, p.nefc, 0.0);
}

}  // namespace

Start choose_start(const ConstraintProblem& p, const TileSystem* tiles, const SolverOptions& options,
                   const double* warm, bool whole, const Solution& x, Scratch& scratch, Arena& arena) {
  const Products products(p, tiles, arena);
  const bool forces = options.method == SolverMethod::PGS;
  Start start;
  copy_numbers(p.acc_smooth, p.M.n, x.acc);
  if (forces) {
    std::fill_n(x.force, p.nefc, 0.0);
  } else {
    start.jar = x.b;
    start.Ma = p.K ? products.inertia_times(p.acc_smooth, scratch) : p.frc_smooth;
  }
  if (!warm) {
    products.row_accelerations(p.acc_smooth, x.b);
    return start;
  }

  double* jar = scratch.take<double>(p.nefc);
  const double* const both[] = {p.acc_smooth, warm};
  double* const results[] = {x.b, jar};
  products.row_accelerations(both, results);
  if (forces) {
    choose_forces(p, jar, x, arena);
    return start;
  }
  const double* Mw = products.inertia_times(warm, scratch);
  double cost = 0.5 * dot_of_differences(Mw, p.frc_smooth, warm, p.acc_smooth, p.M.n);
  if (whole) {
    if (p.elliptic) start.cone_hessian = scratch.take<double>(kConeHessian * p.cones.size());
    start.rows = evaluate_rows(p, jar, x.force, x.state, start.cone_hessian);
    cost += start.rows.cost;
  } else {
    cost += row_cost(p, jar);
  }
  if (cost > row_cost(p, x.b)) return start;
  // the smooth acceleration of a singular inertia is not finite, which has to be detected: no warm start may replace it
  const auto finite = [](double a) { return std::isfinite(a); };
  if (!std::isfinite(cost) && !std::all_of(p.acc_smooth, p.acc_smooth + p.M.n, finite)) return start;
  copy_numbers(warm, p.M.n, x.acc);
  start.jar = jar;
  start.Ma = Mw;
  start.evaluated = whole;
  return start;
}

}  // namespace sinew
