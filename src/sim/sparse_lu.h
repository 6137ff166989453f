#pragma once

#include "sinew/model.h"

// A = U L for a matrix with the pattern of D (rows in D_rownnz, D_rowadr, D_colind: a dof's ancestors, itself, its
// descendants), U unit upper and L lower triangular, both in the place of A. Rows are eliminated from the last to the
// first, leaf to root, so there is no fill-in; there is no pivoting.

namespace sinew {

/// Returns the number of pivots smaller than kMinVal in size; these become kMinVal with their sign. A negative pivot is
/// as good as any: the matrix is not symmetric, and with a long step and a fast rotation not positive definite either.
int factor_tree_lu(const Model& m, double* matrix, int* remaining);

/// x := A⁻¹ x with the factor.
void solve_tree_lu(const Model& m, const double* factor, double* x);

}  // namespace sinew
