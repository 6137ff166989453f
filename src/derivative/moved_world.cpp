#include "derivative/moved_world.h"

#include <algorithm>

#include "constraint/assemble.h"
#include "dynamics/camera_light.h"
#include "dynamics/com.h"
#include "dynamics/inertia.h"
#include "dynamics/jacobian.h"
#include "dynamics/joint_table.h"
#include "dynamics/kinematics.h"
#include "dynamics/tendon.h"
#include "dynamics/transmission.h"
#include "math/pack.h"
#include "math/quat.h"
#include "math/spatial.h"

namespace sinew {
namespace {

using Vector = Vec3<double>;

bool moves(const Model& m, int dof, int body) {
  int i = last_dof(m, body);
  while (i > dof) i = m.dof_parentid[i];
  return i == dof;
}

/// Both are the same constraint: for two-sided limits, the side on which the residual grows in the same direction.
bool match(const Data& a, int row_a, const Data& b, int row_b) {
  const int nnz = a.efc_J_rownnz[row_a];
  if (a.efc_type[row_a] != b.efc_type[row_b] || a.efc_id[row_a] != b.efc_id[row_b] || nnz != b.efc_J_rownnz[row_b])
    return false;
  const double *Ja = a.efc_J.data() + a.efc_J_rowadr[row_a], *Jb = b.efc_J.data() + b.efc_J_rowadr[row_b];
  return dot(Ja, Jb, nnz) >= 0;
}

bool have_same_rows(const Data& a, const Data& b) {
  if (a.nefc != b.nefc || a.nJ != b.nJ) return false;
  for (int row = 0; row < a.nefc; row += a.efc_J_rowsuper[row] + 1)
    if (!match(a, row, b, row)) return false;
  return true;
}

/// Copies the position-dependent fields.
void copy_row(const Data& from, int from_row, Data& to, int to_row) {
  const auto copy = [&](const std::vector<double>& source, std::vector<double>& target, int cols) {
    std::copy_n(source.begin() + static_cast<std::ptrdiff_t>(cols) * from_row, cols,
                target.begin() + static_cast<std::ptrdiff_t>(cols) * to_row);
  };
  copy(from.efc_pos, to.efc_pos, 1);
  copy(from.efc_diagA, to.efc_diagA, 1);
  copy(from.efc_KBIP, to.efc_KBIP, 4);
  copy(from.efc_D, to.efc_D, 1);
  copy(from.efc_R, to.efc_R, 1);
  std::copy_n(from.efc_J.begin() + from.efc_J_rowadr[from_row], from.efc_J_rownnz[from_row],
              to.efc_J.begin() + to.efc_J_rowadr[to_row]);
}

}  // namespace

/// A limit at the edge of its margin, or a tendon whose moment vanishes here, has rows on one side of d only. Rows that
/// d does not have are removed; rows that the moved world lacks are kept, with a residual extrapolated along its
/// gradient.
void MovedWorld::keep_rows(int dof, double eps) {
  if (have_same_rows(d_, x_)) return;
  const Data built = x_;
  x_.ne = d_.ne;
  x_.nf = d_.nf;
  x_.nl = d_.nl;
  x_.nefc = d_.nefc;
  x_.nJ = d_.nJ;
  x_.grow_rows();
#define SINEW_ROW(type, name, rows, cols, writer, doc) \
  std::copy_n(d_.name.begin(), std::min(d_.name.size(), x_.name.size()), x_.name.begin());
#include "sinew/row_fields.def"
#undef SINEW_ROW
  for (int c = 0; c < d_.ncon; ++c) x_.contact[c].efc_address = d_.contact[c].efc_address;
  int next = 0;  // in `built`; both are in the same order
  for (int row = 0; row < d_.nefc;) {
    const int nrow = d_.efc_J_rowsuper[row] + 1;
    int found = next;
    while (found < built.nefc && !match(d_, row, built, found)) found += built.efc_J_rowsuper[found] + 1;
    for (int r = 0; r < nrow; ++r) {
      if (found < built.nefc) {
        copy_row(built, found + r, x_, row + r);
        continue;
      }
      for (int k = d_.efc_J_rowadr[row + r]; k < d_.efc_J_rowadr[row + r] + d_.efc_J_rownnz[row + r]; ++k)
        if (d_.efc_J_colind[k] == dof) x_.efc_pos[row + r] += eps * d_.efc_J[k];
    }
    if (found < built.nefc) next = found + nrow;
    row += nrow;
  }
}

void MovedWorld::move(int dof, double eps) {
  x_ = d_;
  std::vector<double> along(m_.nv, 0.0);
  along[dof] = 1;
  integrate_position(m_, x_.qpos.data(), static_cast<const double*>(along.data()), eps);
  kinematics(m_, x_);
  com_position(m_, x_);
  camera_and_light_poses(m_, x_);
  tendon_paths(m_, x_);
  composite_inertia(m_, x_);
  factor_inertia(m_, x_);
  if (d_.nefc > 0) {
    for (int c = 0; c < d_.ncon; ++c) move_contact(c, dof, eps);
    build_constraints(m_, x_);
    keep_rows(dof, eps);
  }
  transmission(m_, x_);
}

void MovedWorld::move_contact(int c, int dof, double eps) {
  Contact& contact = x_.contact[c];
  const ContactRate& rate = rates_[c];
  const Motion<double> axis = Motion<double>::load(&d_.cdof[6 * dof]);
  const Vector pos = Vector::load(contact.pos.data());
  Vector dx, turn;
  for (const int side : {0, 1}) {
    const int body = m_.geom_bodyid[contact.geom[side]];
    if (!moves(m_, dof, body)) continue;
    const Vector v = axis.v + cross(axis.w, from_reference(m_, d_, pos, body));
    dx += rate.side[side].x_w * axis.w + rate.side[side].x_v * v;
    turn += rate.side[side].t_w * axis.w + rate.side[side].t_v * v;
    contact.dist += eps * (dot(rate.side[side].dist_w, axis.w) + dot(rate.side[side].dist_v, v));
  }
  (pos + dx * eps).store(contact.pos.data());
  const Mat3<double> R = to_matrix(exp(turn * eps)), frame = Mat3<double>::load(contact.frame.data());
  (frame * transpose(R)).store(contact.frame.data());
}

}  // namespace sinew
