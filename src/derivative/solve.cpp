#include "derivative/solve.h"

#include <cmath>

namespace sinew {
namespace {

/// y -= c x over whole packs.
SINEW_INLINE void subtract_scaled(double* y, const double* x, double c, int n) {
  for (int i = 0; i < n; i += 4) store_pack(y + i, load_pack(y + i) - c * load_pack(x + i));
}
SINEW_INLINE void scale(double* y, double c, int n) {
  for (int i = 0; i < n; i += 4) store_pack(y + i, c * load_pack(y + i));
}

/// y -= Σ c_k x_k for up to four rows at a time.
SINEW_INLINE void subtract_rows(double* y, const double* const* x, const double* c, int count, int n) {
  int k = 0;
  for (; k + 4 <= count; k += 4) {
    const double c0 = c[k], c1 = c[k + 1], c2 = c[k + 2], c3 = c[k + 3];
    const double *x0 = x[k], *x1 = x[k + 1], *x2 = x[k + 2], *x3 = x[k + 3];
    for (int i = 0; i < n; i += 4)
      store_pack(y + i, load_pack(y + i) - (c0 * load_pack(x0 + i) + c1 * load_pack(x1 + i)) -
                            (c2 * load_pack(x2 + i) + c3 * load_pack(x3 + i)));
  }
  for (; k < count; ++k) subtract_scaled(y, x[k], c[k], n);
}

/// Rows of X that entries of a sparse row refer to.
constexpr int kBatch = 64;

}  // namespace

SINEW_KERNEL void solve_tree_rows(const Model& m, const double* factor, const double* diag_inv, Matrix& X) {
  const int n = X.stride(), nv = static_cast<int>(m.nv);
  // up to four consecutive dofs on a chain update the ancestors of the first of them together
  for (int last = nv - 1; last >= 0;) {
    int first = last;
    while (last - first < 3 && m.M_rownnz[first] > 1 &&
           m.M_colind[m.M_rowadr[first] + m.M_rownnz[first] - 2] == first - 1)
      --first;
    const double* rows[4];
    const double* numbers[4];
    const int size = last - first + 1, count = m.M_rownnz[first] - 1;
    for (int i = last; i >= first; --i) {
      rows[i - first] = X.row(i);
      numbers[i - first] = factor + m.M_rowadr[i];
      for (int a = first; a < i; ++a) subtract_scaled(X.row(a), X.row(i), numbers[i - first][count + a - first], n);
    }
    const int* ancestor = &m.M_colind[m.M_rowadr[first]];
    for (int k = 0; k < count; ++k) {
      double coef[4];
      for (int b = 0; b < size; ++b) coef[b] = numbers[b][k];
      subtract_rows(X.row(ancestor[k]), rows, coef, size, n);
    }
    last = first - 1;
  }
  for (int i = 0; i < nv; ++i) {
    scale(X.row(i), diag_inv[i], n);
    const int count = m.M_rownnz[i] - 1;
    const double* row = factor + m.M_rowadr[i];
    const int* ancestor = &m.M_colind[m.M_rowadr[i]];
    const double* rows[kBatch];
    for (int k = 0; k < count; k += kBatch) {
      const int batch = std::min(kBatch, count - k);
      for (int b = 0; b < batch; ++b) rows[b] = X.row(ancestor[k + b]);
      subtract_rows(X.row(i), rows, row + k, batch, n);
    }
  }
}

SINEW_KERNEL void solve_tree_lu_rows(const Model& m, const double* factor, Matrix& X) {
  const int n = X.stride(), nv = static_cast<int>(m.nv);
  for (int i = nv - 1; i >= 0; --i) {
    const int row = m.D_rowadr[i];
    for (int a = row + m.D_diag[i] + 1; a < row + m.D_rownnz[i]; ++a)
      subtract_scaled(X.row(i), X.row(m.D_colind[a]), factor[a], n);
  }
  for (int i = 0; i < nv; ++i) {
    const int row = m.D_rowadr[i], diag = row + m.D_diag[i];
    for (int a = row; a < diag; ++a) subtract_scaled(X.row(i), X.row(m.D_colind[a]), factor[a], n);
    scale(X.row(i), 1 / factor[diag], n);
  }
}

SINEW_KERNEL void multiply_tree_rows(const Model& m, const double* matrix, const Matrix& X, Matrix& Y) {
  const int n = X.stride();
  Y.reset(X.rows(), X.cols());
  for (int i = 0; i < m.nv; ++i) {
    const int count = m.M_rownnz[i] - 1;
    const double* row = matrix + m.M_rowadr[i];
    const int* ancestor = &m.M_colind[m.M_rowadr[i]];
    subtract_scaled(Y.row(i), X.row(i), -row[count], n);
    for (int k = 0; k < count; ++k) {
      subtract_scaled(Y.row(i), X.row(ancestor[k]), -row[k], n);
      subtract_scaled(Y.row(ancestor[k]), X.row(i), -row[k], n);
    }
  }
}

SINEW_KERNEL void solve_dense_rows(const double* U, int stride, const double* diag_inv, Matrix& X) {
  const int n = X.stride(), size = X.rows();
  const double* rows[kBatch];
  double coef[kBatch];
  for (int i = 0; i < size; ++i) {  // Uᵀ y = x
    for (int k = 0; k < i; k += kBatch) {
      const int batch = std::min(kBatch, i - k);
      for (int b = 0; b < batch; ++b) rows[b] = X.row(k + b), coef[b] = U[(k + b) * stride + i];
      subtract_rows(X.row(i), rows, coef, batch, n);
    }
    scale(X.row(i), diag_inv[i], n);
  }
  for (int i = size - 1; i >= 0; --i) {  // U x = y
    for (int k = i + 1; k < size; k += kBatch) {
      const int batch = std::min(kBatch, size - k);
      for (int b = 0; b < batch; ++b) rows[b] = X.row(k + b);
      subtract_rows(X.row(i), rows, U + i * stride + k, batch, n);
    }
    scale(X.row(i), diag_inv[i], n);
  }
}

SINEW_KERNEL bool factor_dense(double* U, int n, int stride, double* diag_inv) {
  for (int i = 0; i < n; ++i) {
    double* row = U + i * stride;
    if (!(row[i] > 0)) return false;
    const double inv = 1 / std::sqrt(row[i]);
    diag_inv[i] = inv;
    for (int k = i; k < n; ++k) row[k] *= inv;
    for (int r = i + 1; r < n; ++r) {
      const double c = row[r];
      if (c == 0) continue;
      double* below = U + r * stride;
      for (int k = r; k < n; ++k) below[k] -= c * row[k];
    }
  }
  return true;
}

}  // namespace sinew
