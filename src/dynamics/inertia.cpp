#include "dynamics/inertia.h"

#include <algorithm>

#include "dynamics/awake.h"
#include "dynamics/reflected.h"
#include "dynamics/stage_kernel.h"
#include "math/spatial.h"
#include "math/spatial_pack.h"
#include "model/joint_kinds.h"

namespace sinew {
namespace {

template <class Real>
Real dof_armature(const Model& m, int dof) {
  return Real(m.dof_armature[dof] + reflected_armature(m, m.dof_jntid[dof]));
}

constexpr int kTranslations = 3;  // leading dofs of a free joint

/// Rows of a free body's translations. These are world axes: they move the mass, without coupling between them.
template <class Real>
void translation_rows(const Model& m, BasicData<Real>& d, int first) {
  const Real mass = d.crb[10 * m.dof_bodyid[first] + 9];
  for (int i = 0; i < kTranslations; ++i) {
    Real* row = &d.M[m.M_rowadr[first + i]];
    for (int k = 0; k < i; ++k) row[k] = Real(0);
    row[i] = mass + dof_armature<Real>(m, first + i);
  }
}

/// Row i of M: the inertia of everything moved by dof i, projected on i and the dofs above it. If the first columns are
/// a free body's translations, their entries are the linear momentum itself.
template <class Real>
SINEW_INLINE void inertia_row(const Model& m, BasicData<Real>& d, int i, bool on_free_body) {
  const int n = m.M_rownnz[i];
  const int* column = &m.M_colind[m.M_rowadr[i]];
  const Real* cdof = d.cdof.data();
  Real* row = &d.M[m.M_rowadr[i]];
  const Force<Real> momentum = mul_inertia(&d.crb[10 * m.dof_bodyid[i]], Motion<Real>::load(cdof + 6 * i));
  if (on_free_body) momentum.f.store(row);
  Real numbers[6];
  momentum.store(numbers);
  const SpatialPack<Real> packed(numbers);
  for (int k = on_free_body ? kTranslations : 0; k < n; ++k) row[k] = packed.dot(cdof + 6 * column[k]);
  row[n - 1] += dof_armature<Real>(m, i);
}

template <class Real>
SINEW_INLINE void inertia_rows(const Model& m, BasicData<Real>& d) {
  const Awake awake(m, d);
  for (int t = 0; t < m.ntree; ++t) {
    if (!awake.tree(t)) continue;
    const int first = m.tree_dofadr[t], end = first + m.tree_dofnum[t];
    const bool free = joint_kind(m, m.dof_jntid[first]).floating;
    const bool simple = m.dof_simplenum[first] > 0;  // a single-body tree: its inertia is constant and diagonal
    if (simple) {
      for (int i = first; i < end; ++i) d.M[m.M_rowadr[i]] = Real(m.dof_M0[i]);
      continue;
    }
    if (free) translation_rows(m, d, first);
    for (int i = free ? first + kTranslations : first; i < end; ++i) inertia_row(m, d, i, free);
  }
}

/// M += a JᵀJ of a tendon, restricted to the entries of M: pairs of dofs on different branches are dropped.
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

/// Computes row k of L and eliminates it from the rows of its ancestors: row[i] L_j is subtracted from entry j of
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

/// The same, four columns at a time. The rows of the first three ancestors are shorter than four.
SINEW_INLINE void eliminate_row(const Model& m, double* matrix, double* diag_inv, int k) {
  const int n = m.M_rownnz[k] - 1;
  const int *rowadr = m.M_rowadr.data(), *ancestor = m.M_colind.data() + rowadr[k];
  double* row = matrix + rowadr[k];
  const double inv = 1 / row[n];
  diag_inv[k] = inv;
  for (int j = 0; j < n; j += 4) {
    const auto entries = [&](int i) { return matrix + j + rowadr[ancestor[i]]; };
    const int rest = n - j;
    const Pair first = load_pair(row + j) * inv;  // for one column: its neighbor is the diagonal, not used
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
      const Pack scaled = load_pack(row + j) * inv;
      for (int i = j + 3; i < n; ++i) {
        double* y = entries(i);
        store_pack(y, load_pack(y) - row[i] * scaled);
      }
      store_pack(row + j, scaled);
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

/// x[index[k]] -= c row[k]
template <class Real>
void subtract_at(Real* x, const int* index, const Real* row, const Real& c, int n) {
  for (int k = 0; k < n; ++k) x[index[k]] -= row[k] * c;
}
/// Whether four ascending indices are consecutive, as for most ancestors.
SINEW_INLINE bool are_neighbors(const int* index) { return index[3] == index[0] + 3; }
/// Σ row[k] x[index[k]], in the summation order of the kernel below: four lanes for consecutive indices, then the rest.
template <class Real>
Real dot_at(const Real* x, const int* index, const Real* row, int n) {
  Real lane[4] = {}, rest(0);
  for (int k = 0; k < n; ++k) {
    const int first = k / 4 * 4;
    const bool packed = first + 4 <= n && are_neighbors(index + first);
    (packed ? lane[k - first] : rest) += row[k] * x[index[k]];
  }
  return n < 4 ? rest : rest + ((lane[0] + lane[1]) + (lane[2] + lane[3]));
}

// The same for double, four consecutive indices at a time.
SINEW_INLINE void subtract_at(double* x, const int* index, const double* row, double c, int n) {
  int k = 0;
  for (; k + 4 <= n; k += 4) {
    double* y = x + index[k];
    if (are_neighbors(index + k)) {
      store_pack(y, load_pack(y) - load_pack(row + k) * c);
    } else {
      for (int i = k; i < k + 4; ++i) x[index[i]] -= row[i] * c;
    }
  }
  for (; k < n; ++k) x[index[k]] -= row[k] * c;
}
SINEW_INLINE double dot_at(const double* x, const int* index, const double* row, int n) {
  Pack packed = {};
  double rest = 0;
  int k = 0;
  for (; k + 4 <= n; k += 4) {
    if (are_neighbors(index + k)) {
      packed += load_pack(row + k) * load_pack(x + index[k]);
    } else {
      for (int i = k; i < k + 4; ++i) rest += row[i] * x[index[i]];
    }
  }
  for (; k < n; ++k) rest += row[k] * x[index[k]];
  return n < 4 ? rest : rest + lane_sum(packed);
}

/// Row pointers of the pattern of M held in locals: the compiler must assume that a Pack store aliases the model.
struct Rows {
  explicit Rows(const Model& m)
      : count(static_cast<int>(m.nv)), nnz(m.M_rownnz.data()), adr(m.M_rowadr.data()), colind(m.M_colind.data()) {}
  int count;
  const int *nnz, *adr, *colind;
};

/// x := L⁻ᵀ x.
template <class Real>
SINEW_INLINE void solve_transposed(const Rows& rows, const Awake& awake, const Real* factor, Real* x) {
  for (int i = rows.count - 1; i >= 0; --i) {
    const int n = rows.nnz[i] - 1;
    if (n > 0 && awake.dof(i)) subtract_at(x, rows.colind + rows.adr[i], factor + rows.adr[i], Real(x[i]), n);
  }
}

/// x := L⁻¹ D⁻¹ x.
template <class Real>
SINEW_INLINE void solve_diagonal_and_lower(const Rows& rows, const Awake& awake, const Real* factor,
                                           const Real* diag_inv, Real* x) {
  for (int i = 0; i < rows.count; ++i) {
    if (!awake.dof(i)) continue;
    const int n = rows.nnz[i] - 1;
    const Real scaled = x[i] * diag_inv[i];
    const Real* solved = x;
    x[i] = n == 0 ? scaled : scaled - dot_at(solved, rows.colind + rows.adr[i], factor + rows.adr[i], n);
  }
}

/// x := L⁻¹ D⁻¹ L⁻ᵀ x.
template <class Real>
void solve_factored(const Model& m, const Awake& awake, const Real* factor, const Real* diag_inv, Real* x) {
  const Rows rows(m);
  solve_transposed(rows, awake, factor, x);
  solve_diagonal_and_lower(rows, awake, factor, diag_inv, x);
}
SINEW_FLAT_KERNEL void solve_factored(const Model& m, const Awake& awake, const double* factor, const double* diag_inv,
                                      double* x) {
  const Rows rows(m);
  solve_transposed(rows, awake, factor, x);
  solve_diagonal_and_lower(rows, awake, factor, diag_inv, x);
}

constexpr int kInertia = 10;  // numbers of cinert and crb

template <class Real>
void copy_inertia(const Real* from, Real* to) {
  std::copy_n(from, kInertia, to);
}
template <class Real>
void add_inertia(const Real* part, Real* sum) {
  for (int k = 0; k < kInertia; ++k) sum[k] += part[k];
}
SINEW_INLINE void copy_inertia(const double* from, double* to) { copy_numbers(from, kInertia, to); }
SINEW_INLINE void add_inertia(const double* part, double* sum) {
  in_packs(kInertia,
           [&]<class T>(int i) SINEW_INLINED { store_as(sum + i, load_as<T>(sum + i) + load_as<T>(part + i)); });
}

template <class Real>
SINEW_INLINE void sum_subtrees(const Model& m, BasicData<Real>& d) {
  const Awake awake(m, d);
  const int nbody = static_cast<int>(m.nbody);
  const int* parentid = m.body_parentid.data();
  const Real* cinert = d.cinert.data();
  Real* crb = d.crb.data();
  for (int b = 0; b < nbody; ++b)
    if (awake.body(b)) copy_inertia(cinert + kInertia * b, crb + kInertia * b);
  for (int b = nbody - 1; b > 0; --b) {
    const Real* own = crb + kInertia * b;
    if (parentid[b] > 0 && awake.body(b)) add_inertia(own, crb + kInertia * parentid[b]);
  }
}

template <class Real>
SINEW_INLINE void inertia_matrix(const Model& m, BasicData<Real>& d) {
  sum_subtrees(m, d);
  inertia_rows(m, d);
  for (int t = 0; t < m.ntendon; ++t) {
    const double armature = total_tendon_armature(m, t);
    if (armature != 0) add_tendon_armature(m, d, t, armature);
  }
}

}  // namespace

SINEW_STAGE_WITH_KERNEL(subtree_inertia, sum_subtrees);

template <class Real>
Real dof_inertia(const Model& m, const BasicData<Real>& d, int dof) {
  const Motion<Real> axis = Motion<Real>::load(&d.cdof[6 * dof]);
  return dot(axis, mul_inertia(&d.crb[10 * m.dof_bodyid[dof]], axis)) + m.dof_armature[dof] +
         reflected_armature(m, m.dof_jntid[dof]);
}

SINEW_STAGE_WITH_KERNEL(composite_inertia, inertia_matrix);

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
  for (; n > 0; --n, x += m.nv) solve_factored(m, Awake(), factor, diag_inv, x);
}

template <class Real>
void half_solve_tree_sparse(const Model& m, const Real* factor, const Real* diag_inv, Real* x, int n) {
  using std::sqrt;
  for (; n > 0; --n, x += m.nv) {
    solve_transposed(Rows(m), Awake(), factor, x);
    for (int i = 0; i < m.nv; ++i) x[i] *= sqrt(diag_inv[i]);
  }
}

template <class Real>
void solve_inertia(const Model& m, const BasicData<Real>& d, Real* x, int n) {
  solve_tree_sparse(m, d.qLD.data(), d.qLDiagInv.data(), x, n);
}

template <class Real>
void solve_awake_inertia(const Model& m, const BasicData<Real>& d, Real* x) {
  const Real *factor = d.qLD.data(), *diag_inv = d.qLDiagInv.data();
  solve_factored(m, Awake(m, d), factor, diag_inv, x);
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

template double dof_inertia(const Model&, const BasicData<double>&, int);
template void factor_inertia(const Model&, BasicData<double>&);
template void factor_tree_sparse(const Model&, double*, double*);
template void solve_tree_sparse(const Model&, const double*, const double*, double*, int);
template void half_solve_tree_sparse(const Model&, const double*, const double*, double*, int);
template void solve_inertia(const Model&, const BasicData<double>&, double*, int);
template void solve_awake_inertia(const Model&, const BasicData<double>&, double*);
template void mul_tree_sparse(const Model&, const double*, const double*, double*);

template Dual4 dof_inertia(const Model&, const BasicData<Dual4>&, int);
template void factor_inertia(const Model&, BasicData<Dual4>&);
template void factor_tree_sparse(const Model&, Dual4*, Dual4*);
template void solve_tree_sparse(const Model&, const Dual4*, const Dual4*, Dual4*, int);
template void half_solve_tree_sparse(const Model&, const Dual4*, const Dual4*, Dual4*, int);
template void solve_inertia(const Model&, const BasicData<Dual4>&, Dual4*, int);
template void solve_awake_inertia(const Model&, const BasicData<Dual4>&, Dual4*);
template void mul_tree_sparse(const Model&, const Dual4*, const Dual4*, Dual4*);

}  // namespace sinew
