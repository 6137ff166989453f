#include "derivative/solve.h"

#include <gtest/gtest.h>

#include <bit>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "dynamics/inertia.h"
#include "sim/integrator_matrix.h"
#include "sinew/load.h"
#include "sinew/step.h"

// The kernels on rows of right-hand sides, against the same arithmetic written for one right-hand side: equal bits for
// every number of dofs and of columns.

namespace sinew {
namespace {

using Vector = std::vector<double>;

struct Term {
  double factor, number;
};

/// y - Σ factor·number as the kernels order it: two pairs for each four terms, then one by one.
double minus_sum(double y, const std::vector<Term>& terms) {
  const auto product = [&](std::size_t k) { return terms[k].factor * terms[k].number; };
  std::size_t k = 0;
  for (; k + 4 <= terms.size(); k += 4) y = y - (product(k) + product(k + 1)) - (product(k + 2) + product(k + 3));
  for (; k < terms.size(); ++k) y -= product(k);
  return y;
}

/// x := (Lᵀ D L)⁻¹ x. Up to four dofs that follow one another on a chain reach their common ancestors together.
void plain_solve_tree(const Model& m, const double* factor, const double* diag_inv, Vector& x) {
  const auto row = [&](int i) { return factor + m.M_rowadr[i]; };
  const auto ancestor = [&](int i, int k) { return m.M_colind[m.M_rowadr[i] + k]; };
  for (int last = static_cast<int>(m.nv) - 1; last >= 0;) {
    int first = last;
    while (last - first < 3 && m.M_rownnz[first] > 1 && ancestor(first, m.M_rownnz[first] - 2) == first - 1) --first;
    const int above = m.M_rownnz[first] - 1;
    for (int i = last; i >= first; --i)
      for (int a = first; a < i; ++a) x[a] -= row(i)[above + a - first] * x[i];
    for (int k = 0; k < above; ++k) {
      std::vector<Term> terms;
      for (int i = first; i <= last; ++i) terms.push_back({row(i)[k], x[i]});
      x[ancestor(first, k)] = minus_sum(x[ancestor(first, k)], terms);
    }
    last = first - 1;
  }
  for (int i = 0; i < m.nv; ++i) {
    std::vector<Term> terms;
    for (int k = 0; k < m.M_rownnz[i] - 1; ++k) terms.push_back({row(i)[k], x[ancestor(i, k)]});
    x[i] = minus_sum(diag_inv[i] * x[i], terms);
  }
}

/// y = A x, A symmetric in the pattern of M.
Vector plain_multiply_tree(const Model& m, const double* matrix, const Vector& x) {
  Vector y(x.size());
  for (int i = 0; i < m.nv; ++i) {
    const double* row = matrix + m.M_rowadr[i];
    const int count = m.M_rownnz[i] - 1;
    y[i] += row[count] * x[i];
    for (int k = 0; k < count; ++k) {
      const int j = m.M_colind[m.M_rowadr[i] + k];
      y[i] += row[k] * x[j];
      y[j] += row[k] * x[i];
    }
  }
  return y;
}

/// x := (U L)⁻¹ x in the pattern of D, dividing by a product with the inverse of the diagonal.
void plain_solve_lu(const Model& m, const double* factor, Vector& x) {
  for (int i = static_cast<int>(m.nv) - 1; i >= 0; --i)
    for (int a = m.D_rowadr[i] + m.D_diag[i] + 1; a < m.D_rowadr[i] + m.D_rownnz[i]; ++a)
      x[i] -= factor[a] * x[m.D_colind[a]];
  for (int i = 0; i < m.nv; ++i) {
    const int diag = m.D_rowadr[i] + m.D_diag[i];
    for (int a = m.D_rowadr[i]; a < diag; ++a) x[i] -= factor[a] * x[m.D_colind[a]];
    x[i] *= 1 / factor[diag];
  }
}

/// x := (UᵀU)⁻¹ x
void plain_solve_dense(const double* U, int n, const double* diag_inv, Vector& x) {
  const auto batches = [&](int i, int begin, int end, auto&& entry) {  // of 64 rows, as the kernel's
    for (int k = begin; k < end; k += 64) {
      std::vector<Term> terms;
      for (int j = k; j < std::min(k + 64, end); ++j) terms.push_back({entry(j), x[j]});
      x[i] = minus_sum(x[i], terms);
    }
    x[i] *= diag_inv[i];
  };
  for (int i = 0; i < n; ++i) batches(i, 0, i, [&](int k) { return U[k * n + i]; });
  for (int i = n - 1; i >= 0; --i) batches(i, i + 1, n, [&](int k) { return U[i * n + k]; });
}

/// Chains of three kinds of joints with side branches, so that rows have gaps.
std::string tree(int n) {
  static constexpr const char* kJoints[] = {R"(axis="0 1 0.2")", R"(type="slide" axis="1 0 0.5")", R"(axis="1 0 0")"};
  std::string head, tail;
  for (int i = 0; i < n; ++i) {
    head += std::string(R"(<body pos="0.1 0 0.3"><joint damping="1" )") + kJoints[i % 3] + R"(/><geom size="0.1"/>)";
    if (i % 5 == 4) head += R"(<body pos="0 0.2 0"><joint axis="1 1 0"/><geom size="0.05"/></body>)";
    tail += "</body>";
  }
  return "<mujoco><option integrator=\"implicit\"/><worldbody>" + head + tail + "</worldbody></mujoco>";
}

struct Random {
  std::mt19937 generator{3};
  double operator()() { return std::uniform_real_distribution<double>(-1, 1)(generator); }
};

Matrix random_matrix(int rows, int cols, Random& random) {
  Matrix X;
  X.reset(rows, cols);
  for (int i = 0; i < rows; ++i)
    for (int k = 0; k < cols; ++k) X(i, k) = random();
  return X;
}

Vector column(const Matrix& X, int k) {
  Vector x(static_cast<std::size_t>(X.rows()));
  for (int i = 0; i < X.rows(); ++i) x[static_cast<std::size_t>(i)] = X(i, k);
  return x;
}

void expect_column(const Matrix& X, int k, const Vector& plain) {
  for (int i = 0; i < X.rows(); ++i)
    ASSERT_EQ(std::bit_cast<std::uint64_t>(X(i, k)), std::bit_cast<std::uint64_t>(plain[static_cast<std::size_t>(i)]))
        << "row " << i << ", column " << k << ": " << X(i, k) << " and " << plain[static_cast<std::size_t>(i)];
}

TEST(SolveRows, OnTreesGivesTheBitsOfThePlainText) {
  Random random;
  for (int n = 0; n < 24; ++n) {
    SCOPED_TRACE(n);
    const Model m = load_string(tree(n)).value_or_throw();
    Data d(m);
    for (double& q : d.qpos) q = random();
    for (double& v : d.qvel) v = random();
    step(m, d);
    for (const int cols : {0, 1, 3, 4, 5, 9}) {
      const Matrix rhs = random_matrix(static_cast<int>(m.nv), cols, random);
      Matrix solved = rhs, by_lu = rhs, product;
      solve_tree_rows(m, d.qLD.data(), d.qLDiagInv.data(), solved);
      solve_tree_lu_rows(m, d.qLU.data(), by_lu);
      multiply_tree_rows(m, d.M.data(), rhs, product);
      for (int k = 0; k < cols; ++k) {
        Vector x = column(rhs, k), y = x;
        expect_column(product, k, plain_multiply_tree(m, d.M.data(), x));
        plain_solve_tree(m, d.qLD.data(), d.qLDiagInv.data(), x);
        expect_column(solved, k, x);
        plain_solve_lu(m, d.qLU.data(), y);
        expect_column(by_lu, k, y);
      }
    }
  }
}

TEST(SolveRows, OnDenseMatricesGivesTheBitsOfThePlainText) {
  Random random;
  for (const int n : {0, 1, 2, 3, 4, 5, 8, 15, 63, 64, 65, 66, 129}) {
    SCOPED_TRACE(n);
    const auto at = [n](int i, int k) { return static_cast<std::size_t>(i * n + k); };
    Vector U(static_cast<std::size_t>(n * n)), diag_inv(static_cast<std::size_t>(n));
    for (int i = 0; i < n; ++i) {
      for (int k = i; k < n; ++k) U[at(i, k)] = random();
      U[at(i, i)] += 2 * n;
    }
    Vector plain = U;  // row by row: divide by the root of the pivot, subtract from the rows below
    for (int i = 0; i < n; ++i) {
      const double inv = 1 / std::sqrt(plain[at(i, i)]);
      for (int k = i; k < n; ++k) plain[at(i, k)] *= inv;
      for (int r = i + 1; r < n; ++r)
        for (int k = r; k < n; ++k) plain[at(r, k)] -= plain[at(i, r)] * plain[at(i, k)];
    }
    ASSERT_TRUE(factor_dense(U.data(), n, n, diag_inv.data()));
    for (int i = 0; i < n; ++i)
      for (int k = i; k < n; ++k) ASSERT_EQ(U[at(i, k)], plain[at(i, k)]) << i << ", " << k;
    const Matrix rhs = random_matrix(n, 6, random);
    Matrix solved = rhs;
    solve_dense_rows(U.data(), n, diag_inv.data(), solved);
    for (int k = 0; k < 6; ++k) {
      Vector x = column(rhs, k);
      plain_solve_dense(U.data(), n, diag_inv.data(), x);
      expect_column(solved, k, x);
    }
  }
}

}  // namespace
}  // namespace sinew
