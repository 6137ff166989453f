#include "constraint/contact_rows.h"

#include <algorithm>
#include <optional>

#include "dynamics/contact_bodies.h"
#include "dynamics/jacobian.h"
#include "dynamics/passive_contact.h"
#include "math/pack.h"

namespace sinew {
namespace {

using Vector = Vec3<double>;

constexpr int kNoDofs = 3;  // Contact::exclude of a contact that no dof can move

/// The columns of a contact: dofs that move exactly one of two bodies. Contacts of the same bodies share them.
struct ContactColumns {
  int body[2] = {-1, -1};
  int* dof = nullptr;         // ascending
  bool* of_second = nullptr;  // the column moves the second body, otherwise the first
  int nnz = 0;
};

/// Maps a motion axis, [w; v] at the tree's reference point, to the motion at the contact in the contact frame F:
/// F (v + w × offset) and F w, times a sign. Lanes of `first`: normal, two tangents, spin; of `second`: two rolls.
struct FrameMap {
  Pack first[6], second[3];

  SINEW_INLINE void set(const double* frame, const Vector& offset, double sign) {
    // columns of the frame: components of all three rows, then of the first one again
    const Pack a = load_pack(frame), b = load_pack(frame + 4), c = load_pack(frame + 5);
    const Pack F[3] = {sign * __builtin_shufflevector(a, c, 0, 3, 5, 0),
                       sign * __builtin_shufflevector(a, b, 1, 4, 7, 1),
                       sign * __builtin_shufflevector(a, c, 2, 4, 7, 2)};
    // F_r · (w × offset) = (offset × F_r) · w, all three rows at once
    const Pack turn[3] = {offset.y * F[2] - offset.z * F[1], offset.z * F[0] - offset.x * F[2],
                          offset.x * F[1] - offset.y * F[0]};
    for (int k = 0; k < 3; ++k) {
      first[k] = __builtin_shufflevector(turn[k], F[k], 0, 1, 2, 7);
      first[3 + k] = __builtin_shufflevector(F[k], Pack{}, 0, 1, 2, 7);
      second[k] = __builtin_shufflevector(F[k], F[k], 1, 2, 1, 2);
    }
  }
};

/// Column k of the rows Jc0, Jc1 …, or of the edges Jc0 ± friction_k Jc_k.
template <int dim, bool pyramid>
SINEW_INLINE void fill_column(const double* s, const FrameMap& M, const double* friction, double* out, int nnz) {
  Pack first = s[0] * M.first[0];
  for (int i = 1; i < 6; ++i) first += s[i] * M.first[i];
  Pack second = {};
  if constexpr (dim > 4) second = s[0] * M.second[0] + s[1] * M.second[1] + s[2] * M.second[2];
  const auto row = [&](int r) { return r < 4 ? first[r] : second[r - 4]; };
  if constexpr (!pyramid) {
    for (int r = 0; r < dim; ++r) out[r * nnz] = row(r);
  } else {
    for (int r = 1; r < dim; ++r) {
      const double edge = friction[r - 1] * row(r);
      out[(2 * r - 2) * nnz] = first[0] + edge;
      out[(2 * r - 1) * nnz] = first[0] - edge;
    }
  }
}

template <int dim, bool pyramid>
SINEW_INLINE void fill_columns(const double* cdof, const ContactColumns& c, const FrameMap* map, const double* friction,
                               double* J) {
  for (int k = 0; k < c.nnz; ++k)
    fill_column<dim, pyramid>(cdof + 6 * c.dof[k], map[c.of_second[k]], friction, J + k, c.nnz);
}

/// offset: from the reference points of both bodies' trees to the contact.
SINEW_KERNEL void fill_rows(const double* cdof, const ContactColumns& c, const Vector* offset, const Contact& contact,
                            bool pyramid, double* J) {
  const double *frame = contact.frame.data(), *friction = contact.friction.data();
  FrameMap map[2];
  map[0].set(frame, offset[0], -1);
  map[1].set(frame, offset[1], 1);
  switch (pyramid ? -contact.dim : contact.dim) {
    case 1: return fill_columns<1, false>(cdof, c, map, friction, J);
    case 3: return fill_columns<3, false>(cdof, c, map, friction, J);
    case 4: return fill_columns<4, false>(cdof, c, map, friction, J);
    case 6: return fill_columns<6, false>(cdof, c, map, friction, J);
    case -3: return fill_columns<3, true>(cdof, c, map, friction, J);
    case -4: return fill_columns<4, true>(cdof, c, map, friction, J);
    case -6: return fill_columns<6, true>(cdof, c, map, friction, J);
  }
}

struct AddedRows {
  double* J;
  bool pyramid;
};

/// Rows of a contact on these columns, all but the values of their Jacobian.
SINEW_INLINE AddedRows add_rows(RowBuilder& rows, int c, const int* dof, int nnz, bool elliptic) {
  Data& d = rows.d;
  Contact& contact = d.contact[c];
  const int dim = contact.dim, nrow = contact_rows(dim, elliptic);
  const auto kind = dim == 1   ? ConstraintKind::ContactFrictionless
                    : elliptic ? ConstraintKind::ContactElliptic
                               : ConstraintKind::ContactPyramidal;
  const auto block = rows.add(kind, c, nrow, dof, nnz);
  contact.efc_address = block.row;
  const int npos = kind == ConstraintKind::ContactElliptic ? 1 : nrow;
  for (int r = 0; r < npos; ++r) {
    d.efc_pos[block.row + r] = contact.dist;
    d.efc_margin[block.row + r] = contact.includemargin;
  }
  return {block.J, kind == ConstraintKind::ContactPyramidal};
}

void add_contact(RowBuilder& rows, int c, const ContactColumns& columns, bool elliptic) {
  const Model& m = rows.m;
  Data& d = rows.d;
  const Contact& contact = d.contact[c];
  const AddedRows added = add_rows(rows, c, columns.dof, columns.nnz, elliptic);
  const Vector pos = Vector::load(contact.pos.data());
  const Vector offset[2] = {from_reference(m, d, pos, columns.body[0]), from_reference(m, d, pos, columns.body[1])};
  fill_rows(d.cdof.data(), columns, offset, contact, added.pyramid, added.J);
}

/// Rows of a contact with an element, or with an interpolated vertex, of a flex. With the weights w_b of the bodies on
/// both sides, negative on the first, column k is Σ w_b F (v_k + w_k × offset_b), F w_k: the columns are the dofs of
/// all bodies, common ones included.
class FlexRows {
 public:
  FlexRows(const Model& m, Scratch& scratch)
      : place_(scratch.take<int>(m.nv)),
        dof_(scratch.take<int>(m.nv)),
        motion_(scratch.take<double>(6 * m.nv)),
        identity_{{-1, -1}, scratch.take<int>(m.nv), scratch.zeros<bool>(m.nv), 0},
        body_(scratch.take<WeightedBody>(kMostBodies)) {
    std::fill_n(place_, m.nv, -1);
    for (int i = 0; i < m.nv; ++i) identity_.dof[i] = i;
  }

  /// False: no dof moves it.
  bool add(RowBuilder& rows, int c, bool elliptic) {
    const Model& m = rows.m;
    Data& d = rows.d;
    const Contact& contact = d.contact[c];
    collect(m, d, contact);
    if (count_ == 0) return false;
    std::sort(dof_, dof_ + count_);
    for (int k = 0; k < count_; ++k) place_[dof_[k]] = k;
    add_up(m, d, Vector::load(contact.pos.data()));
    const AddedRows added = add_rows(rows, c, dof_, count_, elliptic);
    const Vector at_contact[2] = {};
    identity_.nnz = count_;
    std::fill_n(identity_.of_second, count_, true);
    fill_rows(motion_, identity_, at_contact, contact, added.pyramid, added.J);
    for (int k = 0; k < count_; ++k) place_[dof_[k]] = -1;
    return true;
  }

 private:
  struct WeightedBody {
    int body;
    double weight;
  };
  /// Two sides of a quadratic shell, all of whose 27 nodes follow 26 others.
  static constexpr int kMostBodies = 2 * 27 * 26;

  /// The bodies, and the dofs that move them: where a dof is known, so are those above it.
  void collect(const Model& m, const Data& d, const Contact& contact) {
    count_ = bodies_ = 0;
    for (int side = 0; side < 2; ++side)
      for_each_contact_body(m, d, contact, side, [&](int body, double weight) {
        body_[bodies_++] = {body, side == 0 ? -weight : weight};
        for (int dof = last_dof(m, body); dof >= 0 && place_[dof] < 0; dof = m.dof_parentid[dof]) {
          place_[dof] = 0;
          dof_[count_++] = dof;
        }
      });
  }

  /// The motion at the contact per unit of each dof.
  void add_up(const Model& m, const Data& d, const Vector& pos) {
    std::fill_n(motion_, 6 * count_, 0.0);
    for (int i = 0; i < bodies_; ++i) {
      const double weight = body_[i].weight;
      const Vector offset = from_reference(m, d, pos, body_[i].body);
      for (int dof = last_dof(m, body_[i].body); dof >= 0; dof = m.dof_parentid[dof]) {
        double* sum = motion_ + 6 * place_[dof];
        const Vector turn = jacr_column(d, dof), move = jacp_column(d, dof, offset);
        for (int k = 0; k < 3; ++k) {
          sum[k] += weight * turn[k];
          sum[3 + k] += weight * move[k];
        }
      }
    }
  }

  int *place_, *dof_;  // column of a dof, or -1; dof of a column
  double* motion_;     // 6 per column
  ContactColumns identity_;
  WeightedBody* body_;
  int count_ = 0, bodies_ = 0;  // columns; entries of body_
};

}  // namespace

void add_contacts(RowBuilder& rows) {
  const Model& m = rows.m;
  Data& d = rows.d;
  const bool dense = uses_dense_jacobian(m), none = m.opt.disabled(kDisableContact);
  const bool elliptic = m.opt.cone == static_cast<int>(Cone::Elliptic);
  Scratch scratch(d.scratch());
  int* dof_end = rows.columns() + m.nv;
  bool* of_second_end = scratch.take<bool>(m.nv) + m.nv;
  ContactColumns columns;
  std::optional<FlexRows> flex_rows;
  if (m.nflex > 0) flex_rows.emplace(m, scratch);
  for (int c = 0; c < d.ncon; ++c) {
    Contact& contact = d.contact[c];
    contact.efc_address = -1;
    if (none) continue;
    if (m.nflex > 0 && contact.exclude <= 1 && is_passive(m, d, contact)) [[unlikely]]
      contact.exclude = kPassiveContact;
    if (contact.exclude != 0) continue;
    const bool flex = contact.geom[0] < 0 || contact.geom[1] < 0;
    if (flex && !(side_is_one_body(m, contact, 0) && side_is_one_body(m, contact, 1))) [[unlikely]] {
      if (!flex_rows->add(rows, c, elliptic)) contact.exclude = kNoDofs;
      continue;
    }
    const int body1 = contact_body(m, contact, 0), body2 = contact_body(m, contact, 1);
    if (body1 != columns.body[0] || body2 != columns.body[1]) {
      // the dofs come in descending order and are written back to front
      std::ptrdiff_t i = 0;
      for_each_dof_between(m, body1, body2, [&](int dof, bool moves1) {
        --i;
        dof_end[i] = dof;
        of_second_end[i] = !moves1;
      });
      columns = {{body1, body2}, dof_end + i, of_second_end + i, static_cast<int>(-i)};
    }
    if (columns.nnz == 0 && (!dense || flex))
      contact.exclude = kNoDofs;
    else
      add_contact(rows, c, columns, elliptic);
  }
}

}  // namespace sinew
