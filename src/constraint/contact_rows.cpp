#include "constraint/contact_rows.h"

#include <algorithm>

#include "dynamics/jacobian.h"
#include "math/pack.h"

namespace sinew {
namespace {

using Vector = Vec3<double>;

constexpr int kNoDofs = 3;  // Contact::exclude of a contact that nothing can move

/// Takes a motion axis, [w; v] at the tree's reference point, to its motion at the contact in the contact's frame F:
/// F (v + w × offset) and F w, times a sign. Lanes of `first`: normal, two tangents, spin; of `second`: two rolls.
struct FrameMap {
  Pack first[6], second[3];

  FrameMap(const Vector* frame, const Vector& offset, double sign) {
    // F_r · (w × offset) = (offset × F_r) · w
    const Vector turn[3] = {cross(offset, frame[0]), cross(offset, frame[1]), cross(offset, frame[2])};
    for (int k = 0; k < 3; ++k) {
      first[k] = Pack{sign * turn[0][k], sign * turn[1][k], sign * turn[2][k], sign * frame[0][k]};
      first[3 + k] = Pack{sign * frame[0][k], sign * frame[1][k], sign * frame[2][k], 0};
      second[k] = Pack{sign * frame[1][k], sign * frame[2][k], 0, 0};
    }
  }
};

/// What a contact's rows are made of.
struct ContactColumns {
  const int* dof;        // ascending
  const bool* of_first;  // the column moves the first body
  int nnz;
};

/// Rows Jc0, Jc1 … or the edges Jc0 ± friction_k Jc_k, column by column.
SINEW_KERNEL void fill_rows(const double* cdof, const ContactColumns& c, const FrameMap* map, const Contact& contact,
                            bool pyramid, double* J) {
  const int nnz = c.nnz, dim = contact.dim;
  for (int k = 0; k < nnz; ++k) {
    const FrameMap& M = map[c.of_first[k] ? 0 : 1];
    const double* s = cdof + 6 * c.dof[k];
    Pack sum = s[0] * M.first[0];
    for (int i = 1; i < 6; ++i) sum += s[i] * M.first[i];
    double column[8];
    store(column, sum);
    if (dim > 4) {
      const Pack rolls = s[0] * M.second[0] + s[1] * M.second[1] + s[2] * M.second[2];
      store(column + 4, rolls);
    }
    double* out = J + k;
    if (!pyramid) {
      for (int r = 0; r < dim; ++r) out[r * nnz] = column[r];
      continue;
    }
    for (int r = 1; r < dim; ++r) {
      const double edge = contact.friction[r - 1] * column[r];
      out[(2 * r - 2) * nnz] = column[0] + edge;
      out[(2 * r - 1) * nnz] = column[0] - edge;
    }
  }
}

void add_contact(RowBuilder& rows, int c, bool dense, bool elliptic, bool* of_first) {
  const Model& m = rows.m;
  Data& d = rows.d;
  Contact& contact = d.contact[c];
  const int body1 = m.geom_bodyid[contact.geom[0]], body2 = m.geom_bodyid[contact.geom[1]], dim = contact.dim;
  int* columns = rows.columns();
  int nnz = 0;
  for_each_dof_between(m, body1, body2, [&](int dof, bool moves1) {
    of_first[nnz] = moves1;
    columns[nnz++] = dof;
  });
  if (nnz == 0 && !dense) {
    contact.exclude = kNoDofs;
    return;
  }
  std::reverse(columns, columns + nnz);
  std::reverse(of_first, of_first + nnz);
  const int nrow = contact_rows(dim, elliptic);
  const auto kind = dim == 1   ? ConstraintKind::ContactFrictionless
                    : elliptic ? ConstraintKind::ContactElliptic
                               : ConstraintKind::ContactPyramidal;
  const auto block = rows.add(kind, c, nrow, nnz);
  contact.efc_address = block.row;

  const Vector pos = Vector::load(contact.pos.data());
  const Vector frame[3] = {Vector::load(&contact.frame[0]), Vector::load(&contact.frame[3]),
                           Vector::load(&contact.frame[6])};
  const FrameMap map[2] = {FrameMap(frame, from_reference(m, d, pos, body1), -1),
                           FrameMap(frame, from_reference(m, d, pos, body2), 1)};
  fill_rows(d.cdof.data(), {columns, of_first, nnz}, map, contact, kind == ConstraintKind::ContactPyramidal, block.J);

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
  Scratch scratch(rows.d.scratch());
  bool* of_first = scratch.take<bool>(m.nv);
  for (int c = 0; c < rows.d.ncon; ++c) {
    rows.d.contact[c].efc_address = -1;
    if (m.opt.disabled(kDisableContact) || rows.d.contact[c].exclude != 0) continue;
    add_contact(rows, c, dense, elliptic, of_first);
  }
}

}  // namespace sinew
