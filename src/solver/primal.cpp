#include "solver/primal.h"

#include <algorithm>

#include "solver/block_system.h"
#include "solver/primal_point.h"

namespace sinew {

void solve_newton(const ConstraintProblem& p, const SolverOptions& options, const Start& start, Solution& x,
                  Arena& arena) {
  BlockSystem system(p, arena);
  iterate_newton(system, options, start, x, arena);
}

void solve_cg(const ConstraintProblem& p, const SolverOptions& options, const Start& start, Solution& x, Arena& arena) {
  BlockSystem system(p, arena);
  PrimalPoint at(system, options, start, x, arena);
  x.niter = 0;
  at.begin(nullptr);
  at.precondition();
  if (at.expected_decrease() < options.tolerance) return;

  const int n = at.n;
  double* old_grad = at.scratch.take<double>(n);
  double* old_z = at.scratch.take<double>(n);
  for (int i = 0; i < n; ++i) at.search[i] = -at.z[i];
  while (x.niter < options.iterations) {
    at.aim();
    if (!at.search_line()) break;
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
