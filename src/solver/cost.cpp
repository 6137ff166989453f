#include "solver/cost.h"

#include <cmath>

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
      for (int k = 1; k < dim; ++k)
        H[j * dim + k] = Dm * m[j] * m[k] * (b * U[j] * U[k] + (j == k ? c : 0.0));
    }
  }
  return {0.5 * Dm * e * e, kCone};
}

}  // namespace

RowCost evaluate_rows(const ConstraintProblem& p, const double* jar, double* force, int* state, double* cone_hessian) {
  RowCost result;
  const auto set_state = [&](int i, int s) {
    result.nactive += s != kSatisfied;
    result.nchange += s != state[i];
    result.ncurved += (s == kQuadratic) != (state[i] == kQuadratic);
    state[i] = s;
  };
  double cost = 0;
  for (int i = 0; i < p.ne; ++i) {
    cost += 0.5 * p.D[i] * jar[i] * jar[i];
    force[i] = -p.D[i] * jar[i];
    set_state(i, kQuadratic);
  }
  for (int i = p.ne; i < p.ne + p.nf; ++i) {
    const double f = p.frictionloss[i], bound = p.R[i] * f;
    if (jar[i] <= -bound) {
      cost += f * (-0.5 * bound - jar[i]);
      force[i] = f;
      set_state(i, kLinearNeg);
    } else if (jar[i] >= bound) {
      cost += f * (-0.5 * bound + jar[i]);
      force[i] = -f;
      set_state(i, kLinearPos);
    } else {
      cost += 0.5 * p.D[i] * jar[i] * jar[i];
      force[i] = -p.D[i] * jar[i];
      set_state(i, kQuadratic);
    }
  }
  const auto inequalities = [&](int begin, int end) {
    for (int i = begin; i < end; ++i) {
      const double x = jar[i] < 0 ? jar[i] : 0.0;
      cost += 0.5 * p.D[i] * x * x;
      force[i] = x == 0 ? 0.0 : -p.D[i] * x;
      set_state(i, jar[i] < 0 ? kQuadratic : kSatisfied);
    }
  };
  int next = p.ne + p.nf;
  if (p.elliptic) {
    double* H = cone_hessian;
    for (const FrictionCone& cone : p.cones) {
      inequalities(next, cone.row);
      const ConeResult r = evaluate_cone(cone, p.D + cone.row, jar + cone.row, force + cone.row, H);
      cost += r.cost;
      for (int j = 0; j < cone.dim; ++j) set_state(cone.row + j, r.state);
      if (r.state == kCone) result.ncone += cone.dim;
      if (H) H += 36;
      next = cone.row + cone.dim;
    }
  }
  inequalities(next, p.nefc);
  result.cost = cost;
  return result;
}

}  // namespace sinew
