#include "constraint/diagonal.h"
#include "constraint/kinds.h"
#include "derivative/constraint.h"
#include "derivative/moved_world.h"
#include "solver/problem.h"

// With the flag diagexact D = imp / ((1 - imp) diag) of a row depends on the positions of the whole tree, through the
// diagonal of J M⁻¹ Jᵀ: d ln D = … - d ln diag. Centered differences of the diagonal along the exact motion of the
// contacts: neither solver nor collision detection is involved.

namespace sinew {

void ConstraintColumns::exact_diagonal_changes(const Model& m, const Data& d) {
  constexpr double kStep = 1e-6;
  if (!moved_) moved_ = std::make_unique<Data>(m, Blank{});
  MovedWorld moved(m, d, rates_, *moved_);
  std::vector<double> plus(d.nefc), minus(d.nefc);
  diag_change_.reset(d.nefc, static_cast<int>(m.nv));
  const auto diagonal = [&](int dof, double eps, std::vector<double>& out) {
    moved.move(dof, eps);
    exact_diagonal(m, moved.world(), out.data());
  };
  for (int k = 0; k < m.nv; ++k) {
    diagonal(k, kStep, plus);
    diagonal(k, -kStep, minus);
    for (int row = 0; row < d.nefc;) {
      const int nrow = d.efc_J_rowsuper[row] + 1;
      for (int r = row; r < row + nrow; ++r) {
        // all rows of a contact use the regularizer of the first
        const int from = is_contact(static_cast<ConstraintKind>(d.efc_type[row])) ? row : r;
        if (d.efc_R[r] > kMinVal && plus[from] + minus[from] > 0)
          diag_change_(r, k) = (plus[from] - minus[from]) / (kStep * (plus[from] + minus[from]));
      }
      row += nrow;
    }
  }
}

/// Jᵀ z of z = s'' dy + ds': the forces depend on D, and a_ref contains R times a contact's share of adhesion.
void ConstraintColumns::add_diagonal_changes(const Data& d, DerivativeState& s) {
  for (int row = 0; row < d.nefc;) {
    const int nrow = d.efc_J_rowsuper[row] + 1, nnz = d.efc_J_rownnz[row], adr = d.efc_J_rowadr[row];
    const auto kind = static_cast<ConstraintKind>(d.efc_type[row]);
    const double adhesion = is_contact(kind) ? d.contact[d.efc_id[row]].adhesion : 0;
    const int sticking = kind == ConstraintKind::ContactPyramidal ? nrow : 1;
    for (int k = 0; k < diag_change_.cols(); ++k) {
      double z[10] = {};
      for (int r = 0; r < sticking && adhesion > 0; ++r) {
        z[r] = -d.efc_R[row + r] * diag_change_(row + r, k) * adhesion / sticking;
        if (keep_) change_(row + r, k) += z[r];
      }
      respond(d, row, nrow, 0, z);
      for (int r = 0; r < nrow; ++r) {
        const int state = rows_.state[row + r];
        // the first row of a cone holds the state of all its rows
        if (state == kQuadratic || rows_.state[row] == kCone) z[r] += rows_.force[row + r] * diag_change_(row + r, k);
        if (z[r] == 0) continue;
        for (int i = 0; i < nnz; ++i) s.residual(d.efc_J_colind[adr + i], k) += d.efc_J[adr + r * nnz + i] * z[r];
      }
    }
    row += nrow;
  }
}

}  // namespace sinew
