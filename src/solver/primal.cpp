#include "solver/primal.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "math/pack.h"
#include "solver/cost.h"
#include "solver/hessian.h"
#include "solver/line_search.h"
#include "solver/rows.h"
#include "solver/tiles.h"
#include "solver/tree_matrix.h"

namespace sinew {
namespace {

double norm(const double* x, int n) { return std::sqrt(dot(x, x, n)); }

/// The problem as it is posed: the products that a primal solver needs, on blocks of rows and the tree-sparse M; the
/// counterpart of TileSystem for many dofs.
class BlockSystem {
 public:
  BlockSystem(const ConstraintProblem& p, Arena& arena) : p_(p), arena_(arena) {}

  const ConstraintProblem& problem() const { return p_; }
  void multiply_inertia(const double* v, double* out) const { multiply(p_.M, v, out); }
  void multiply_rows(const double* v, double* out) const { multiply(p_.blocks, v, out, arena_); }
  void multiply_rows_transposed(const double* f, double* out) const {
    multiply_transposed(p_.blocks, f, out, p_.M.n, arena_);
  }
  void solve_inertia(double* x) const { sinew::solve(p_.M, x); }
  void prepare_factor(Scratch& scratch) { hessian_.emplace(p_, scratch); }
  void factor(const int* state, const double* cone_hessian) { hessian_->factor(state, cone_hessian); }
  void solve(double* x) const { hessian_->solve(x); }

 private:
  const ConstraintProblem& p_;
  Arena& arena_;
  std::optional<Hessian> hessian_;
};

/// The point where a primal solver stands: a, what the cost says there, and the last search direction. `update`
/// evaluates the rows and the gradient M a - f - Jᵀ force.
template <class System>
class PrimalPoint {
 public:
  PrimalPoint(System& system, const SolverOptions& options, Solution& x, Arena& arena)
      : system(system), p(system.problem()), options(options), x(x), arena(arena), scratch(arena), n(p.M.n) {
    double* memory = scratch.take<double>(static_cast<std::size_t>(5) * n + 2 * p.nefc);
    for (double** array : {&Ma, &grad, &z, &search, &Mv}) {
      *array = memory;
      memory += n;
    }
    jar = memory;
    Jv = memory + p.nefc;
    std::fill_n(x.state, p.nefc, -1);
    if (x.Ma)
      std::copy_n(x.Ma, n, Ma);
    else
      system.multiply_inertia(x.acc, Ma);
    if (x.jar) {
      std::copy_n(x.jar, p.nefc, jar);
      return;
    }
    system.multiply_rows(x.acc, jar);
    for (int i = 0; i < p.nefc; ++i) jar[i] -= p.aref[i];
  }

  void update(double* cone_hessian) {
    rows = evaluate_rows(p, jar, x.force, x.state, cone_hessian);
    system.multiply_rows_transposed(x.force, x.frc_constraint);
    for (int i = 0; i < n; ++i) grad[i] = Ma[i] - p.frc_smooth[i] - x.frc_constraint[i];
    gradient_norm = p.scale * norm(grad, n);
  }

  /// max(0, ½ scale grad · z): how much the cost may still fall, by the quadratic model that z comes from.
  double expected_decrease() const { return std::max(0.0, 0.5 * p.scale * dot(grad, z, n)); }

  /// z = M⁻¹ grad
  void precondition() {
    std::copy(grad, grad + n, z);
    system.solve_inertia(z);
  }

  /// Line search along `search`; false where it found nothing better.
  bool move() {
    system.multiply_inertia(search, Mv);
    system.multiply_rows(search, Jv);
    step = line_search(p, options, {x.acc, search, Ma, Mv, jar, Jv}, arena);
    x.lost_precision |= step.lost_precision;
    if (step.alpha == 0) return false;
    add_scaled(x.acc, search, step.alpha, n);
    add_scaled(Ma, Mv, step.alpha, n);
    add_scaled(jar, Jv, step.alpha, p.nefc);
    return true;
  }

  /// Records the iteration; true where progress has become smaller than the tolerance.
  bool finish_iteration(int nupdate) {
    const double improvement = p.scale * step.decrease;
    if (x.niter < static_cast<int>(x.stat.size()))
      x.stat[x.niter] = {improvement, gradient_norm, step.slope, rows.nactive, rows.nchange, step.neval, nupdate};
    ++x.niter;
    return (improvement > 0 && improvement < options.tolerance) || gradient_norm < options.tolerance;
  }

  System& system;
  const ConstraintProblem& p;
  const SolverOptions& options;
  Solution& x;
  Arena& arena;
  Scratch scratch;
  int n;
  double *Ma, *grad, *z, *search, *Mv, *jar, *Jv;
  RowCost rows;
  Step step;
  double gradient_norm = 0;
};

template <class System>
void iterate_newton(System& system, const SolverOptions& options, Solution& x, Arena& arena) {
  PrimalPoint at(system, options, x, arena);
  x.niter = 0;
  double* cone_hessian = at.p.elliptic ? at.scratch.template take<double>(36 * at.p.cones.size()) : nullptr;
  at.update(cone_hessian);
  if (at.gradient_norm < options.tolerance) {
    at.precondition();
    if (at.expected_decrease() < options.tolerance) return;
  }

  system.prepare_factor(at.scratch);
  bool current = false;  // the factor belongs to the present states
  const auto newton_direction = [&] {
    if (!current) system.factor(x.state, cone_hessian);
    current = true;
    std::copy(at.grad, at.grad + at.n, at.z);
    system.solve(at.z);
  };
  newton_direction();
  if (at.gradient_norm < options.tolerance && at.expected_decrease() < options.tolerance) return;

  while (x.niter < options.iterations) {
    for (int i = 0; i < at.n; ++i) at.search[i] = -at.z[i];
    if (!at.move()) break;
    const int ncone = at.rows.ncone;
    at.update(cone_hessian);
    current = at.rows.ncurved == 0 && at.rows.ncone == 0 && ncone == 0;
    if (at.finish_iteration(at.rows.ncurved + at.rows.ncone)) break;
    newton_direction();
    if (at.expected_decrease() < options.tolerance) break;
  }
}

}  // namespace

void solve_newton(TileSystem& system, const SolverOptions& options, Solution& x, Arena& arena) {
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
  std::copy_n(y.acc, n, x.acc);
  std::copy_n(y.frc_constraint, n, x.frc_constraint);
}

void solve_newton(const ConstraintProblem& p, const SolverOptions& options, Solution& x, Arena& arena) {
  Scratch scratch(arena);
  if (std::optional<TileSystem> tiles = TileSystem::cut(p, scratch)) return solve_newton(*tiles, options, x, arena);
  BlockSystem system(p, arena);
  iterate_newton(system, options, x, arena);
}

void solve_cg(const ConstraintProblem& p, const SolverOptions& options, Solution& x, Arena& arena) {
  BlockSystem system(p, arena);
  PrimalPoint at(system, options, x, arena);
  x.niter = 0;
  at.update(nullptr);
  at.precondition();
  if (at.expected_decrease() < options.tolerance) return;

  const int n = at.n;
  double* old_grad = at.scratch.take<double>(n);
  double* old_z = at.scratch.take<double>(n);
  for (int i = 0; i < n; ++i) at.search[i] = -at.z[i];
  while (x.niter < options.iterations) {
    if (!at.move()) break;
    std::copy(at.grad, at.grad + n, old_grad);
    std::copy(at.z, at.z + n, old_z);
    at.update(nullptr);
    at.precondition();
    if (at.finish_iteration(0)) break;

    // beta = (y - 2 d (y·My)/(d·y))·z / (d·y) with y the change of the gradient, bounded below
    double dy = 0, yz = 0, yMy = 0;
    for (int i = 0; i < n; ++i) {
      const double y = at.grad[i] - old_grad[i];
      dy += at.search[i] * y;
      yz += y * at.z[i];
      yMy += y * (at.z[i] - old_z[i]);
    }
    double beta = 0;
    if (dy >= kMinVal) {
      beta = (yz - 2 * (yMy / dy) * dot(at.search, at.grad, n)) / dy;
      const double bound = norm(at.search, n) * std::min(0.01, norm(at.grad, n));
      beta = std::max(beta, -1 / std::max(kMinVal, bound));
    }
    for (int i = 0; i < n; ++i) at.search[i] = -at.z[i] + beta * at.search[i];
  }
}

}  // namespace sinew
