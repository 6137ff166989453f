#include "constraint/contact_rows.h"

#include <algorithm>

#include "dynamics/jacobian.h"

namespace sinew {
namespace {

using Vector = Vec3<double>;

constexpr int kNoDofs = 3;  // Contact::exclude of a contact that nothing can move

/// Column of the relative motion at the contact, in its frame: dim numbers.
void frame_column(const Vector* frame, const Vector& jp, const Vector& jr, int dim, double* out) {
  for (int r = 0; r < std::min(dim, 3); ++r) out[r] = dot(frame[r], jp);
  for (int r = 3; r < dim; ++r) out[r] = dot(frame[r - 3], jr);
}

void add_contact(RowBuilder& rows, int c, bool dense, bool elliptic) {
  const Model& m = rows.m;
  Data& d = rows.d;
  Contact& contact = d.contact[c];
  const int body1 = m.geom_bodyid[contact.geom[0]], body2 = m.geom_bodyid[contact.geom[1]], dim = contact.dim;
  int* columns = rows.columns();
  int nnz = 0;
  for_each_dof_between(m, body1, body2, [&](int dof, bool) { columns[nnz++] = dof; });
  if (nnz == 0 && !dense) {
    contact.exclude = kNoDofs;
    return;
  }
  std::reverse(columns, columns + nnz);
  const int nrow = contact_rows(dim, elliptic);
  const auto kind = dim == 1   ? ConstraintKind::ContactFrictionless
                    : elliptic ? ConstraintKind::ContactElliptic
                               : ConstraintKind::ContactPyramidal;
  const auto block = rows.add(kind, c, nrow, nnz);
  contact.efc_address = block.row;

  const Vector pos = Vector::load(contact.pos.data());
  const Vector frame[3] = {Vector::load(&contact.frame[0]), Vector::load(&contact.frame[3]),
                           Vector::load(&contact.frame[6])};
  const Vector offset1 = from_reference(m, d, pos, body1), offset2 = from_reference(m, d, pos, body2);
  double* J = block.J;
  int k = nnz;
  for_each_dof_between(m, body1, body2, [&](int dof, bool moves1) {
    --k;
    const Vector jp = jacp_column(d, dof, moves1 ? offset1 : offset2), jr = jacr_column(d, dof);
    double column[6];
    frame_column(frame, moves1 ? -jp : jp, moves1 ? -jr : jr, dim, column);
    if (kind != ConstraintKind::ContactPyramidal) {
      for (int r = 0; r < dim; ++r) J[r * nnz + k] = column[r];
      return;
    }
    for (int r = 1; r < dim; ++r) {
      const double edge = contact.friction[r - 1] * column[r];
      J[(2 * r - 2) * nnz + k] = column[0] + edge;
      J[(2 * r - 1) * nnz + k] = column[0] - edge;
    }
  });
  const int npos = kind == ConstraintKind::ContactElliptic ? 1 : nrow;
  for (int r = 0; r < npos; ++r) {
    d.efc_pos[block.row + r] = contact.dist;
    d.efc_margin[block.row + r] = contact.includemargin;
  }
}

}  // namespace

void add_contacts(RowBuilder& rows) {
  const Model& m = rows.m;
  const bool dense = uses_dense_jacobian(m);
  const bool elliptic = m.opt.cone == static_cast<int>(Cone::Elliptic);
  for (int c = 0; c < rows.d.ncon; ++c) {
    rows.d.contact[c].efc_address = -1;
    if (m.opt.disabled(kDisableContact) || rows.d.contact[c].exclude != 0) continue;
    add_contact(rows, c, dense, elliptic);
  }
}

}  // namespace sinew
