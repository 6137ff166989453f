#include "math/stiffness_matrix.h"

namespace sinew {
namespace {

double row_product(const StiffnessMatrix& K, int i, const double* x) {
  const int* col = K.colind + K.rowadr[i];
  const double* value = K.value + K.rowadr[i];
  double sum = 0;
  for (int k = 0; k < K.rownnz[i]; ++k) sum += value[k] * x[col[k]];
  return sum;
}

void solve_factored(const StiffnessMatrix& K, const double* r, double* z, double* y) {
  const int n = static_cast<int>(K.factored.size());
  for (int i = 0; i < n; ++i) y[i] = r[K.factored[i]];
  for (int i = n - 1; i >= 0; --i) {  // y := L⁻ᵀ y
    const double* row = K.L + K.L_rowadr[i];
    const int* col = K.L_colind + K.L_rowadr[i];
    const int last = K.L_rownnz[i] - 1;
    y[i] /= row[last];
    for (int k = 0; k < last; ++k) y[col[k]] -= row[k] * y[i];
  }
  for (int i = 0; i < n; ++i) {  // y := L⁻¹ y
    const double* row = K.L + K.L_rowadr[i];
    const int* col = K.L_colind + K.L_rowadr[i];
    const int last = K.L_rownnz[i] - 1;
    double own = y[i];
    for (int k = 0; k < last; ++k) own -= row[k] * y[col[k]];
    y[i] = own / row[last];
  }
  for (int i = 0; i < n; ++i) z[K.factored[i]] = y[i];
}

}  // namespace

void add_product(const StiffnessMatrix& K, const double* x, double* y) {
  std::size_t next = 0;
  for (int i = 0; i < K.n;) {
    if (next < K.block.size() && K.block[next] == i) {  // three rows with the same columns
      const int nnz = K.rownnz[i];
      const int* col = K.colind + K.rowadr[i];
      const double *a = K.value + K.rowadr[i], *b = K.value + K.rowadr[i + 1], *c = K.value + K.rowadr[i + 2];
      double s0 = 0, s1 = 0, s2 = 0;
      for (int k = 0; k < nnz; ++k) {
        const double xk = x[col[k]];
        s0 += a[k] * xk;
        s1 += b[k] * xk;
        s2 += c[k] * xk;
      }
      y[i] += s0;
      y[i + 1] += s1;
      y[i + 2] += s2;
      i += 3;
      ++next;
      continue;
    }
    y[i] += row_product(K, i, x);
    ++i;
  }
}

void detail::invert_covered(const StiffnessMatrix& K, double* r, double* z, double* room) {
  for (std::size_t b = 0; b < K.block.size(); ++b) {
    const double* inverse = K.inverse + 9 * b;
    const int i = K.block[b];
    const double r0 = r[i], r1 = r[i + 1], r2 = r[i + 2];
    for (int k = 0; k < 3; ++k) z[i + k] = inverse[3 * k] * r0 + inverse[3 * k + 1] * r1 + inverse[3 * k + 2] * r2;
  }
  if (!K.factored.empty()) solve_factored(K, r, z, room);
  for (const int i : K.block) r[i] = r[i + 1] = r[i + 2] = 0;
}

}  // namespace sinew
