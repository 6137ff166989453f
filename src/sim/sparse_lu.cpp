#include "sim/sparse_lu.h"

#include <algorithm>
#include <cmath>

namespace sinew {

int factor_tree_lu(const Model& m, double* matrix, int* remaining) {
  int bad_pivots = 0;
  std::ranges::copy(m.D_rownnz, remaining);
  for (int i = static_cast<int>(m.nv) - 1; i >= 0; --i) {
    // every column beyond i has been eliminated from row i: its diagonal is the last that remains
    const int row = m.D_rowadr[i];
    const int diag = row + remaining[i] - 1;
    if (std::abs(matrix[diag]) < kMinVal) {
      matrix[diag] = std::copysign(kMinVal, matrix[diag]);
      ++bad_pivots;
    }
    // only ancestors have an entry in column i, and it is their last
    for (int j = m.dof_parentid[i]; j >= 0; j = m.dof_parentid[j]) {
      const int row_j = m.D_rowadr[j];
      const int last = row_j + --remaining[j];
      const double factor = matrix[last] /= matrix[diag];
      // row_j -= factor row_i: what remains of row i are ancestors of i, all of which are in row j too
      for (int a = row, b = row_j; a < diag; ++b) {
        if (m.D_colind[b] != m.D_colind[a]) continue;
        matrix[b] -= matrix[a++] * factor;
      }
    }
  }
  return bad_pivots;
}

void solve_tree_lu(const Model& m, const double* factor, double* x) {
  // U y = x, from the last row; the diagonal of U is 1
  for (int i = static_cast<int>(m.nv) - 1; i >= 0; --i) {
    const int row = m.D_rowadr[i];
    for (int a = row + m.D_diag[i] + 1; a < row + m.D_rownnz[i]; ++a) x[i] -= factor[a] * x[m.D_colind[a]];
  }
  // L z = y, from the first row
  for (int i = 0; i < m.nv; ++i) {
    const int row = m.D_rowadr[i];
    const int diag = row + m.D_diag[i];
    for (int a = row; a < diag; ++a) x[i] -= factor[a] * x[m.D_colind[a]];
    x[i] /= factor[diag];
  }
}

}  // namespace sinew
