#include "solver/cost.h"

#include <algorithm>
#include <cmath>

#include "math/pack.h"

namespace sinew {
namespace {

struct ConeResult {
  double cost;
  int state;
};

/// The dual-cone cost of one elliptic contact. U = m jar with m = (mu, friction); N = U₀, T = |U₁…|.
template <int dim>
SINEW_INLINE ConeResult evaluate_cone(const FrictionCone& cone, const double* D, const double* jar, double* force,
                                      double* H) {
  const double mu = cone.mu;
  double m[dim], U[dim], TT = 0;
  m[0] = mu;
  U[0] = mu * jar[0];
#pragma GCC unroll 6
  for (int j = 1; j < dim; ++j) {
    m[j] = cone.friction[j - 1];
    U[j] = m[j] * jar[j];
    TT += U[j] * U[j];
  }
  const double N = U[0], T = std::sqrt(TT);

  if (N >= mu * T || (T <= 0 && N >= 0)) {
    for (int j = 0; j < dim; ++j) force[j] = 0;
    return {0, kSatisfied};
  }
  if (mu * N + T <= 0 || (T <= 0 && N < 0)) {
    double cost = 0;
#pragma GCC unroll 6
    for (int j = 0; j < dim; ++j) {
      cost += 0.5 * D[j] * jar[j] * jar[j];
      force[j] = -D[j] * jar[j];
    }
    return {cost, kQuadratic};
  }
  // between the cone and the polar cone: quadratic in the distance N - mu T from the cone
  const double Dm = D[0] / (mu * mu * (1 + mu * mu)), e = N - mu * T;
  force[0] = -Dm * e * mu;
  const double slip = -force[0] / T;
#pragma GCC unroll 6
  for (int j = 1; j < dim; ++j) force[j] = slip * U[j] * m[j];
  if (H) {
    const double a = mu / T, b = mu * N / (T * T * T), c = mu * mu - mu * N / T;
    H[0] = Dm * m[0] * m[0];
    for (int j = 1; j < dim; ++j) {
      H[j] = H[j * dim] = -Dm * m[0] * m[j] * a * U[j];
      for (int k = 1; k < dim; ++k) H[j * dim + k] = Dm * m[j] * m[k] * (b * U[j] * U[k] + (j == k ? c : 0.0));
    }
  }
  return {0.5 * Dm * e * e, kCone};
}
SINEW_INLINE ConeResult evaluate_cone(const FrictionCone& cone, const double* D, const double* jar, double* force,
                                      double* H) {
  if (cone.dim == 3) return evaluate_cone<3>(cone, D, jar, force, H);
  if (cone.dim == 4) return evaluate_cone<4>(cone, D, jar, force, H);
  return evaluate_cone<6>(cone, D, jar, force, H);
}

/// Dry friction: the Huber cost, D jar²/2 while |jar| < bound = R loss, then loss (|jar| - bound / 2). Forces only if
/// requested.
template <class T>
SINEW_INLINE void add_friction(const ConstraintProblem& p, int i, const double* jar, T& cost, double* force) {
  const T zero = {}, x = load_as<T>(jar + i), loss = load_as<T>(p.frictionloss + i), Dx = load_as<T>(p.D + i) * x;
  const T bound = load_as<T>(p.R + i) * loss, low = zero - bound;
  cost += x <= low ? loss * (-0.5 * bound - x) : (x >= bound ? loss * (x - 0.5 * bound) : 0.5 * Dx * x);
  if (force) store_as(force + i, x <= low ? loss : (x >= bound ? zero - loss : zero - Dx));
}
SINEW_INLINE double friction_cost(const ConstraintProblem& p, const double* jar, double* force) {
  Pack cost = {};
  double tail = 0;
  int i = p.ne;
  for (; i + 4 <= p.ne + p.nf; i += 4) add_friction<Pack>(p, i, jar, cost, force);
  for (; i < p.ne + p.nf; ++i) add_friction<double>(p, i, jar, tail, force);
  return lane_sum(cost) + tail;
}

/// Half parabolas: D jar² / 2 if jar < 0. Forces only if requested. NaN propagates.
SINEW_INLINE double inequality_cost(const double* D, const double* jar, int n, double* force) {
  const Pack zero = {};
  Pack sums = {};
  double tail = 0;
  int i = 0;
  for (; i + 4 <= n; i += 4) {
    const Pack j = load_pack(jar + i), x = j >= zero ? zero : j, Dx = load_pack(D + i) * x;
    sums += Dx * x;
    if (force) store_pack(force + i, zero - Dx);
  }
  for (; i < n; ++i) {
    const double x = jar[i] >= 0 ? 0.0 : jar[i], Dx = D[i] * x;
    tail += Dx * x;
    if (force) force[i] = 0 - Dx;
  }
  return 0.5 * (lane_sum(sums) + tail);
}

/// Calls scalar(begin, end) for runs of half parabolas and cone(c) for elliptic cones, in row order.
template <class Scalar, class OneCone>
SINEW_INLINE void visit_inequalities(const ConstraintProblem& p, Scalar&& scalar, OneCone&& one_cone) {
  int next = p.ne + p.nf;
  if (p.elliptic) {
    for (const FrictionCone& cone : p.cones) {
      if (next < cone.row) scalar(next, cone.row);
      one_cone(cone);
      next = cone.row + cone.dim;
    }
  }
  if (next < p.nefc) scalar(next, p.nefc);
}

}  // namespace

SINEW_KERNEL RowCost evaluate_rows(const ConstraintProblem& p, const double* jar, double* force, int* state,
                                   double* cone_hessian) {
  RowCost result;
  const auto set_state = [&](int i, int s, int count) SINEW_INLINED {  // all rows of a cone share one state
    const int old = state[i];
    result.nactive += s != kSatisfied ? count : 0;
    result.nchange += s != old ? count : 0;
    result.ncurved += (s == kQuadratic) != (old == kQuadratic) ? count : 0;
    for (int j = 0; j < count; ++j) state[i + j] = s;
  };
  for (int i = 0; i < p.ne; ++i) {
    result.cost += 0.5 * p.D[i] * jar[i] * jar[i];
    force[i] = -p.D[i] * jar[i];
    set_state(i, kQuadratic, 1);
  }
  if (p.nf > 0) {
    result.cost += friction_cost(p, jar, force);
    for (int i = p.ne; i < p.ne + p.nf; ++i) {
      const double bound = p.R[i] * p.frictionloss[i];
      set_state(i, jar[i] <= -bound ? kLinearNeg : (jar[i] >= bound ? kLinearPos : kQuadratic), 1);
    }
  }
  visit_inequalities(
      p,
      [&](int begin, int end) SINEW_INLINED {
        result.cost += inequality_cost(p.D + begin, jar + begin, end - begin, force + begin);
        for (int i = begin; i < end; ++i) set_state(i, jar[i] >= 0 ? kSatisfied : kQuadratic, 1);
      },
      [&](const FrictionCone& cone) SINEW_INLINED {
        double* H = cone_hessian ? cone_hessian + kConeHessian * (&cone - p.cones.data()) : nullptr;
        const ConeResult r = evaluate_cone(cone, p.D + cone.row, jar + cone.row, force + cone.row, H);
        result.cost += r.cost;
        set_state(cone.row, r.state, cone.dim);
        result.ncone += r.state == kCone ? cone.dim : 0;
      });
  return result;
}

RowWeights row_weights(const ConstraintProblem& p, int row, int state, const double* cone_hessian) {
  if (state == kQuadratic) return {row, 1, &p.D[row]};
  const auto behind = std::upper_bound(p.cones.begin(), p.cones.end(), row,
                                       [](int i, const FrictionCone& cone) { return i < cone.row; });
  const FrictionCone& cone = *std::prev(behind);
  return {cone.row, cone.dim, cone_hessian + kConeHessian * (&cone - p.cones.data()) + (row - cone.row) * cone.dim};
}

SINEW_KERNEL double row_cost(const ConstraintProblem& p, const double* jar) {
  double cost = 0;
  for (int i = 0; i < p.ne; ++i) cost += 0.5 * p.D[i] * jar[i] * jar[i];
  if (p.nf > 0) cost += friction_cost(p, jar, nullptr);
  visit_inequalities(
      p,
      [&](int begin, int end)
          SINEW_INLINED { cost += inequality_cost(p.D + begin, jar + begin, end - begin, nullptr); },
      [&](const FrictionCone& cone) SINEW_INLINED {
        double force[6];
        cost += evaluate_cone(cone, p.D + cone.row, jar + cone.row, force, nullptr).cost;
      });
  return cost;
}

}  // namespace sinew
