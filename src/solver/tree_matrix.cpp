#include "solver/tree_matrix.h"

namespace sinew {

void multiply_tree(const TreeMatrix& M, const double* x, double* y) {
  // ancestors come first: y of an ancestor is initialized before a row adds to it
  for (int i = 0; i < M.n; ++i) {
    const int last = M.rownnz[i] - 1;
    const double* row = M.value + M.rowadr[i];
    const int* col = M.colind + M.rowadr[i];
    double own = row[last] * x[i];
    for (int k = 0; k < last; ++k) {
      own += row[k] * x[col[k]];
      y[col[k]] += row[k] * x[i];
    }
    y[i] = own;
  }
}

void solve_tree(const TreeMatrix& M, double* x, int begin, int end) {
  // x := L⁻ᵀ x, leaf to root
  for (int i = end - 1; i >= begin; --i) {
    if (x[i] == 0) continue;
    const double* row = M.factor + M.rowadr[i];
    const int* col = M.colind + M.rowadr[i];
    for (int k = 0; k < M.rownnz[i] - 1; ++k) x[col[k]] -= row[k] * x[i];
  }
  for (int i = begin; i < end; ++i) x[i] *= M.diag_inv[i];
  // x := L⁻¹ x, root to leaf
  for (int i = begin; i < end; ++i) {
    const double* row = M.factor + M.rowadr[i];
    const int* col = M.colind + M.rowadr[i];
    double own = x[i];
    for (int k = 0; k < M.rownnz[i] - 1; ++k) own -= row[k] * x[col[k]];
    x[i] = own;
  }
}

int tree_end(const TreeMatrix& M, int begin) {
  int end = begin + 1;
  while (end < M.n && M.rownnz[end] > 1) ++end;
  return end;
}

}  // namespace sinew
