#pragma once

#include <algorithm>

#include "sinew/data.h"

namespace sinew {

/// Values on some dofs: a tendon's Jacobian, an actuator's moments.
struct SparseRow {
  const int* col;
  const double* value;
  int n;
};

inline SparseRow tendon_row(const Model& m, const Data& d, int t) {
  return {m.ten_J_colind.data() + m.ten_J_rowadr[t], d.ten_J.data() + m.ten_J_rowadr[t], m.ten_J_rownnz[t]};
}
inline SparseRow moment_row(const Data& d, int out) {
  return {d.moment_colind.data() + d.moment_rowadr[out], d.actuator_moment.data() + d.moment_rowadr[out],
          d.moment_rownnz[out]};
}

/// One dof is an ancestor of the other, or they are the same: the pattern of M and of qDeriv.
inline bool share_a_chain(const Model& m, int a, int b) {
  int low = std::max(a, b);
  const int high = std::min(a, b);
  while (low > high) low = m.dof_parentid[low];
  return low == high;
}

/// (jᵀ j a) at the row's entry `at`, in the pattern of qDeriv, which drops dofs of different branches.
inline double masked_product(const Model& m, const SparseRow& j, int at, const double* a) {
  double sum = 0;
  for (int b = 0; b < j.n; ++b)
    if (share_a_chain(m, j.col[at], j.col[b])) sum += j.value[b] * a[j.col[b]];
  return j.value[at] * sum;
}

inline bool is_spatial(const Model& m, int tendon) {
  return WrapType(m.wrap_type[m.tendon_adr[tendon]]) != WrapType::Joint;
}

/// This dof's actuator force is at the joint's own force limit.
inline bool is_clipped(const Model& m, const Data& d, int dof) {
  const int jnt = m.dof_jntid[dof];
  if (!m.jnt_actfrclimited[jnt] || m.jnt_dofadr[jnt] != dof) return false;
  return d.qfrc_actuator[dof] <= m.jnt_actfrcrange[2 * jnt] || d.qfrc_actuator[dof] >= m.jnt_actfrcrange[2 * jnt + 1];
}

}  // namespace sinew
