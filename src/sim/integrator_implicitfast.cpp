#include <algorithm>
#include <cmath>

#include "base/arena.h"
#include "dynamics/inertia.h"
#include "dynamics/qderiv.h"
#include "sim/advance.h"
#include "sim/integrator_matrix.h"
#include "sim/integrator_table.h"

// Implicit in the velocity without the derivative of the bias force, and with a symmetric matrix:
//   (M - h D) a = qfrc,   D = lower triangle of ∂(qfrc_passive + qfrc_actuator)/∂qvel, mirrored.
// A free body that is a whole tree is cheap enough to treat exactly: its six accelerations come from the full block
//   [M - h D + h B] a = qfrc,   B = ∂qfrc_bias/∂qvel.

namespace sinew {

void free_body_block(const Model& m, const Data& d, int body, int first, FreeBlock& block) {
  const double h = m.opt.timestep;
  free_body_bias_derivative(m, d, body, block);
  for (double& x : block) x *= h;
  for (int i = 0; i < kFreeDofs; ++i) {
    const int dof = first + i;
    for (int k = m.D_rowadr[dof]; k < m.D_rowadr[dof] + m.D_rownnz[dof]; ++k)
      block[kFreeDofs * i + m.D_colind[k] - first] -= h * d.qDeriv[k];
    for (int k = m.M_rowadr[dof]; k < m.M_rowadr[dof] + m.M_rownnz[dof]; ++k) {
      const int j = m.M_colind[k] - first;
      block[kFreeDofs * i + j] += d.M[k];
      if (j != i) block[kFreeDofs * j + i] += d.M[k];
    }
  }
}

bool solve_free_block(FreeBlock& block, double* x) {
  constexpr int n = kFreeDofs;
  double y[n];
  std::copy_n(x, n, y);
  for (int c = 0; c < n; ++c) {
    int pivot = c;
    for (int r = c + 1; r < n; ++r)
      if (std::abs(block[n * r + c]) > std::abs(block[n * pivot + c])) pivot = r;
    if (!(std::abs(block[n * pivot + c]) >= kMinVal)) return false;
    if (pivot != c) {
      std::swap_ranges(block + n * c, block + n * (c + 1), block + n * pivot);
      std::swap(y[c], y[pivot]);
    }
    for (int r = c + 1; r < n; ++r) {
      const double factor = block[n * r + c] / block[n * c + c];
      for (int k = c; k < n; ++k) block[n * r + k] -= factor * block[n * c + k];
      y[r] -= factor * y[c];
    }
  }
  for (int r = n - 1; r >= 0; --r) {
    for (int k = r + 1; k < n; ++k) y[r] -= block[n * r + k] * y[k];
    y[r] /= block[n * r + r];
  }
  std::copy_n(y, n, x);
  return true;
}

void implicitfast_matrix(const Model& m, Data& d, double* matrix) {
  velocity_derivative(m, d, /*with_bias=*/false);
  for (int k = 0; k < m.nC; ++k) matrix[k] = d.M[k] - m.opt.timestep * d.qDeriv[m.mapD2M[k]];
  for_each_standalone_free_body(m, [&](int, int first) {
    for (int k = m.M_rowadr[first]; k < m.M_rowadr[first + kFreeDofs - 1] + m.M_rownnz[first + kFreeDofs - 1]; ++k)
      matrix[k] = d.M[k];
  });
}

void solve_free_bodies(const Model& m, Data& d, double* a) {
  for_each_standalone_free_body(m, [&](int body, int first) {
    FreeBlock block;
    free_body_block(m, d, body, first, block);
    double exact[kFreeDofs];
    for (int i = 0; i < kFreeDofs; ++i) exact[i] = d.qfrc_smooth[first + i] + d.qfrc_constraint[first + i];
    if (solve_free_block(block, exact)) std::copy_n(exact, kFreeDofs, a + first);
  });
}

void integrate_implicitfast(const Model& m, Data& d) {
  if (flexes_are_implicit(m, d)) return advance(m, d, d.act_dot.data(), d.qacc.data());
  implicitfast_matrix(m, d, d.qH.data());
  factor_tree_sparse(m, d.qH.data(), d.qHDiagInv.data());

  Scratch scratch(d.scratch());
  double* a = scratch.take<double>(m.nv);
  for (int i = 0; i < m.nv; ++i) a[i] = d.qfrc_smooth[i] + d.qfrc_constraint[i];
  solve_tree_sparse(m, d.qH.data(), d.qHDiagInv.data(), a);
  solve_free_bodies(m, d, a);
  advance(m, d, d.act_dot.data(), a);
}

bool implicitfast_discrete_force(const Model& m, Data& d, const double* a, double* force) {
  if (flexes_are_implicit(m, d)) return false;
  Scratch scratch(d.scratch());
  double* matrix = scratch.take<double>(m.nC);
  implicitfast_matrix(m, d, matrix);
  mul_tree_sparse(m, matrix, a, force);
  for_each_standalone_free_body(m, [&](int body, int first) {
    FreeBlock block;
    free_body_block(m, d, body, first, block);
    for (int i = 0; i < kFreeDofs; ++i) {
      force[first + i] = 0;
      for (int j = 0; j < kFreeDofs; ++j) force[first + i] += block[kFreeDofs * i + j] * a[first + j];
    }
  });
  return true;
}

}  // namespace sinew
