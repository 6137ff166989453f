#include "constraint/solve.h"

#include <algorithm>

#include "constraint/problem_view.h"
#include "dynamics/inertia.h"
#include "solver/evaluate.h"
#include "solver/solve.h"

namespace sinew {
namespace {

/// Statistics of an island's iterations: recorded for the first kNumIsland only.
std::span<SolverStat> statistics(Data& d, int island) {
  if (island >= kNumIsland) return {};
  return std::span(d.solver).subspan(static_cast<std::size_t>(island) * kNumSolver, kNumSolver);
}

/// A curvature was lost to rounding: the result is finite, but not the model's solution.
void count_lost_precision(Data& d, const SolverReport& report, int island) {
  if (!report.lost_precision) return;
  WarningStat& warning = d.warning[static_cast<int>(Warning::Inertia)];
  warning.lastinfo = island;
  ++warning.number;
}

void solve_whole(Data& d, const ConstraintProblem& p, const SolverOptions& options, const double* warm, Solution& x) {
  x.stat = statistics(d, 0);
  solve_problem(p, options, warm, x, d.scratch());
  d.solver_niter[0] = x.niter;
  count_lost_precision(d, x, 0);
}

void solve_islands(Data& d, ProblemView& view, const SolverOptions& options, const double* warm, const Solution& x) {
  PartwiseSolver solver(view.whole(), options, warm, x, d.scratch());
  for (int i = d.nidof; i < view.whole().M.n; ++i) d.qacc[d.map_idof2dof[i]] = d.qacc_smooth[d.map_idof2dof[i]];
  for (int k = 0; k < d.nisland; ++k) {
    if (d.island_nefc[k] == 0) {  // trees of an elastic flex that no constraint touches
      for (int i = d.island_idofadr[k]; i < d.island_idofadr[k] + d.island_nv[k]; ++i)
        d.qacc[d.map_idof2dof[i]] = d.qacc_smooth[d.map_idof2dof[i]];
      continue;
    }
    Scratch scratch(d.scratch());
    SolverReport report{.stat = statistics(d, k)};
    solver.solve(view.island(k, scratch), report);
    if (k < kNumIsland) d.solver_niter[k] = report.niter;
    count_lost_precision(d, report, k);
  }
  Scratch scratch(d.scratch());
  SolverReport report;  // rows in no island: their iterations are not recorded
  solver.solve(view.outside(scratch), report);
  count_lost_precision(d, report, d.nisland);
  solver.finish();
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
  const SolverOptions options = solver_options(m);
  const double* warm = m.opt.disabled(kDisableWarmstart) ? nullptr : d.qacc_warmstart.data();
  Solution x;
  x.acc = d.qacc.data();
  x.frc_constraint = d.qfrc_constraint.data();
  x.force = d.efc_force.data();
  x.state = d.efc_state.data();
  x.b = d.efc_b.data();
  if (!view.splits())
    solve_whole(d, view.whole(), options, warm, x);
  else if (view.is_whole(0))
    solve_whole(d, view.island(0, scratch).problem, options, warm, x);
  else
    solve_islands(d, view, options, warm, x);
  if (!ends_with_forces(options)) return;

  // as in MuJoCo 3.12.0, noslip leaves the implicit elasticity of flexes to qacc_smooth
  std::ranges::copy(d.qfrc_constraint, d.qacc.begin());
  solve_inertia(m, d, d.qacc.data());
  for (int i = 0; i < m.nv; ++i) d.qacc[i] += d.qacc_smooth[i];
}

void inverse_constraints(const Model& m, Data& d, const double* qacc) {
  std::ranges::fill(d.qfrc_constraint, 0.0);
  if (d.nefc == 0) return;
  Scratch scratch(d.scratch());
  const ProblemView view(m, d, scratch);
  const ProblemPoint at = {.jar = scratch.take<double>(d.nefc),
                           .force = d.efc_force.data(),
                           .state = d.efc_state.data(),
                           .frc_constraint = d.qfrc_constraint.data()};
  evaluate_at(view.whole(), qacc, at, d.scratch());
}

}  // namespace sinew
