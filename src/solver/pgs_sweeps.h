#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "base/arena.h"
#include "math/pack.h"
#include "math/scalar.h"
#include "solver/dual.h"
#include "solver/qcqp.h"

// Projected Gauss-Seidel sweeps for any form of the dual matrix: Dual is DualOperator or, in the tests, its scalar
// reference implementation.

namespace sinew {

/// PCG32 (O'Neill 2014) with a fixed stream: the order of updates is random but reproducible.
class Pcg32 {
 public:
  Pcg32() { (*this)(); }
  std::uint32_t operator()() {
    const std::uint64_t x = state_;
    state_ = x * 6364136223846793005ULL + 1;
    const auto word = static_cast<std::uint32_t>(((x >> 18) ^ x) >> 27);
    const auto turn = static_cast<std::uint32_t>(x >> 59);
    return (word >> turn) | (word << ((32 - turn) & 31));
  }

 private:
  std::uint64_t state_ = 0;
};

/// A row or an elliptic cone, updated at once.
struct SweepUnit {
  int row = 0;
  const FrictionCone* cone = nullptr;
};

inline int collect_units(const ConstraintProblem& p, SweepUnit* units) {
  int count = 0, row = 0;
  if (p.elliptic) {
    for (const FrictionCone& cone : p.cones) {
      for (; row < cone.row; ++row) units[count++] = {row, nullptr};
      units[count++] = {row, &cone};
      row += cone.dim;
    }
  }
  for (; row < p.nefc; ++row) units[count++] = {row, nullptr};
  return count;
}

/// NaN propagates: it must show up in the acceleration.
SINEW_INLINE double not_negative(double x) { return x < 0 ? 0.0 : x; }

template <class Dual>
SINEW_INLINE double update_scalar(const ConstraintProblem& p, Dual& A, int i, double inverse, double* force) {
  const double diagonal = A.diagonal(i) + p.R[i];
  const double residual = A.b()[i] + A.times_force(i) + p.R[i] * force[i];
  double next = force[i] - residual * inverse;
  if (i >= p.ne + p.nf)
    next = not_negative(next);
  else if (i >= p.ne)
    next = clip(next, -p.frictionloss[i], p.frictionloss[i]);
  const double d = next - force[i];
  const double change = 0.5 * d * d * diagonal + d * residual;
  if (change > kDualGuard) return 0;
  force[i] = next;
  A.change_force(i, d);
  return change;
}

/// A cone: first along the ray of the current force, then the friction part for that normal force.
template <class Dual>
double update_cone(const ConstraintProblem& p, Dual& dual, const FrictionCone& cone, double* force) {
  const int dim = std::clamp(cone.dim, 1, 6);
  double A[36], residual[6], old[6] = {}, next[6], d[6];
  for (int i = 0; i < dim; ++i) {
    const int row = cone.row + i;
    old[i] = force[row];
    residual[i] = dual.b()[row] + dual.times_force(row) + p.R[row] * old[i];
    for (int j = 0; j < dim; ++j) A[i * dim + j] = dual.entry(row, cone.row + j) + (i == j ? p.R[row] : 0.0);
  }
  std::copy(old, old + dim, next);
  if (old[0] < kMinVal) {
    std::fill(next, next + dim, 0.0);
    next[0] = not_negative(old[0] - residual[0] / A[0]);
  } else {
    double den = 0, num = 0;
    for (int i = 0; i < dim; ++i) {
      num += old[i] * residual[i];
      for (int j = 0; j < dim; ++j) den += old[i] * A[i * dim + j] * old[j];
    }
    if (den >= kMinVal) {
      double x = -num / den;
      if (old[0] + x * old[0] < 0) x = -1;
      for (int i = 0; i < dim; ++i) next[i] = old[i] + x * old[i];
    }
  }
  const int n = dim - 1;
  double Ac[25], bc[5];
  for (int i = 0; i < n; ++i) {
    bc[i] = residual[i + 1] + A[(i + 1) * dim] * (next[0] - old[0]);
    for (int j = 0; j < n; ++j) {
      Ac[i * n + j] = A[(i + 1) * dim + j + 1];
      bc[i] -= Ac[i * n + j] * old[j + 1];
    }
  }
  if (next[0] < kMinVal)
    std::fill(next + 1, next + dim, 0.0);
  else
    solve_qcqp(Ac, bc, cone.friction, next[0], n, next + 1);

  for (int i = 0; i < dim; ++i) d[i] = next[i] - old[i];
  const double change = dual_cost_change(A, residual, d, dim);
  if (change > kDualGuard) return 0;
  for (int i = 0; i < dim; ++i) {
    force[cone.row + i] = next[i];
    dual.change_force(cone.row + i, d[i]);
  }
  return change;
}

/// Projects extrapolated forces back onto the admissible set.
inline void project_forces(const ConstraintProblem& p, double* force) {
  for (int i = p.ne; i < p.ne + p.nf; ++i) force[i] = clip(force[i], -p.frictionloss[i], p.frictionloss[i]);
  int row = p.ne + p.nf;
  if (p.elliptic) {
    for (const FrictionCone& cone : p.cones) {
      for (; row < cone.row; ++row) force[row] = not_negative(force[row]);
      double* f = force + row;
      row += cone.dim;
      if (f[0] < 0) {
        std::fill(f, f + cone.dim, 0.0);
        continue;
      }
      double s = 0;
      for (int j = 1; j < cone.dim; ++j) s += f[j] * f[j] / (cone.friction[j - 1] * cone.friction[j - 1]);
      if (s <= f[0] * f[0]) continue;
      const double onto = std::sqrt(f[0] * f[0] / std::max(kMinVal, s));
      for (int j = 1; j < cone.dim; ++j) f[j] *= onto;
    }
  }
  for (; row < p.nefc; ++row) force[row] = not_negative(force[row]);
}

/// Sweeps from x.force until the cost falls by less than the tolerance.
template <class Dual>
SINEW_INLINE void iterate_pgs(Dual& A, const ConstraintProblem& p, const SolverOptions& options, Solution& x,
                              Scratch& scratch) {
  A.set_forces(x.force);
  SweepUnit* units = scratch.take<SweepUnit>(p.nefc);
  const int nunit = collect_units(p, units);
  double* inverse = scratch.take<double>(p.nefc);  // of the diagonal of A + R
  for (int i = 0; i < p.nefc; ++i) inverse[i] = 1 / (A.diagonal(i) + p.R[i]);
  double* previous = scratch.take<double>(p.nefc);
  double* start = scratch.take<double>(p.nefc);
  std::copy(x.force, x.force + p.nefc, previous);
  Pcg32 random;
  x.niter = 0;
  int run = 0;  // sweeps since the last momentum reset
  for (int iter = 0; iter < options.iterations; ++iter) {
    const double beta = iter == 0 ? 0.0 : (run - 1) / (run + 2.0);
    if (beta > 0) {
      for (int i = 0; i < p.nefc; ++i) {
        const double now = x.force[i];
        x.force[i] += beta * (now - previous[i]);
        previous[i] = now;
      }
      project_forces(p, x.force);
      A.set_forces(x.force);
    } else {
      std::copy(x.force, x.force + p.nefc, previous);
    }
    std::copy(x.force, x.force + p.nefc, start);
    for (int i = nunit - 1; i > 0; --i) std::swap(units[i], units[random() % static_cast<std::uint32_t>(i + 1)]);

    double improvement = 0;
    for (int k = 0; k < nunit; ++k) {
      const SweepUnit& u = units[k];
      improvement -= u.cone ? update_cone(p, A, *u.cone, x.force) : update_scalar(p, A, u.row, inverse[u.row], x.force);
    }
    improvement *= p.dual_scale;
    record_dual_iteration(p, improvement, x);
    double turn = 0;
    for (int i = 0; i < p.nefc; ++i) turn += (x.force[i] - start[i]) * (start[i] - previous[i]);
    run = iter > 0 && turn < 0 ? 0 : run + 1;
    if (improvement < options.tolerance) break;
  }
}

}  // namespace sinew
