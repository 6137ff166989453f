#pragma once

#include "dynamics/qderiv.h"
#include "math/tree_lu.h"
#include "sinew/data.h"

// The matrices W of the integrators' equation W a = qfrc, factored by the integrators and used by the step derivative.

namespace sinew {

/// The solver's acceleration is that of the discrete time step already: as in MuJoCo, nothing else is implicit then.
inline bool flexes_are_implicit(const Model& m, const Data& d) { return m.nflex > 0 && d.efm_active != 0; }

/// Whether Euler's matrix differs from M: some dof has implicit damping.
bool euler_damps_implicitly(const Model& m);
/// M + h diag(B) in the pattern of M.
void euler_matrix(const Model& m, const Data& d, double* matrix);

/// The pattern of D, for the factor of the implicit integrator's matrix.
inline TreePattern pattern_of_D(const Model& m) {
  return {static_cast<int>(m.nv), m.dof_parentid.data(), m.D_rownnz.data(),
          m.D_rowadr.data(),      m.D_diag.data(),       m.D_colind.data()};
}

/// M - h D in the pattern of D.
void implicit_matrix(const Model& m, Data& d, double* matrix);

/// M - h D in the pattern of M; the rows of standalone free bodies are those of M.
void implicitfast_matrix(const Model& m, Data& d, double* matrix);

inline constexpr int kFreeDofs = 6;
using FreeBlock = double[kFreeDofs * kFreeDofs];

/// visit(body, first dof) for every free body that is a whole tree.
template <class Visit>
void for_each_standalone_free_body(const Model& m, Visit&& visit) {
  for (int t = 0; t < m.ntree; ++t)
    if (m.tree_dofnum[t] == kFreeDofs && is_standalone_free_body(m, m.tree_bodyadr[t]))
      visit(m.tree_bodyadr[t], m.tree_dofadr[t]);
}

/// block = M - h D + h B of the body whose dofs start at `first`; needs the D of implicitfast_matrix.
void free_body_block(const Model& m, const Data& d, int body, int first, FreeBlock& block);

/// x := block⁻¹ x by elimination with partial pivoting; false, with x unchanged, if a pivot is below kMinVal.
bool solve_free_block(FreeBlock& block, double* x);

/// Recomputes the accelerations a of all standalone free bodies, each from its own block.
void solve_free_bodies(const Model& m, Data& d, double* a);

}  // namespace sinew
