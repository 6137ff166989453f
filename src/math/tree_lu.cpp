#include "math/tree_lu.h"

#include <algorithm>
#include <cmath>

#include "sinew/constants.h"

namespace sinew {

int factor_tree_lu(const TreePattern& at, double* matrix, int* remaining) {
  int bad_pivots = 0;
  std::copy_n(at.rownnz, at.n, remaining);
  for (int i = at.n - 1; i >= 0; --i) {
    // every column beyond i has been eliminated from row i: its diagonal is the last one left
    const int row = at.rowadr[i];
    const int diag = row + remaining[i] - 1;
    if (std::abs(matrix[diag]) < kMinVal) {
      matrix[diag] = std::copysign(kMinVal, matrix[diag]);
      ++bad_pivots;
    }
    // only ancestors have an entry in column i, and it is their last
    for (int j = at.parent[i]; j >= 0; j = at.parent[j]) {
      const int row_j = at.rowadr[j];
      const int last = row_j + --remaining[j];
      const double factor = matrix[last] /= matrix[diag];
      // row_j -= factor row_i: what is left of row i are ancestors of i, all of which are in row j too
      for (int a = row, b = row_j; a < diag; ++b) {
        if (at.colind[b] != at.colind[a]) continue;
        matrix[b] -= matrix[a++] * factor;
      }
    }
  }
  return bad_pivots;
}

void solve_tree_lu(const TreePattern& at, const double* factor, double* x) {
  // U y = x, from the last row; the diagonal of U is 1
  for (int i = at.n - 1; i >= 0; --i) {
    const int row = at.rowadr[i];
    for (int a = row + at.diag[i] + 1; a < row + at.rownnz[i]; ++a) x[i] -= factor[a] * x[at.colind[a]];
  }
  // L z = y, from the first row
  for (int i = 0; i < at.n; ++i) {
    const int row = at.rowadr[i];
    const int diag = row + at.diag[i];
    for (int a = row; a < diag; ++a) x[i] -= factor[a] * x[at.colind[a]];
    x[i] /= factor[diag];
  }
}

}  // namespace sinew
