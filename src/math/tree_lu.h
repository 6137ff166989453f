#pragma once

// A = U L for a matrix whose row i has the dof's ancestors, itself and its descendants, U unit upper and L lower
// triangular, both in the place of A. Rows are eliminated from the last to the first, leaf to root, so there is no
// fill-in; there is no pivoting.

namespace sinew {

/// Where the entries of such a matrix are, rows in ascending columns.
struct TreePattern {
  int n;
  const int* parent;  // the next dof towards the root, or -1
  const int* rownnz;
  const int* rowadr;
  const int* diag;  // place of the diagonal in its row
  const int* colind;
};

/// `remaining`: n ints of scratch. Returns the number of pivots smaller than kMinVal in size; these become kMinVal with
/// their sign. A negative pivot is as good as any: the matrix is not symmetric, and with a long step and a fast
/// rotation not positive definite either.
int factor_tree_lu(const TreePattern& at, double* matrix, int* remaining);

/// x := A⁻¹ x with the factor.
void solve_tree_lu(const TreePattern& at, const double* factor, double* x);

}  // namespace sinew
