#include "constraint/diagonal.h"

#include <algorithm>

#include "base/arena.h"
#include "constraint/kinds.h"
#include "dynamics/contact_bodies.h"
#include "dynamics/inertia.h"
#include "model/equality_kinds.h"

namespace sinew {
namespace {

double invweight_of(const Model& m, int body, bool rotation) { return m.body_invweight0[2 * body + rotation]; }

void approximate_equality(const Model& m, const Data& d, int row, int nrow, double* diagonal) {
  const int eq = d.efc_id[row];
  const EqualityKind& kind = equality_kind(m, eq);
  if (kind.holds_frames()) {
    const int body1 = equality_body(m, eq, 0), body2 = equality_body(m, eq, 1);
    for (int r = 0; r < nrow; ++r) diagonal[r] = invweight_of(m, body1, r >= 3) + invweight_of(m, body2, r >= 3);
    return;
  }
  if (kind.holds_flex()) {
    diagonal[0] = d.efc_diagA[row];  // from where the row was made: it does not say which edge or vertex it holds
    return;
  }
  const bool joint = kind.objects == EqualityObjects::Joints;
  const auto weight = [&](int id) {
    return id < 0 ? 0.0 : joint ? m.dof_invweight0[m.jnt_dofadr[id]] : m.tendon_invweight0[id];
  };
  diagonal[0] = weight(m.eq_obj1id[eq]) + weight(m.eq_obj2id[eq]);
}

/// Of a contact with a flex: the mean over the bodies of each side.
[[gnu::noinline]] double weighted_translation(const Model& m, const Data& d, const Contact& contact) {
  double sum = 0;
  for (int side = 0; side < 2; ++side)
    for_each_contact_body(m, d, contact, side,
                          [&](int body, double weight) { sum += weight * invweight_of(m, body, false); });
  return sum;
}

/// The regularizers of a cone's rows follow from that of its first row, so only the first is set.
void approximate_contact(const Model& m, const Data& d, int row, double* diagonal) {
  const Contact& contact = d.contact[d.efc_id[row]];
  const bool geoms = contact.geom[0] >= 0 && contact.geom[1] >= 0;
  const double translation = geoms ? invweight_of(m, m.geom_bodyid[contact.geom[0]], false) +
                                         invweight_of(m, m.geom_bodyid[contact.geom[1]], false)
                                   : weighted_translation(m, d, contact);
  const double mu = contact.friction[0];
  const bool pyramid = d.efc_type[row] == static_cast<int>(ConstraintKind::ContactPyramidal);
  diagonal[0] = pyramid ? translation + mu * mu * translation : translation;
}

}  // namespace

void approximate_diagonal(const Model& m, const Data& d, double* diagonal) {
  for (int row = 0; row < d.nefc;) {
    const int nrow = d.efc_J_rowsuper[row] + 1, id = d.efc_id[row];
    switch (static_cast<ConstraintKind>(d.efc_type[row])) {
      case ConstraintKind::Equality: approximate_equality(m, d, row, nrow, diagonal + row); break;
      case ConstraintKind::FrictionDof: diagonal[row] = m.dof_invweight0[id]; break;
      case ConstraintKind::LimitJoint: diagonal[row] = m.dof_invweight0[m.jnt_dofadr[id]]; break;
      case ConstraintKind::FrictionTendon:
      case ConstraintKind::LimitTendon: diagonal[row] = m.tendon_invweight0[id]; break;
      default: approximate_contact(m, d, row, diagonal + row);
    }
    row += nrow;
  }
}

void exact_diagonal(const Model& m, Data& d, double* diagonal) {
  Scratch scratch(d.scratch());
  double* x = scratch.take<double>(m.nv);
  for (int row = 0; row < d.nefc; ++row) {
    std::fill_n(x, m.nv, 0.0);
    for (int k = d.efc_J_rowadr[row]; k < d.efc_J_rowadr[row] + d.efc_J_rownnz[row]; ++k)
      x[d.efc_J_colind[k]] = d.efc_J[k];
    half_solve_tree_sparse(m, d.qLD.data(), d.qLDiagInv.data(), x, 1);
    diagonal[row] = 0;
    for (int i = 0; i < m.nv; ++i) diagonal[row] += x[i] * x[i];
  }
}

}  // namespace sinew
