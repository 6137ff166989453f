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
ConeResult evaluate_cone(const FrictionCone& cone, const double* D, const double* jar, double* force, double* H) {
  const int dim = cone.dim;
  const double mu = cone.mu;
  double m[6], U[6], TT = 0;
  m[0] = mu;
  U[0] = mu * jar[0];
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
    for (int j = 0; j < dim; ++j) {
      cost += 0.5 * D[j] * jar[j] * jar[j];
      force[j] = -D[j] * jar[j];
    }
    return {cost, kQuadratic};
  }
  // between the cone and its polar: quadratic in the distance N - mu T from the cone
  const double Dm = D[0] / (mu * mu * (1 + mu * mu)), e = N - mu * T;
  force[0] = -Dm * e * mu;
  for (int j = 1; j < dim; ++j) force[j] = -force[0] / T * U[j] * m[j];
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

/// A dry friction row: Huber cost, quadratic while |force| is below the loss.
struct FrictionResult {
  double cost, force;
  int state;
};
FrictionResult evaluate_friction(double D, double R, double loss, double jar) {
  const double bound = R * loss;
  if (jar <= -bound) return {loss * (-0.5 * bound - jar), loss, kLinearNeg};
  if (jar >= bound) return {loss * (-0.5 * bound + jar), -loss, kLinearPos};
  return {0.5 * D * jar * jar, -D * jar, kQuadratic};
}

/// Half parabolas: D jar² / 2 where jar < 0. Forces only where wanted.
SINEW_KERNEL double inequality_cost(const double* D, const double* jar, int n, double* force) {
  const Pack zero = {};
  Pack sums = {};
  double tail = 0;
  int i = 0;
  for (; i + 4 <= n; i += 4) {
    const Pack j = load(jar + i), x = j < zero ? j : zero, Dx = load(D + i) * x;
    sums += Dx * x;
    if (force) store(force + i, zero - Dx);
  }
  for (; i < n; ++i) {
    const double x = jar[i] < 0 ? jar[i] : 0.0, Dx = D[i] * x;
    tail += Dx * x;
    if (force) force[i] = 0 - Dx;
  }
  return 0.5 * (sum(sums) + tail);
}

/// Calls scalar(begin, end) for the runs of half parabolas and cone(c) for the elliptic cones, in the order of rows.
template <class Scalar, class OneCone>
void visit_inequalities(const ConstraintProblem& p, Scalar&& scalar, OneCone&& one_cone) {
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

RowCost evaluate_rows(const ConstraintProblem& p, const double* jar, double* force, int* state, double* cone_hessian) {
  int nactive = 0, nchange = 0, ncurved = 0, ncone = 0;
  double cost = 0;
  const auto set_state = [&](int i, int s) {
    const int old = state[i];
    nactive += s != kSatisfied;
    nchange += s != old;
    ncurved += (s == kQuadratic) != (old == kQuadratic);
    state[i] = s;
  };
  for (int i = 0; i < p.ne; ++i) {
    cost += 0.5 * p.D[i] * jar[i] * jar[i];
    force[i] = -p.D[i] * jar[i];
    set_state(i, kQuadratic);
  }
  for (int i = p.ne; i < p.ne + p.nf; ++i) {
    const FrictionResult f = evaluate_friction(p.D[i], p.R[i], p.frictionloss[i], jar[i]);
    cost += f.cost;
    force[i] = f.force;
    set_state(i, f.state);
  }
  visit_inequalities(
      p,
      [&](int begin, int end) {
        cost += inequality_cost(p.D + begin, jar + begin, end - begin, force + begin);
        for (int i = begin; i < end; ++i) set_state(i, jar[i] < 0 ? kQuadratic : kSatisfied);
      },
      [&](const FrictionCone& cone) {
        double* H = cone_hessian ? cone_hessian + 36 * (&cone - p.cones.data()) : nullptr;
        const ConeResult r = evaluate_cone(cone, p.D + cone.row, jar + cone.row, force + cone.row, H);
        cost += r.cost;
        for (int j = 0; j < cone.dim; ++j) set_state(cone.row + j, r.state);
        if (r.state == kCone) ncone += cone.dim;
      });
  return {cost, nactive, nchange, ncurved, ncone};
}

RowWeights row_weights(const ConstraintProblem& p, int row, int state, const double* cone_hessian) {
  if (state == kQuadratic) return {row, 1, &p.D[row]};
  const auto behind = std::upper_bound(p.cones.begin(), p.cones.end(), row,
                                       [](int i, const FrictionCone& cone) { return i < cone.row; });
  const FrictionCone& cone = *std::prev(behind);
  return {cone.row, cone.dim, cone_hessian + 36 * (&cone - p.cones.data()) + (row - cone.row) * cone.dim};
}

double row_cost(const ConstraintProblem& p, const double* jar) {
  double cost = 0;
  for (int i = 0; i < p.ne; ++i) cost += 0.5 * p.D[i] * jar[i] * jar[i];
  for (int i = p.ne; i < p.ne + p.nf; ++i) cost += evaluate_friction(p.D[i], p.R[i], p.frictionloss[i], jar[i]).cost;
  visit_inequalities(
      p, [&](int begin, int end) { cost += inequality_cost(p.D + begin, jar + begin, end - begin, nullptr); },
      [&](const FrictionCone& cone) {
        double force[6];
        cost += evaluate_cone(cone, p.D + cone.row, jar + cone.row, force, nullptr).cost;
      });
  return cost;
}

}  // namespace sinew
