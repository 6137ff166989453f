#include "constraint/equality.h"

#include <algorithm>

#include "constraint/flex_equality.h"
#include "constraint/tendon_row.h"
#include "dynamics/jacobian.h"
#include "model/equality_kinds.h"
#include "model/flex_bodies.h"

namespace sinew {
namespace {

using Vector = Vec3<double>;
using Quaternion = Quat<double>;

/// Columns of all dofs that move either body, common ancestors included.
int columns_of_either(RowBuilder& rows, int body1, int body2) {
  int n = 0;
  for_each_dof_of_either(rows.m, body1, body2, [&](int dof, bool, bool) { rows.columns()[n++] = dof; });
  std::reverse(rows.columns(), rows.columns() + n);
  return n;
}

/// J of the relative velocity of the two points and, for a weld, of the rotation residual.
void fill_jacobian(RowBuilder& rows, const RowBuilder::Block& block, const EqualityFrames& f, double torquescale) {
  const Data& d = rows.d;
  const Vector offset[2] = {from_reference(rows.m, d, f.point[0], f.body[0]),
                            from_reference(rows.m, d, f.point[1], f.body[1])};
  const Quaternion q1_inverse = conjugate(f.frame[1]);
  const int nnz = block.ncol;
  int k = nnz;
  for_each_dof_of_either(rows.m, f.body[0], f.body[1], [&](int dof, bool moves1, bool moves2) {
    --k;
    Vector jp, jr;
    if (moves1) jp += jacp_column(d, dof, offset[0]), jr += jacr_column(d, dof);
    if (moves2) jp -= jacp_column(d, dof, offset[1]), jr -= jacr_column(d, dof);
    for (int r = 0; r < 3; ++r) block.J[r * nnz + k] = jp[r];
    if (block.nrow == 3) return;
    const Vector turn = (q1_inverse * Quaternion(0, jr.x, jr.y, jr.z) * f.frame[0]).vec() * (0.5 * torquescale);
    for (int r = 0; r < 3; ++r) block.J[(3 + r) * nnz + k] = turn[r];
  });
}

void add_connect_or_weld(RowBuilder& rows, int eq) {
  const Model& m = rows.m;
  const EqualityKind& kind = equality_kind(m, eq);
  const double torquescale = m.eq_data[kNumEqData * eq + 10];
  const EqualityFrames f = equality_frames(m, rows.d, eq);
  const int ncol = columns_of_either(rows, f.body[0], f.body[1]);
  const auto block = rows.add(ConstraintKind::Equality, eq, kind.rows, rows.columns(), ncol);
  fill_jacobian(rows, block, f, torquescale);
  const Vector apart = f.point[0] - f.point[1];
  apart.store(&rows.d.efc_pos[block.row]);
  if (kind.holds_orientation()) {
    // the sign of the quaternion is kept: beyond half a turn the residual changes direction
    const Vector turned = (conjugate(f.frame[1]) * f.frame[0]).vec() * torquescale;
    turned.store(&rows.d.efc_pos[block.row + 3]);
  }
  rows.keep(block);
}

/// A joint's position or a tendon's length relative to the reference, and its row of the Jacobian.
struct Coordinate {
  double value = 0;
  int nnz = 0;
  const int* col = nullptr;
  const double* J = nullptr;
};

constexpr double kOne = 1;

Coordinate coordinate(const Model& m, const Data& d, EqualityObjects objects, int id) {
  if (objects == EqualityObjects::Joints) {
    const int q = m.jnt_qposadr[id];
    return {d.qpos[q] - m.qpos0[q], 1, &m.jnt_dofadr[id], &kOne};
  }
  const int start = m.ten_J_rowadr[id];
  return {d.ten_length[id] - m.tendon_length0[id], m.ten_J_rownnz[id], m.ten_J_colind.data() + start,
          d.ten_J.data() + start};
}

/// y = c0 + c1 x + … + c4 x⁴
void add_polynomial(RowBuilder& rows, int eq) {
  const Model& m = rows.m;
  const EqualityObjects objects = equality_kind(m, eq).objects;
  const double* c = &m.eq_data[kNumEqData * eq];
  const Coordinate y = coordinate(m, rows.d, objects, m.eq_obj1id[eq]);
  Coordinate x;
  double residual = y.value - c[0], slope = 0;
  if (m.eq_obj2id[eq] >= 0) {
    x = coordinate(m, rows.d, objects, m.eq_obj2id[eq]);
    const double v = x.value;
    residual -= v * (c[1] + v * (c[2] + v * (c[3] + v * c[4])));
    slope = c[1] + v * (2 * c[2] + v * (3 * c[3] + v * 4 * c[4]));
  }
  int* columns = rows.columns();
  const int n = static_cast<int>(std::set_union(y.col, y.col + y.nnz, x.col, x.col + x.nnz, columns) - columns);
  const auto block = rows.add(ConstraintKind::Equality, eq, 1, columns, n);
  for (int k = 0, iy = 0, ix = 0; k < n; ++k) {
    block.J[k] = iy < y.nnz && y.col[iy] == columns[k] ? y.J[iy++] : 0.0;
    if (ix < x.nnz && x.col[ix] == columns[k]) block.J[k] -= slope * x.J[ix++];
  }
  rows.d.efc_pos[block.row] = residual;
  if (objects == EqualityObjects::Tendons)
    for (const int tendon : {m.eq_obj1id[eq], m.eq_obj2id[eq]})
      if (tendon >= 0) note_tendon_row(rows.d, tendon, block.row);
  rows.keep(block);
}

/// Whether a constrained body is awake; tendons always count as awake.
bool touches_awake(const RowBuilder& rows, int eq) {
  const Model& m = rows.m;
  const EqualityKind& kind = equality_kind(m, eq);
  if (kind.objects == EqualityObjects::Tendons) return true;
  if (kind.holds_flex()) return some_flex_body(m, m.eq_obj1id[eq], [&](int b) { return rows.d.body_awake[b] == 1; });
  const auto awake = [&](int body) { return body >= 0 && rows.d.body_awake[body] == 1; };
  return awake(equality_body(m, eq, 0)) || awake(equality_body(m, eq, 1));
}

}  // namespace

EqualityFrames equality_frames(const Model& m, const Data& d, int eq) {
  EqualityFrames f;
  const double* data = &m.eq_data[kNumEqData * eq];
  const bool weld = equality_kind(m, eq).holds_orientation();
  const bool sites = m.eq_objtype[eq] == static_cast<int>(ObjType::Site);
  for (int k = 0; k < 2; ++k) {
    const int id = k == 0 ? m.eq_obj1id[eq] : m.eq_obj2id[eq];
    f.body[k] = equality_body(m, eq, k);
    f.frame[k] = Quaternion::load(&d.xquat[4 * f.body[k]]);
    if (sites) {
      f.point[k] = Vector::load(&d.site_xpos[3 * id]);
      f.frame[k] = f.frame[k] * Quaternion::load(&m.site_quat[4 * id]);
      continue;
    }
    // a weld stores the anchor of object 2 first
    const double* anchor = data + 3 * (weld ? 1 - k : k);
    f.point[k] = Vector::load(&d.xpos[3 * id]) + Mat3<double>::load(&d.xmat[9 * id]) * Vector::load(anchor);
    if (weld && k == 0) f.frame[k] = f.frame[k] * Quaternion::load(data + 6);
  }
  return f;
}

void add_equalities(RowBuilder& rows) {
  const Model& m = rows.m;
  if (m.opt.disabled(kDisableEquality)) return;
  const bool sleep = m.opt.enabled(kEnableSleep);
  for (int eq = 0; eq < m.neq; ++eq) {
    if (!rows.d.eq_active[eq] || (sleep && !touches_awake(rows, eq))) continue;
    if (equality_kind(m, eq).holds_frames())
      add_connect_or_weld(rows, eq);
    else if (equality_kind(m, eq).holds_flex())
      add_flex_equality(rows, eq);
    else
      add_polynomial(rows, eq);
  }
}

}  // namespace sinew
