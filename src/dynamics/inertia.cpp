#include "dynamics/inertia.h"

#include <algorithm>

#include "dynamics/awake.h"
#include "dynamics/reflected.h"
#include "math/dual.h"
#include "math/pack.h"
#include "math/spatial.h"

namespace sinew {
namespace {

/// Row i of M: the inertia of everything that dof i moves, seen by i and by the dofs above it.
template <class Real>
void inertia_row(const Model& m, BasicData<Real>& d, int i) {
  const int adr = m.M_rowadr[i];
  if (m.dof_simplenum[i] > 0) {
    d.M[adr] = Real(m.dof_M0[i]);
    return;
  }
  const int diagonal = adr + m.M_rownnz[i] - 1;
  const Force<Real> momentum = mul_inertia(&d.crb[10 * m.dof_bodyid[i]], Motion<Real>::load(&d.cdof[6 * i]));
  for (int k = adr; k <= diagonal; ++k) d.M[k] = dot(Motion<Real>::load(&d.cdof[6 * m.M_colind[k]]), momentum);
  d.M[diagonal] += m.dof_armature[i] + reflected_armature(m, m.dof_jntid[i]);
}

/// M += a JᵀJ of a tendon, as far as M has these entries: pairs of dofs on different branches are dropped.
template <class Real>
void add_tendon_armature(const Model& m, BasicData<Real>& d, int tendon, double armature) {
  const int adr = m.ten_J_rowadr[tendon], end = adr + m.ten_J_rownnz[tendon];
  const Awake awake(m, d);
  for (int r = adr; r < end; ++r) {
    if (!awake.dof(m.ten_J_colind[r])) continue;
    const Real scale = armature * d.ten_J[r];
    if (scale == Real(0)) continue;
    const int row = m.M_rowadr[m.ten_J_colind[r]], row_end = row + m.M_rownnz[m.ten_J_colind[r]];
    for (int k = row, c = adr; k < row_end && c < end;) {
      if (m.M_colind[k] < m.ten_J_colind[c]) {
        ++k;
      } else if (m.M_colind[k] > m.ten_J_colind[c]) {
        ++c;
      } else {
        d.M[k++] += scale * d.ten_J[c++];
      }
    }
  }
}

/// Makes row k of L and subtracts what it stands for from the rows of its ancestors, row[i] L_j from entry j of
/// ancestor i. The columns of an ancestor are the first ones of row k.
template <class Real>
void eliminate_row(const Model& m, Real* matrix, Real* diag_inv, int k) {
  const int n = m.M_rownnz[k] - 1;
  const int *rowadr = m.M_rowadr.data(), *ancestor = m.M_colind.data() + rowadr[k];
  Real* row = matrix + rowadr[k];
  diag_inv[k] = Real(1) / row[n];
  for (int j = 0; j < n; ++j) {
    const Real scaled = row[j] * diag_inv[k];
    for (int i = j; i < n; ++i) matrix[rowadr[ancestor[i]] + j] -= row[i] * scaled;
    row[j] = scaled;
  }
}

/// The same, four columns at a time. The rows of the first three ancestors end inside of the four.
SINEW_INLINE void eliminate_row(const Model& m, double* matrix, double* diag_inv, int k) {
  const int n = m.M_rownnz[k] - 1;
  const int *rowadr = m.M_rowadr.data(), *ancestor = m.M_colind.data() + rowadr[k];
  double* row = matrix + rowadr[k];
  const double inv = 1 / row[n];
  diag_inv[k] = inv;
  for (int j = 0; j < n; j += 4) {
    const auto entries = [&](int i) { return matrix + j + rowadr[ancestor[i]]; };
    const int rest = n - j;
    const Pair first = load_pair(row + j) * inv;  // of one column: its neighbour is the diagonal, not used
    const double third = rest > 2 ? row[j + 2] * inv : 0;
    entries(j)[0] -= row[j] * first[0];
    if (rest == 1) {
      row[j] = first[0];
      return;
    }
    const auto subtract_first = [&](double* y, double c) { store_pair(y, load_pair(y) - c * first); };
    subtract_first(entries(j + 1), row[j + 1]);
    if (rest > 2) {
      double* y = entries(j + 2);
      subtract_first(y, row[j + 2]);
      y[2] -= row[j + 2] * third;
    }
    if (rest > 3) {
      const Pack scaled = load(row + j) * inv;
      for (int i = j + 3; i < n; ++i) {
        double* y = entries(i);
        store(y, load(y) - row[i] * scaled);
      }
      store(row + j, scaled);
    } else {
      store_pair(row + j, first);
      if (rest == 3) row[j + 2] = third;
    }
  }
}

/// Leaf to root: row k is final before it is subtracted from its ancestors.
template <class Real>
void eliminate_rows(const Model& m, const Awake& awake, Real* matrix, Real* diag_inv) {
  for (int k = static_cast<int>(m.nv) - 1; k >= 0; --k)
    if (awake.dof(k)) eliminate_row(m, matrix, diag_inv, k);
}
SINEW_KERNEL void eliminate_rows(const Model& m, const Awake& awake, double* matrix, double* diag_inv) {
  for (int k = static_cast<int>(m.nv) - 1; k >= 0; --k)
    if (awake.dof(k)) eliminate_row(m, matrix, diag_inv, k);
}

/// x := L⁻ᵀ x.
template <class Real>
void solve_transposed(const Model& m, const Awake& awake, const Real* factor, Real* x) {
  for (int i = static_cast<int>(m.nv) - 1; i >= 0; --i) {
    const int count = m.M_rownnz[i] - 1;
    const Real xi = x[i];
    if (count == 0 || xi == Real(0) || !awake.dof(i)) continue;
    const Real* row = factor + m.M_rowadr[i];
    const int* ancestor = &m.M_colind[m.M_rowadr[i]];
    for (int k = 0; k < count; ++k) x[ancestor[k]] -= row[k] * xi;
  }
}

/// x := L⁻¹ D⁻¹ x.
template <class Real>
void solve_diagonal_and_lower(const Model& m, const Awake& awake, const Real* factor, const Real* diag_inv, Real* x) {
  for (int i = 0; i < m.nv; ++i) {
    if (!awake.dof(i)) continue;
    Real xi = x[i] * diag_inv[i];
    const int count = m.M_rownnz[i] - 1;
    const Real* row = factor + m.M_rowadr[i];
    const int* ancestor = &m.M_colind[m.M_rowadr[i]];
    for (int k = 0; k < count; ++k) xi -= row[k] * x[ancestor[k]];
    x[i] = xi;
  }
}

}  // namespace

template <class Real>
void subtree_inertia(const Model& m, BasicData<Real>& d) {
  const Awake awake(m, d);
  const int nbody = static_cast<int>(m.nbody);
  for (int b = 0; b < nbody; ++b)
    if (awake.body(b)) std::copy_n(&d.cinert[10 * b], 10, &d.crb[10 * b]);
  for (int b = nbody - 1; b > 0; --b) {
    const int parent = m.body_parentid[b];
    if (parent == 0 || !awake.body(b)) continue;
    for (int k = 0; k < 10; ++k) d.crb[10 * parent + k] += d.crb[10 * b + k];
  }
}

template <class Real>
Real dof_inertia(const Model& m, const BasicData<Real>& d, int dof) {
  const Motion<Real> axis = Motion<Real>::load(&d.cdof[6 * dof]);
  return dot(axis, mul_inertia(&d.crb[10 * m.dof_bodyid[dof]], axis)) + m.dof_armature[dof] +
         reflected_armature(m, m.dof_jntid[dof]);
}

template <class Real>
void composite_inertia(const Model& m, BasicData<Real>& d) {
  subtree_inertia(m, d);
  const Awake awake(m, d);
  for (int i = 0; i < m.nv; ++i)
    if (awake.dof(i)) inertia_row(m, d, i);
  for (int t = 0; t < m.ntendon; ++t) {
    const double armature = total_tendon_armature(m, t);
    if (armature != 0) add_tendon_armature(m, d, t, armature);
  }
}

template <class Real>
void factor_tree_sparse(const Model& m, Real* matrix, Real* diag_inv) {
  eliminate_rows(m, Awake(), matrix, diag_inv);
}

template <class Real>
void factor_inertia(const Model& m, BasicData<Real>& d) {
  const Awake awake(m, d);
  const int nv = static_cast<int>(m.nv);
  if (awake.everything()) {
    for (std::size_t k = 0; k < d.M.size(); ++k) d.qLD[k] = d.M[k];
  } else {
    for (int k = 0; k < nv; ++k)
      if (awake.dof(k)) std::copy_n(&d.M[m.M_rowadr[k]], m.M_rownnz[k], &d.qLD[m.M_rowadr[k]]);
  }
  eliminate_rows(m, awake, d.qLD.data(), d.qLDiagInv.data());
}

template <class Real>
void solve_tree_sparse(const Model& m, const Real* factor, const Real* diag_inv, Real* x, int n) {
  for (; n > 0; --n, x += m.nv) {
    solve_transposed(m, Awake(), factor, x);
    solve_diagonal_and_lower(m, Awake(), factor, diag_inv, x);
  }
}

template <class Real>
void half_solve_tree_sparse(const Model& m, const Real* factor, const Real* diag_inv, Real* x, int n) {
  using std::sqrt;
  for (; n > 0; --n, x += m.nv) {
    solve_transposed(m, Awake(), factor, x);
    for (int i = 0; i < m.nv; ++i) x[i] *= sqrt(diag_inv[i]);
  }
}

template <class Real>
void solve_inertia(const Model& m, const BasicData<Real>& d, Real* x, int n) {
  solve_tree_sparse(m, d.qLD.data(), d.qLDiagInv.data(), x, n);
}

template <class Real>
void solve_awake_inertia(const Model& m, const BasicData<Real>& d, Real* x) {
  const Awake awake(m, d);
  solve_transposed(m, awake, d.qLD.data(), x);
  solve_diagonal_and_lower(m, awake, d.qLD.data(), d.qLDiagInv.data(), x);
}

template <class Real>
void mul_tree_sparse(const Model& m, const Real* matrix, const Real* x, Real* y) {
  // ancestors come first, so y[ancestor] is already there when row i adds to it
  for (int i = 0; i < m.nv; ++i) {
    const int count = m.M_rownnz[i] - 1;
    const Real* row = matrix + m.M_rowadr[i];
    const int* ancestor = &m.M_colind[m.M_rowadr[i]];
    Real sum = row[count] * x[i];
    for (int k = 0; k < count; ++k) {
      sum += row[k] * x[ancestor[k]];
      y[ancestor[k]] += row[k] * x[i];
    }
    y[i] = sum;
  }
}

template void subtree_inertia(const Model&, BasicData<double>&);
template double dof_inertia(const Model&, const BasicData<double>&, int);
template void composite_inertia(const Model&, BasicData<double>&);
template void factor_inertia(const Model&, BasicData<double>&);
template void factor_tree_sparse(const Model&, double*, double*);
template void solve_tree_sparse(const Model&, const double*, const double*, double*, int);
template void half_solve_tree_sparse(const Model&, const double*, const double*, double*, int);
template void solve_inertia(const Model&, const BasicData<double>&, double*, int);
template void solve_awake_inertia(const Model&, const BasicData<double>&, double*);
template void mul_tree_sparse(const Model&, const double*, const double*, double*);

template void subtree_inertia(const Model&, BasicData<Dual4>&);
template Dual4 dof_inertia(const Model&, const BasicData<Dual4>&, int);
template void composite_inertia(const Model&, BasicData<Dual4>&);
template void factor_inertia(const Model&, BasicData<Dual4>&);
template void factor_tree_sparse(const Model&, Dual4*, Dual4*);
template void solve_tree_sparse(const Model&, const Dual4*, const Dual4*, Dual4*, int);
template void half_solve_tree_sparse(const Model&, const Dual4*, const Dual4*, Dual4*, int);
template void solve_inertia(const Model&, const BasicData<Dual4>&, Dual4*, int);
template void solve_awake_inertia(const Model&, const BasicData<Dual4>&, Dual4*);
template void mul_tree_sparse(const Model&, const Dual4*, const Dual4*, Dual4*);

}  // namespace sinew
