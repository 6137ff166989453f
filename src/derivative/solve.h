#pragma once

#include "derivative/matrix.h"
#include "sinew/data.h"

// Linear systems whose right-hand sides are the columns of a Matrix. All loops run along its rows.

namespace sinew {

/// X := A⁻¹ X with a factor Lᵀ D L in the pattern of M (factor_tree_sparse).
void solve_tree_rows(const Model& m, const double* factor, const double* diag_inv, Matrix& X);

/// X := A⁻¹ X with a factor in the pattern of D (factor_tree_lu).
void solve_tree_lu_rows(const Model& m, const double* factor, Matrix& X);

/// Y = A X for a symmetric matrix in the pattern of M.
void multiply_tree_rows(const Model& m, const double* matrix, const Matrix& X, Matrix& Y);

/// X := (UᵀU)⁻¹ X, U upper triangular, dense, row-major; diag_inv holds 1 / U_ii.
void solve_dense_rows(const double* U, int stride, const double* diag_inv, Matrix& X);

/// Cholesky factor U of a symmetric matrix, in its upper triangle. False if the matrix is not positive definite.
bool factor_dense(double* U, int n, int stride, double* diag_inv);

}  // namespace sinew
