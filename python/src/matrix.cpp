#include "matrix.h"

#include <algorithm>
#include <cmath>

#include "sinew/constants.h"

namespace sinew::python {

int cholesky(double* mat, int n, double mindiag) {
  int rank = n;
  for (int j = 0; j < n; ++j) {
    double d = mat[j * n + j];
    for (int k = 0; k < j; ++k) d -= mat[j * n + k] * mat[j * n + k];
    if (d < mindiag) {
      d = mindiag;
      --rank;
    }
    const double root = std::sqrt(d);
    mat[j * n + j] = root;
    for (int i = j + 1; i < n; ++i) {
      double x = mat[i * n + j];
      for (int k = 0; k < j; ++k) x -= mat[i * n + k] * mat[j * n + k];
      mat[i * n + j] = x / root;
    }
  }
  return rank;
}

void cholesky_solve(double* res, const double* mat, const double* vec, int n) {
  std::copy_n(vec, n, res);
  for (int i = 0; i < n; ++i) {
    for (int k = 0; k < i; ++k) res[i] -= mat[i * n + k] * res[k];
    res[i] /= mat[i * n + i];
  }
  for (int i = n - 1; i >= 0; --i) {
    for (int k = i + 1; k < n; ++k) res[i] -= mat[k * n + i] * res[k];
    res[i] /= mat[i * n + i];
  }
}

int cholesky_update(double* mat, double* x, int n, bool plus) {
  int rank = n;
  for (int k = 0; k < n; ++k) {
    if (x[k] == 0) continue;
    const double old = mat[k * n + k];
    double square = old * old + (plus ? x[k] * x[k] : -x[k] * x[k]);
    if (square < kMinVal) {
      square = kMinVal;
      --rank;
    }
    const double r = std::sqrt(square), c = r / old, s = x[k] / old;
    mat[k * n + k] = r;
    for (int i = k + 1; i < n; ++i) {
      mat[i * n + k] = (mat[i * n + k] + (plus ? s : -s) * x[i]) / c;
      x[i] = c * x[i] - s * mat[i * n + k];
    }
  }
  return rank;
}

double band_cholesky(double* mat, const BandShape& shape, double diagadd, double diagmul) {
  double smallest = -1;
  for (int j = 0; j < shape.n; ++j) {
    const int diagonal = shape.diagonal(j);
    double d = mat[diagonal] + diagadd + diagmul * mat[diagonal];
    for (int k = shape.first(j); k < j; ++k) d -= mat[shape.at(j, k)] * mat[shape.at(j, k)];
    if (d <= 0) return 0;
    smallest = smallest < 0 ? d : std::min(smallest, d);
    const double root = std::sqrt(d);
    mat[diagonal] = root;
    for (int i = j + 1; i < shape.n; ++i) {
      if (shape.first(i) > j) continue;
      double x = mat[shape.at(i, j)];
      for (int k = std::max(shape.first(i), shape.first(j)); k < j; ++k) x -= mat[shape.at(i, k)] * mat[shape.at(j, k)];
      mat[shape.at(i, j)] = x / root;
    }
  }
  return smallest;
}

void band_solve(double* res, const double* mat, const double* vec, const BandShape& shape) {
  std::copy_n(vec, shape.n, res);
  for (int i = 0; i < shape.n; ++i) {
    for (int k = shape.first(i); k < i; ++k) res[i] -= mat[shape.at(i, k)] * res[k];
    res[i] /= mat[shape.diagonal(i)];
  }
  for (int i = shape.n - 1; i >= 0; --i) {
    res[i] /= mat[shape.diagonal(i)];
    for (int k = shape.first(i); k < i; ++k) res[k] -= mat[shape.at(i, k)] * res[i];
  }
}

void band_to_dense(double* res, const double* mat, const BandShape& shape, bool symmetric) {
  std::fill_n(res, shape.n * shape.n, 0.0);
  for (int i = 0; i < shape.n; ++i)
    for (int j = shape.first(i); j <= i; ++j) {
      res[i * shape.n + j] = mat[shape.at(i, j)];
      if (symmetric) res[j * shape.n + i] = mat[shape.at(i, j)];
    }
}

void dense_to_band(double* res, const double* mat, const BandShape& shape) {
  std::fill_n(res, shape.size(), 0.0);
  for (int i = 0; i < shape.n; ++i)
    for (int j = shape.first(i); j <= i; ++j) res[shape.at(i, j)] = mat[i * shape.n + j];
}

void band_multiply(double* res, const double* mat, const double* vec, const BandShape& shape, bool symmetric) {
  std::fill_n(res, shape.n, 0.0);
  for (int i = 0; i < shape.n; ++i)
    for (int j = shape.first(i); j <= i; ++j) {
      res[i] += mat[shape.at(i, j)] * vec[j];
      if (symmetric && j < i) res[j] += mat[shape.at(i, j)] * vec[i];
    }
}

namespace {

double box_cost(const BoxProblem& p, const double* x, std::vector<double>& gradient) {
  double cost = 0;
  for (int i = 0; i < p.n; ++i) {
    double hx = 0;
    for (int j = 0; j < p.n; ++j) hx += p.H[i * p.n + j] * x[j];
    gradient[static_cast<std::size_t>(i)] = hx + p.g[i];
    cost += x[i] * (0.5 * hx + p.g[i]);
  }
  return cost;
}

double clamped(const BoxProblem& p, int i, double x) {
  if (p.lower && x < p.lower[i]) x = p.lower[i];
  if (p.upper && x > p.upper[i]) x = p.upper[i];
  return x;
}

}  // namespace

int solve_box(const BoxProblem& p, double* res, double* R, std::vector<int>& index) {
  constexpr int kIterations = 100;
  constexpr double kGradient = 1e-16, kImprovement = 0.1, kShrink = 0.5, kSmallestStep = 1e-22;
  const auto n = static_cast<std::size_t>(p.n);
  std::vector<double> gradient(n), search(n), candidate(n), spare(n), rhs(n);
  for (int i = 0; i < p.n; ++i) res[i] = clamped(p, i, res[i]);
  double cost = box_cost(p, res, gradient);

  for (int iteration = 0; iteration < kIterations; ++iteration) {
    // coordinates that the gradient pushes against a bound are fixed
    index.clear();
    for (int i = 0; i < p.n; ++i) {
      const bool low = p.lower && res[i] == p.lower[i] && gradient[static_cast<std::size_t>(i)] > 0;
      const bool high = p.upper && res[i] == p.upper[i] && gradient[static_cast<std::size_t>(i)] < 0;
      if (!low && !high) index.push_back(i);
    }
    const int nfree = static_cast<int>(index.size());
    for (int i = 0; i < nfree; ++i)
      for (int j = 0; j < nfree; ++j)
        R[i * nfree + j] = p.H[index[static_cast<std::size_t>(i)] * p.n + index[static_cast<std::size_t>(j)]];
    if (nfree == 0) return 0;
    if (cholesky(R, nfree, kMinVal) < nfree) return -1;

    double square = 0;
    for (int i = 0; i < nfree; ++i) {
      rhs[static_cast<std::size_t>(i)] = -gradient[static_cast<std::size_t>(index[static_cast<std::size_t>(i)])];
      square += rhs[static_cast<std::size_t>(i)] * rhs[static_cast<std::size_t>(i)];
    }
    if (square < kGradient * kGradient) return nfree;
    cholesky_solve(spare.data(), R, rhs.data(), nfree);
    std::ranges::fill(search, 0.0);
    double slope = 0;
    for (int i = 0; i < nfree; ++i) {
      const auto k = static_cast<std::size_t>(index[static_cast<std::size_t>(i)]);
      search[k] = spare[static_cast<std::size_t>(i)];
      slope += gradient[k] * search[k];
    }
    if (slope >= 0) return nfree;

    // Armijo: shorten the step, clamped to the box, until the cost decreases sufficiently
    double step = 1, next = cost;
    for (;;) {
      for (int i = 0; i < p.n; ++i)
        candidate[static_cast<std::size_t>(i)] = clamped(p, i, res[i] + step * search[static_cast<std::size_t>(i)]);
      next = box_cost(p, candidate.data(), spare);
      if (next - cost <= kImprovement * step * slope) break;
      step *= kShrink;
      if (step < kSmallestStep) return nfree;
    }
    const bool still = std::equal(candidate.begin(), candidate.end(), res);
    std::ranges::copy(candidate, res);
    gradient = spare;
    if (still) return nfree;
    cost = next;
  }
  return -1;
}

int eigen3(double eigval[3], double eigvec[9], const double mat[9]) {
  double a[3][3], v[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) a[i][j] = mat[3 * i + j];
  int sweep = 0;
  for (; sweep < 500; ++sweep) {
    // rotate away the largest off-diagonal entry
    int p = 0, q = 1;
    if (std::abs(a[0][2]) > std::abs(a[p][q])) q = 2;
    if (std::abs(a[1][2]) > std::abs(a[p][q])) p = 1, q = 2;
    if (std::abs(a[p][q]) < 1e-12) break;
    const double theta = (a[q][q] - a[p][p]) / (2 * a[p][q]);
    const double t = (theta >= 0 ? 1 : -1) / (std::abs(theta) + std::sqrt(theta * theta + 1));
    const double c = 1 / std::sqrt(t * t + 1), s = t * c;
    for (int k = 0; k < 3; ++k) {
      const double x = a[k][p], y = a[k][q];
      a[k][p] = c * x - s * y;
      a[k][q] = s * x + c * y;
    }
    for (int k = 0; k < 3; ++k) {
      const double x = a[p][k], y = a[q][k];
      a[p][k] = c * x - s * y;
      a[q][k] = s * x + c * y;
      const double u = v[k][p], w = v[k][q];
      v[k][p] = c * u - s * w;
      v[k][q] = s * u + c * w;
    }
  }
  int order[3] = {0, 1, 2};
  std::sort(order, order + 3, [&](int i, int j) { return a[i][i] > a[j][j]; });
  const bool odd = (order[0] + 1) % 3 != order[1];  // to stay a rotation, an odd permutation flips one column
  for (int j = 0; j < 3; ++j) {
    eigval[j] = a[order[j]][order[j]];
    for (int i = 0; i < 3; ++i) eigvec[3 * i + j] = v[i][order[j]] * (odd && j == 2 ? -1 : 1);
  }
  return sweep;
}

}  // namespace sinew::python
