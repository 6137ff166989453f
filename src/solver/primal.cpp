#include "solver/primal.h"

#include <algorithm>
#include <cmath>

#include "solver/cost.h"
#include "solver/hessian.h"
#include "solver/line_search.h"
#include "solver/pack.h"
#include "solver/rows.h"
#include "solver/tree_matrix.h"

namespace sinew {
namespace {

double norm(const double* x, int n) { return std::sqrt(dot(x, x, n)); }

/// The point where a primal solver stands: a, what the cost says there, and the last search direction. `update`
/// evaluates the rows and the gradient M a - f - Jᵀ force.
class PrimalPoint {
 public:
  PrimalPoint(const ConstraintProblem& p, const SolverOptions& options, Solution& x, Arena& arena)
      : p(p), options(options), x(x), arena(arena), scratch(arena), n(p.M.n) {
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
      multiply(p.M, x.acc, Ma);
    if (x.jar) {
      std::copy_n(x.jar, p.nefc, jar);
      return;
    }
    multiply(p.blocks, x.acc, jar, arena);
    for (int i = 0; i < p.nefc; ++i) jar[i] -= p.aref[i];
  }

  void update(double* cone_hessian) {
    rows = evaluate_rows(p, jar, x.force, x.state, cone_hessian);
    multiply_transposed(p.blocks, x.force, x.frc_constraint, n, arena);
    for (int i = 0; i < n; ++i) grad[i] = Ma[i] - p.frc_smooth[i] - x.frc_constraint[i];
    gradient_norm = p.scale * norm(grad, n);
  }

  /// max(0, ½ scale grad · z): how much the cost may still fall, by the quadratic model that z comes from.
  double expected_decrease() const { return std::max(0.0, 0.5 * p.scale * dot(grad, z, n)); }

  /// z = M⁻¹ grad
  void precondition() {
    std::copy(grad, grad + n, z);
    solve(p.M, z);
  }

  /// Line search along `search`; false where it found nothing better.
  bool move() {
    multiply(p.M, search, Mv);
    multiply(p.blocks, search, Jv, arena);
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

}  // namespace

void solve_newton(const ConstraintProblem& p, const SolverOptions& options, Solution& x, Arena& arena) {
  PrimalPoint at(p, options, x, arena);
  x.niter = 0;
  double* cone_hessian = p.elliptic ? at.scratch.take<double>(36 * p.cones.size()) : nullptr;
  at.update(cone_hessian);
  if (at.gradient_norm < options.tolerance) {
    at.precondition();
    if (at.expected_decrease() < options.tolerance) return;
  }

  Hessian hessian(p, at.scratch);
  bool current = false;  // the factor belongs to the present states
  const auto newton_direction = [&] {
    if (!current) hessian.factor(x.state, cone_hessian);
    current = true;
    std::copy(at.grad, at.grad + at.n, at.z);
    hessian.solve(at.z);
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

void solve_cg(const ConstraintProblem& p, const SolverOptions& options, Solution& x, Arena& arena) {
  PrimalPoint at(p, options, x, arena);
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
