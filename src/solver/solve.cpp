#include "solver/solve.h"

#include <optional>

#include "solver/noslip.h"
#include "solver/pgs.h"
#include "solver/primal.h"
#include "solver/rows.h"
#include "solver/start.h"
#include "solver/tiles.h"

namespace sinew {
namespace {

/// The problem in tiles, if the method supports them and they are faster.
std::optional<TileSystem> cut_for(SolverMethod method, const ConstraintProblem& p, Scratch& scratch) {
  return method == SolverMethod::Newton ? TileSystem::cut(p, scratch) : std::nullopt;
}

void run_solver(const ConstraintProblem& p, TileSystem* tiles, const SolverOptions& options, const Start& start,
                Solution& x, Arena& arena) {
  switch (options.method) {
    case SolverMethod::PGS: solve_pgs(p, options, x, arena); break;
    case SolverMethod::CG: solve_cg(p, options, start, x, arena); break;
    case SolverMethod::Newton:
      if (tiles)
        solve_newton(*tiles, options, start, x, arena);
      else
        solve_newton(p, options, start, x, arena);
      break;
  }
  if (options.noslip_iterations > 0) remove_slip(p, options, x, arena);
}

void solve_known(const ConstraintProblem& p, const SolverOptions& options, const Start& start, Solution& x,
                 Arena& arena) {
  Scratch scratch(arena);
  std::optional<TileSystem> tiles = cut_for(options.method, p, scratch);
  run_solver(p, tiles ? &*tiles : nullptr, options, start, x, arena);
}

void sum_forces(const ConstraintProblem& p, const SolverOptions& options, Solution& x, Arena& arena) {
  if (ends_with_forces(options)) multiply_rows_transposed(p.blocks, x.force, x.frc_constraint, p.M.n, arena);
}

}  // namespace

void solve_problem(const ConstraintProblem& p, const SolverOptions& options, const double* warm, Solution& x,
                   Arena& arena) {
  Scratch scratch(arena);
  std::optional<TileSystem> cut = cut_for(options.method, p, scratch);
  TileSystem* tiles = cut ? &*cut : nullptr;
  const Start start = choose_start(p, tiles, options, warm, true, x, scratch, arena);
  run_solver(p, tiles, options, start, x, arena);
  sum_forces(p, options, x, arena);
}

void solve_from(const ConstraintProblem& p, const SolverOptions& options, Solution& x, Arena& arena) {
  solve_known(p, options, {}, x, arena);
  sum_forces(p, options, x, arena);
}

PartwiseSolver::PartwiseSolver(const ConstraintProblem& whole, const SolverOptions& options, const double* warm,
                               const Solution& x, Arena& arena)
    : whole_(whole), options_(options), x_(x), arena_(arena), scratch_(arena) {
  const Start start = choose_start(whole, nullptr, options, warm, false, x, scratch_, arena);
  Ma_ = start.Ma;
  jar_ = start.jar;
}

void PartwiseSolver::solve(const ProblemPart& part, SolverReport& report) {
  const ConstraintProblem& p = part.problem;
  if (p.nefc == 0) return;
  Scratch scratch(arena_);
  Solution x;
  x.stat = report.stat;
  x.acc = scratch.take<double>(p.M.n);
  x.frc_constraint = scratch.zeros<double>(p.M.n);
  x.force = scratch.take<double>(p.nefc);
  x.state = scratch.take<int>(p.nefc);
  for (int i = 0; i < p.M.n; ++i) x.acc[i] = x_.acc[part.dofs[i]];
  for (int i = 0; i < p.nefc; ++i) {
    x.force[i] = x_.force[part.rows[i]];
    x.state[i] = x_.state[part.rows[i]];
  }
  Start start;
  if (jar_) {
    double* Ma = scratch.take<double>(p.M.n);
    double* jar = scratch.take<double>(p.nefc);
    for (int i = 0; i < p.M.n; ++i) Ma[i] = Ma_[part.dofs[i]];
    for (int i = 0; i < p.nefc; ++i) jar[i] = jar_[part.rows[i]];
    start.Ma = Ma;
    start.jar = jar;
  }
  solve_known(p, options_, start, x, arena_);
  for (int i = 0; i < p.M.n; ++i) {
    x_.acc[part.dofs[i]] = x.acc[i];
    x_.frc_constraint[part.dofs[i]] = x.frc_constraint[i];
  }
  for (int i = 0; i < p.nefc; ++i) {
    x_.force[part.rows[i]] = x.force[i];
    x_.state[part.rows[i]] = x.state[i];
  }
  report = x;
}

void PartwiseSolver::finish() { sum_forces(whole_, options_, x_, arena_); }

}  // namespace sinew
