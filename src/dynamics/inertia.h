#pragma once

#include "sinew/data.h"

namespace sinew {

/// Composite inertia: M(q) in tree-sparse rows, including dof, actuator and tendon armature.
/// Reads: cinert, cdof, ten_J. Writes: crb, M.
template <class Real>
void composite_inertia(const Model& m, BasicData<Real>& d);

/// Its first part: composite inertias of the subtrees, leaf to root.
/// Reads: cinert. Writes: crb.
template <class Real>
void subtree_inertia(const Model& m, BasicData<Real>& d);

/// Diagonal of M without tendon armature: cdofᵀ crb cdof, plus the armature of the dof and of its joint's actuators.
/// Needs crb.
template <class Real>
Real dof_inertia(const Model& m, const BasicData<Real>& d, int dof);

/// M = Lᵀ D L, leaf to root, no fill-in.
/// Reads: M. Writes: qLD, qLDiagInv.
template <class Real>
void factor_inertia(const Model& m, BasicData<Real>& d);

/// The same for any matrix with the sparsity of M: factors in place, diag_inv gets 1 / D.
template <class Real>
void factor_tree_sparse(const Model& m, Real* matrix, Real* diag_inv);

/// x := A⁻¹ x for n contiguous vectors of length nv, with a factor from factor_tree_sparse.
template <class Real>
void solve_tree_sparse(const Model& m, const Real* factor, const Real* diag_inv, Real* x, int n = 1);

/// x := D^-½ L⁻ᵀ x likewise, so that |x|² becomes xᵀ A⁻¹ x.
template <class Real>
void half_solve_tree_sparse(const Model& m, const Real* factor, const Real* diag_inv, Real* x, int n = 1);

/// x := M⁻¹ x with the factor in d.
template <class Real>
void solve_inertia(const Model& m, const BasicData<Real>& d, Real* x, int n = 1);

/// The same for awake trees only; the other entries are unchanged.
template <class Real>
void solve_awake_inertia(const Model& m, const BasicData<Real>& d, Real* x);

/// y = A x for a matrix with the sparsity of M (lower triangle stored, symmetric).
template <class Real>
void mul_tree_sparse(const Model& m, const Real* matrix, const Real* x, Real* y);

}  // namespace sinew
