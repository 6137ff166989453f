#include "constraint/solve.h"

#include <algorithm>
#include <optional>

#include "constraint/problem_view.h"
#include "dynamics/inertia.h"
#include "math/pack.h"
#include "solver/cost.h"
#include "solver/dual.h"
#include "solver/noslip.h"
#include "solver/pgs.h"
#include "solver/primal.h"
#include "solver/rows.h"
#include "solver/tiles.h"

namespace sinew {
namespace {

/// The products that the start needs, on the tiles where the solver will work on them, else on the rows themselves.
class Products {
 public:
  Products(const Model& m, Data& d, const ConstraintProblem& p, const TileSystem* tiles)
      : m_(m), d_(d), p_(p), tiles_(tiles) {}

  /// jar = J acc - aref
  void row_accelerations(const double* acc, double* jar) const {
    Scratch scratch(d_.scratch());
    if (tiles_) return tiles_->row_accelerations(acc, jar, scratch);
    multiply(p_.blocks, acc, jar, d_.scratch());
    for (int i = 0; i < p_.nefc; ++i) jar[i] -= p_.aref[i];
  }

  void row_accelerations(const double* const acc[2], double* const jar[2]) const {
    Scratch scratch(d_.scratch());
    if (tiles_) return tiles_->row_accelerations(acc, jar, scratch);
    for (int i = 0; i < 2; ++i) row_accelerations(acc[i], jar[i]);
  }

  /// M acc, in the caller's scratch
  const double* inertia_times(const double* acc, Scratch& scratch) const {
    if (tiles_) return tiles_->inertia_times(acc, scratch);
    double* Ma = scratch.take<double>(m_.nv);
    mul_tree_sparse(m_, d_.M.data(), acc, Ma);
    return Ma;
  }

 private:
  const Model& m_;
  Data& d_;
  const ConstraintProblem& p_;
  const TileSystem* tiles_;
};

/// Where the solver starts, with what is known there.
struct Start {
  const double* jar = nullptr;  // J qacc - aref
  const double* Ma = nullptr;   // M qacc
  bool evaluated = false;       // rows, efc_force, efc_state and the cones' Hessians belong to it
  RowCost rows;
  double* cone_hessian = nullptr;
};

/// (a - b)·(c - d)
double dot_of_differences(const double* a, const double* b, const double* c, const double* d, int n) {
  Pack s = {};
  int i = 0;
  for (; i + 4 <= n; i += 4) s += (load(a + i) - load(b + i)) * (load(c + i) - load(d + i));
  double tail = 0;
  for (; i < n; ++i) tail += (a[i] - b[i]) * (c[i] - d[i]);
  return sum(s) + tail;
}

/// Starts at the last step's acceleration if it costs no more than the smooth one: ½ (M w - f)·(w - M⁻¹ f) + s(J w -
/// aref) against s(b). The choice is made once for the whole world, which is `one` problem or falls into islands. Sets
/// efc_b = J qacc_smooth - aref, and qacc (primal) or efc_force (dual).
void choose_start(const Model& m, Data& d, const ConstraintProblem& p, const Products& products, bool one,
                  Scratch& scratch, Start& start) {
  const bool dual = m.opt.solver == static_cast<int>(SolverKind::PGS);
  const double *smooth = d.qacc_smooth.data(), *warm = d.qacc_warmstart.data();
  copy(smooth, static_cast<int>(m.nv), d.qacc.data());
  if (dual) std::fill_n(d.efc_force.begin(), d.nefc, 0.0);
  start.jar = d.efc_b.data();
  start.Ma = d.qfrc_smooth.data();
  if (m.opt.disabled(kDisableWarmstart)) return products.row_accelerations(smooth, d.efc_b.data());

  double* jar = scratch.take<double>(d.nefc);
  const double* const both[] = {smooth, warm};
  double* const results[] = {d.efc_b.data(), jar};
  products.row_accelerations(both, results);
  if (dual) {
    start.jar = start.Ma = nullptr;
    evaluate_rows(p, jar, d.efc_force.data(), d.efc_state.data(), nullptr);
    if (dual_cost(p, d.efc_force.data(), d.scratch()) > 0) std::fill_n(d.efc_force.begin(), d.nefc, 0.0);
    return;
  }
  const double* Mw = products.inertia_times(warm, scratch);
  double cost = 0.5 * dot_of_differences(Mw, d.qfrc_smooth.data(), warm, smooth, static_cast<int>(m.nv));
  if (one) {
    if (p.elliptic) start.cone_hessian = scratch.take<double>(36 * p.cones.size());
    start.rows = evaluate_rows(p, jar, d.efc_force.data(), d.efc_state.data(), start.cone_hessian);
    cost += start.rows.cost;
  } else {
    cost += row_cost(p, jar);
  }
  if (cost > row_cost(p, d.efc_b.data())) return;
  copy(warm, static_cast<int>(m.nv), d.qacc.data());
  start.jar = jar;
  start.Ma = Mw;
  start.evaluated = one;
}

std::span<SolverStat> statistics(Data& d, int island) {
  if (island >= kNumIsland) return {};
  return std::span(d.solver).subspan(static_cast<std::size_t>(island) * kNumSolver, kNumSolver);
}

/// A curvature that vanished in rounding: the result is finite, but not what the model means.
void count_lost_precision(Data& d, const Solution& x, int island) {
  if (!x.lost_precision) return;
  WarningStat& warning = d.warning[static_cast<int>(Warning::Inertia)];
  warning.lastinfo = island;
  ++warning.number;
}

/// Runs the solver on one problem, then removes slip if the options ask for it. `tiles` is null or the same problem.
void run_solver(const Model& m, const ConstraintProblem& p, TileSystem* tiles, double dual_scale, Solution& x,
                Arena& arena) {
  const SolverOptions options = solver_options(m);
  ConstraintProblem dual = p;
  dual.scale = dual_scale;
  switch (static_cast<SolverKind>(m.opt.solver)) {
    case SolverKind::PGS: solve_pgs(dual, options, x, arena); break;
    case SolverKind::CG: solve_cg(p, options, x, arena); break;
    case SolverKind::Newton:
      if (tiles)
        solve_newton(*tiles, options, x, arena);
      else
        solve_newton(p, options, x, arena);
      break;
  }
  if (options.noslip_iterations > 0) remove_slip(dual, options, x, arena);
}

/// Island k, or with k = nisland the rows in no island, whose iterations are not recorded.
void solve_island(const Model& m, Data& d, ProblemView& view, const Start& start, int k) {
  Scratch scratch(d.scratch());
  const bool outside = k == d.nisland;
  const ProblemView::Island island = outside ? view.outside(scratch) : view.island(k, scratch);
  const ConstraintProblem& p = island.problem;
  if (p.nefc == 0) return;
  Solution x;
  x.acc = scratch.take<double>(p.M.n);
  x.frc_constraint = scratch.zeros<double>(p.M.n);
  x.force = scratch.take<double>(p.nefc);
  x.state = scratch.take<int>(p.nefc);
  if (!outside) x.stat = statistics(d, k);
  for (int i = 0; i < p.M.n; ++i) x.acc[i] = d.qacc[island.dofs[i]];
  for (int i = 0; i < p.nefc; ++i) {
    x.force[i] = d.efc_force[island.rows[i]];
    x.state[i] = d.efc_state[island.rows[i]];
  }
  if (start.jar) {
    double* Ma = scratch.take<double>(p.M.n);
    double* jar = scratch.take<double>(p.nefc);
    for (int i = 0; i < p.M.n; ++i) Ma[i] = start.Ma[island.dofs[i]];
    for (int i = 0; i < p.nefc; ++i) jar[i] = start.jar[island.rows[i]];
    x.Ma = Ma;
    x.jar = jar;
  }
  run_solver(m, p, nullptr, view.whole().scale, x, d.scratch());
  for (int i = 0; i < p.M.n; ++i) {
    d.qacc[island.dofs[i]] = x.acc[i];
    d.qfrc_constraint[island.dofs[i]] = x.frc_constraint[i];
  }
  for (int i = 0; i < p.nefc; ++i) {
    d.efc_force[island.rows[i]] = x.force[i];
    d.efc_state[island.rows[i]] = x.state[i];
  }
  if (k < kNumIsland && !outside) d.solver_niter[k] = x.niter;
  count_lost_precision(d, x, k);
}

void solve_whole(const Model& m, Data& d, const ConstraintProblem& p, TileSystem* tiles, double dual_scale,
                 const Start& start) {
  Solution x;
  x.acc = d.qacc.data();
  x.frc_constraint = d.qfrc_constraint.data();
  x.force = d.efc_force.data();
  x.state = d.efc_state.data();
  x.Ma = start.Ma;
  x.jar = start.jar;
  x.rows = start.evaluated ? &start.rows : nullptr;
  x.cone_hessian = start.cone_hessian;
  x.stat = statistics(d, 0);
  run_solver(m, p, tiles, dual_scale, x, d.scratch());
  d.solver_niter[0] = x.niter;
  count_lost_precision(d, x, 0);
}

}  // namespace

void solve_constraints(const Model& m, Data& d) {
  std::ranges::fill(d.qfrc_constraint, 0.0);
  d.solver_niter.fill(0);
  if (d.nefc == 0) {
    std::ranges::copy(d.qacc_smooth, d.qacc.begin());
    return;
  }
  const auto recorded = static_cast<std::size_t>(std::clamp(d.nisland, 1, kNumIsland)) * kNumSolver;
  if (d.solver.size() < recorded) d.solver.resize(recorded);

  Scratch scratch(d.scratch());
  ProblemView view(m, d, scratch);
  const bool one = d.nisland <= 0 || view.is_whole(0);
  const ConstraintProblem p = d.nisland > 0 && one ? view.island(0, scratch).problem : view.whole();
  const auto solver = static_cast<SolverKind>(m.opt.solver);
  const bool in_tiles = one && solver == SolverKind::Newton;
  std::optional<TileSystem> cut = in_tiles ? TileSystem::cut(p, scratch) : std::nullopt;
  TileSystem* tiles = cut ? &*cut : nullptr;

  const Products products(m, d, p, tiles);
  Start start;
  choose_start(m, d, p, products, one, scratch, start);
  if (one) {
    solve_whole(m, d, p, tiles, view.whole().scale, start);
  } else {
    for (int i = d.nidof; i < m.nv; ++i) d.qacc[d.map_idof2dof[i]] = d.qacc_smooth[d.map_idof2dof[i]];
    for (int k = 0; k <= d.nisland; ++k) solve_island(m, d, view, start, k);
  }
  if (solver != SolverKind::PGS && m.opt.noslip_iterations <= 0) return;

  // the dual solvers give forces: the acceleration follows from them
  multiply_transposed(view.whole().blocks, d.efc_force.data(), d.qfrc_constraint.data(), static_cast<int>(m.nv),
                      d.scratch());
  std::ranges::copy(d.qfrc_constraint, d.qacc.begin());
  solve_inertia(m, d, d.qacc.data());
  for (int i = 0; i < m.nv; ++i) d.qacc[i] += d.qacc_smooth[i];
}

void inverse_constraints(const Model& m, Data& d, const double* qacc) {
  std::ranges::fill(d.qfrc_constraint, 0.0);
  if (d.nefc == 0) return;
  Scratch scratch(d.scratch());
  const ProblemView view(m, d, scratch);
  double* jar = scratch.take<double>(d.nefc);
  Products(m, d, view.whole(), nullptr).row_accelerations(qacc, jar);
  evaluate_rows(view.whole(), jar, d.efc_force.data(), d.efc_state.data(), nullptr);
  multiply_transposed(view.whole().blocks, d.efc_force.data(), d.qfrc_constraint.data(), static_cast<int>(m.nv),
                      d.scratch());
}

}  // namespace sinew
