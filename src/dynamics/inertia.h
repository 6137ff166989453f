#pragma once

#include "sinew/data.h"

namespace sinew {

/// Composite inertia: M(q) in tree-sparse rows, with dof, actuator and tendon armature.
/// Reads: cinert, cdof, ten_J. Writes: crb, M.
template <class Real>
void composite_inertia(const Model& m, BasicData<Real>& d);

/// The first part of it: inertias of subtrees, leaf to root.
/// Reads: cinert. Writes: crb.
template <class Real>
void subtree_inertia(const Model& m, BasicData<Real>& d);

/// What a dof moves, without tendons: cdofᵀ crb cdof, its armature and that of the actuators on its joint. Needs crb.
template <class Real>
Real dof_inertia(const Model& m, const BasicData<Real>& d, int dof);

/// M = Lᵀ D L, leaf to root, no fill-in.
/// Reads: M. Writes: qLD, qLDiagInv.
template <class Real>
void factor_inertia(const Model& m, BasicData<Real>& d);

/// The same for any matrix with the sparsity of M: factor in place, diag_inv gets 1 / D.
template <class Real>
void factor_tree_sparse(const Model& m, Real* matrix, Real* diag_inv);

/// x := A⁻¹ x for n vectors of length nv that stand behind one another, with a factor from factor_tree_sparse.
template <class Real>
void solve_tree_sparse(const Model& m, const Real* factor, const Real* diag_inv, Real* x, int n = 1);

/// x := D^-½ L⁻ᵀ x likewise, so that |x|² becomes xᵀ A⁻¹ x.
template <class Real>
void half_solve_tree_sparse(const Model& m, const Real* factor, const Real* diag_inv, Real* x, int n = 1);

/// x := M⁻¹ x with the factor that is in d.
template <class Real>
void solve_inertia(const Model& m, const BasicData<Real>& d, Real* x, int n = 1);

/// The same for the trees that are awake; the other numbers stay.
template <class Real>
void solve_awake_inertia(const Model& m, const BasicData<Real>& d, Real* x);

/// y = A x for a matrix with the sparsity of M (lower triangle stored, symmetric).
template <class Real>
void mul_tree_sparse(const Model& m, const Real* matrix, const Real* x, Real* y);

}  // namespace sinew
