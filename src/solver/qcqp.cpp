#include "solver/qcqp.h"

#include <algorithm>
#include <cmath>

#include "sinew/constants.h"

namespace sinew {
namespace {

constexpr double kTooSmall = 1e-10;
constexpr int kMostSteps = 20;

/// The inverse of P (n = 2, 3: by cofactors; 5: by Cholesky); false if it is nearly singular.
bool invert2(const double* P, double* inv) {
  const double det = P[0] * P[3] - P[1] * P[2];
  if (det < kTooSmall) return false;
  inv[0] = P[3] / det;
  inv[1] = -P[1] / det;
  inv[2] = -P[2] / det;
  inv[3] = P[0] / det;
  return true;
}

bool invert3(const double* P, double* inv) {
  const auto minor = [P](int r0, int r1, int c0, int c1) {
    return P[r0 * 3 + c0] * P[r1 * 3 + c1] - P[r0 * 3 + c1] * P[r1 * 3 + c0];
  };
  const double c00 = minor(1, 2, 1, 2), c01 = -minor(1, 2, 0, 2), c02 = minor(1, 2, 0, 1);
  const double det = P[0] * c00 + P[1] * c01 + P[2] * c02;
  if (det < kTooSmall) return false;
  const double cofactor[9] = {c00,
                              c01,
                              c02,
                              -minor(0, 2, 1, 2),
                              minor(0, 2, 0, 2),
                              -minor(0, 2, 0, 1),
                              minor(0, 1, 1, 2),
                              -minor(0, 1, 0, 2),
                              minor(0, 1, 0, 1)};
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) inv[i * 3 + j] = cofactor[j * 3 + i] / det;
  return true;
}

bool invert_by_cholesky(const double* P, int n, double* inv) {
  double L[25];
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j <= i; ++j) {
      double v = P[i * n + j];
      for (int k = 0; k < j; ++k) v -= L[i * n + k] * L[j * n + k];
      if (i == j) {
        if (v < kTooSmall) return false;
        L[i * n + i] = std::sqrt(v);
      } else {
        L[i * n + j] = v / L[j * n + j];
      }
    }
  }
  for (int c = 0; c < n; ++c) {
    double x[5];
    for (int i = 0; i < n; ++i) {
      x[i] = i == c ? 1 : 0;
      for (int k = 0; k < i; ++k) x[i] -= L[i * n + k] * x[k];
      x[i] /= L[i * n + i];
    }
    for (int i = n - 1; i >= 0; --i) {
      for (int k = i + 1; k < n; ++k) x[i] -= L[k * n + i] * x[k];
      x[i] /= L[i * n + i];
    }
    for (int i = 0; i < n; ++i) inv[i * n + c] = x[i];
  }
  return true;
}

bool invert(const double* P, int n, double* inv) {
  return n == 2 ? invert2(P, inv) : n == 3 ? invert3(P, inv) : invert_by_cholesky(P, n, inv);
}

}  // namespace

void solve_qcqp(const double* A, const double* b, const double* mu, double r, int n, double* x) {
  double scaled[25], sb[5], P[25], inv[25], v[5];
  for (int i = 0; i < n; ++i) {
    sb[i] = b[i] * mu[i];
    for (int j = 0; j < n; ++j) scaled[i * n + j] = A[i * n + j] * mu[i] * mu[j];
  }
  double multiplier = 0;
  for (int step = 0; step < kMostSteps; ++step) {
    for (int i = 0; i < n * n; ++i) P[i] = scaled[i] + (i % (n + 1) == 0 ? multiplier : 0.0);
    if (!invert(P, n, inv)) {
      for (int i = 0; i < n; ++i) x[i] = 0;
      return;
    }
    double excess = -r * r;
    for (int i = 0; i < n; ++i) {
      v[i] = 0;
      for (int j = 0; j < n; ++j) v[i] -= inv[i * n + j] * sb[j];
      excess += v[i] * v[i];
    }
    if (excess < kTooSmall) break;
    double slope = 0;
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j) slope -= 2 * v[i] * inv[i * n + j] * v[j];
    const double delta = -excess / slope;
    if (delta < kTooSmall) break;
    multiplier += delta;
  }
  for (int i = 0; i < n; ++i) x[i] = v[i] * mu[i];
  if (multiplier == 0) return;
  double s = 0;
  for (int i = 0; i < n; ++i) s += x[i] * x[i] / (mu[i] * mu[i]);
  const double onto = std::sqrt(r * r / std::max(kMinVal, s));
  for (int i = 0; i < n; ++i) x[i] *= onto;
}

}  // namespace sinew
