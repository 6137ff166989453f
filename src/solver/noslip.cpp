#include "solver/noslip.h"

#include <algorithm>

#include "math/scalar.h"
#include "solver/dual.h"
#include "solver/qcqp.h"

namespace sinew {
namespace {

/// Friction rows of the unregularized problem: residual and matrix of one group of rows.
struct SlipGroup {
  double A[25], residual[5], old[5], constant[5];  // constant = residual - A old

  SlipGroup(const DualOperator& dual, const double* force, int row, int n) {
    constexpr double kLeast = 1e-10;
    for (int i = 0; i < n; ++i) {
      old[i] = force[row + i];
      residual[i] = dual.b()[row + i] + dual.times_force(row + i);
      for (int j = 0; j < n; ++j) A[i * n + j] = dual.entry(row + i, row + j);
      A[i * n + i] = std::max(kLeast, A[i * n + i]);
    }
    for (int i = 0; i < n; ++i) {
      constant[i] = residual[i];
      for (int j = 0; j < n; ++j) constant[i] -= A[i * n + j] * old[j];
    }
  }

  double apply(DualOperator& dual, double* force, int row, int n, const double* next) const {
    double d[5];
    for (int i = 0; i < n; ++i) d[i] = next[i] - old[i];
    const double change = dual_cost_change(A, residual, d, n);
    if (change > kDualGuard) return 0;
    for (int i = 0; i < n; ++i) {
      force[row + i] = next[i];
      dual.change_force(row + i, d[i]);
    }
    return change;
  }
};

/// Two opposite edges of a pyramid: their sum, the normal force, is kept.
double remove_slip_of_pair(DualOperator& dual, double* force, int row) {
  const SlipGroup g(dual, force, row, 2);
  const double mid = 0.5 * (g.old[0] + g.old[1]);
  const double K1 = g.A[0] + g.A[3] - g.A[1] - g.A[2];
  const double K0 = mid * (g.A[0] - g.A[3]) + g.constant[0] - g.constant[1];
  double next[2] = {mid, mid};
  if (K1 >= kMinVal) {
    const double y = -K0 / K1;
    if (y < -mid)
      next[0] = 0, next[1] = 2 * mid;
    else if (y > mid)
      next[0] = 2 * mid, next[1] = 0;
    else
      next[0] = mid + y, next[1] = mid - y;
  }
  return g.apply(dual, force, row, 2, next);
}

double remove_slip_of_cone(DualOperator& dual, double* force, const FrictionCone& cone) {
  const int n = cone.dim - 1;
  const SlipGroup g(dual, force, cone.row + 1, n);
  double next[5] = {};
  if (force[cone.row] >= kMinVal) solve_qcqp(g.A, g.constant, cone.friction, force[cone.row], n, next);
  return g.apply(dual, force, cone.row + 1, n, next);
}

}  // namespace

void remove_slip(const ConstraintProblem& p, const SolverOptions& options, Solution& x, Arena& arena) {
  Scratch scratch(arena);
  DualOperator A(p, scratch, arena);
  A.set_forces(x.force);
  for (int iter = 0; iter < options.noslip_iterations; ++iter) {
    double improvement = 0;
    if (iter == 0)
      for (int i = 0; i < p.nefc; ++i) improvement += 0.5 * p.R[i] * x.force[i] * x.force[i];
    for (int i = p.ne; i < p.ne + p.nf; ++i) {
      const double a = std::max(kMinVal, A.diagonal(i));
      const double residual = A.b()[i] + A.times_force(i);
      const double next = clip(x.force[i] - residual / a, -p.frictionloss[i], p.frictionloss[i]);
      const double d = next - x.force[i];
      improvement -= 0.5 * d * d * a + d * residual;
      x.force[i] = next;
      A.change_force(i, d);
    }
    for (const FrictionCone& cone : p.cones) {
      if (p.elliptic) {
        improvement -= remove_slip_of_cone(A, x.force, cone);
      } else {
        for (int j = 0; j < cone.nrow; j += 2) improvement -= remove_slip_of_pair(A, x.force, cone.row + j);
      }
    }
    improvement *= p.dual_scale;
    record_dual_iteration(p, improvement, x);
    if (improvement < options.noslip_tolerance) break;
  }
}

}  // namespace sinew
