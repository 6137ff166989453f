#pragma once

// A = U L for a matrix whose row i has the dof's ancestors, itself and its descendants, U unit upper and L lower
// triangular, both stored in A. Rows are eliminated from the last to the first, leaf to root, so there is no fill-in;
// there is no pivoting.

namespace sinew {

/// Sparsity pattern of such a matrix, columns ascending within a row.
struct TreePattern {
  int n;
  const int* parent;  // the next dof towards the root, or -1
  const int* rownnz;
  const int* rowadr;
  const int* diag;  // position of the diagonal in its row
  const int* colind;
};

/// `remaining`: n ints of scratch. Returns the number of pivots smaller than kMinVal in size; these become kMinVal with
/// their sign. Negative pivots are valid: the matrix is not symmetric, and with a long step and a fast rotation not
/// positive definite either.
int factor_tree_lu(const TreePattern& at, double* matrix, int* remaining);

/// x := A⁻¹ x with the factor.
void solve_tree_lu(const TreePattern& at, const double* factor, double* x);

}  // namespace sinew
