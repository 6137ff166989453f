#pragma once

namespace sinew {

/// minimize ½ x·A x + x·b subject to Σ (x_i / mu_i)² <= r²; n = 2, 3 or 5, A row-major n x n. Newton's method on the
/// Lagrange multiplier, with absolute thresholds as in MuJoCo: a scaled A that is too small gives x = 0.
void solve_qcqp(const double* A, const double* b, const double* mu, double r, int n, double* x);

}  // namespace sinew
