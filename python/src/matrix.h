#pragma once

#include <vector>

// Dense, banded and sparse matrices for the mju_* functions of Python. Row-major.

namespace sinew::python {

/// A symmetric matrix of n rows whose lower triangle is banded, with dense rows at the end: the first n - dense rows
/// have their last `band` entries up to the diagonal, the others all n.
struct BandShape {
  int n, band, dense;

  int sparse_rows() const { return n - dense; }
  int size() const { return sparse_rows() * band + dense * n; }
  /// Address of the diagonal entry of row i.
  int diagonal(int i) const {
    return i < sparse_rows() ? i * band + band - 1 : sparse_rows() * band + (i - sparse_rows()) * n + i;
  }
  /// First stored column of row i, at least 0.
  int first(int i) const { return i < sparse_rows() ? (i - band + 1 > 0 ? i - band + 1 : 0) : 0; }
  /// Entry (i, j), first(i) <= j <= i.
  int at(int i, int j) const { return diagonal(i) - (i - j); }
};

/// A = L Lᵀ in place, the lower triangle only; diagonal entries below mindiag are replaced by it. Returns the rank: the
/// number of entries not replaced.
int cholesky(double* mat, int n, double mindiag);
/// res = A⁻¹ vec with the factor.
void cholesky_solve(double* res, const double* mat, const double* vec, int n);
/// Factor of A ± x xᵀ from the factor of A; destroys x. Returns the rank: the number of pivots not replaced.
int cholesky_update(double* mat, double* x, int n, bool plus);

/// The same for a band matrix; the diagonal is first increased to diag (1 + diagmul) + diagadd. Returns the smallest
/// pivot, or 0 if the matrix is not positive definite.
double band_cholesky(double* mat, const BandShape& shape, double diagadd, double diagmul);
void band_solve(double* res, const double* mat, const double* vec, const BandShape& shape);
void band_to_dense(double* res, const double* mat, const BandShape& shape, bool symmetric);
void dense_to_band(double* res, const double* mat, const BandShape& shape);
void band_multiply(double* res, const double* mat, const double* vec, const BandShape& shape, bool symmetric);

/// Minimizes ½ xᵀHx + xᵀg, lower <= x <= upper (either may be null), by projected Newton from res. R receives the
/// Cholesky factor of H for the free coordinates, index their indices. Returns their number, or -1 on failure.
struct BoxProblem {
  int n;
  const double* H;
  const double* g;
  const double* lower;
  const double* upper;
};
int solve_box(const BoxProblem& problem, double* res, double* R, std::vector<int>& index);

/// Eigenvalues, descending, and eigenvectors (columns) of a symmetric 3x3 matrix, a rotation; by Jacobi's method.
int eigen3(double eigval[3], double eigvec[9], const double mat[9]);

}  // namespace sinew::python
