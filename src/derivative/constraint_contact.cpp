#include "derivative/constraint_contact.h"

#include <algorithm>

#include "constraint/kinds.h"
#include "derivative/smooth.h"
#include "dynamics/all_zero.h"
#include "dynamics/jacobian.h"
#include "solver/problem.h"

namespace sinew {

using Vector = Vec3<double>;
using Twist = Motion<double>;

/// Changes along one dof.
struct ContactColumns::Change {
  int dof = 0;
  bool moves[2] = {};
  Twist axis;
  Vector x, turn;  // contact point, and rotation of the contact frame
  double dist = 0;
};

ContactColumns::ContactColumns(const Model& m, Data& d, DerivativeState& s, ConstraintColumns& rows)
    : m_(m), d_(d), s_(s), rows_(rows) {
  rows.rates_.resize(d.ncon);
  for (int c = 0; c < d.ncon;) {
    int end = c + 1;
    bool acts = rows.keep_ || drives_contacts(m) || m.opt.enabled(kEnableDiagexact);
    while (end < d.ncon && d.contact[end].geom == d.contact[c].geom) ++end;
    for (int k = c; k < end; ++k) {
      const Contact& contact = d.contact[k];
      acts |= contact.adhesion != 0;
      if (contact.efc_address < 0) continue;
      const bool elliptic = d.efc_type[contact.efc_address] == static_cast<int>(ConstraintKind::ContactElliptic);
      const int count = contact_rows(contact.dim, elliptic);
      for (int r = 0; r < count; ++r) acts |= rows.rows().state[contact.efc_address + r] != kSatisfied;
    }
    if (acts) contact_rates(m, d, c, end - c, &rows.rates_[c]);
    c = end;
  }
}

ContactColumns::Relative ContactColumns::relative(const CarriedMotion& x) const {
  const Twist &a = x.body[body_[0]], &b = x.body[body_[1]];
  return {b.v + cross(b.w, offset_[1]) - a.v - cross(a.w, offset_[0]), b.w - a.w};
}

/// Its derivative: a body's motion X = Σ S x changes by S_k ×m (X - X before k), and the point moves.
ContactColumns::Relative ContactColumns::change(const CarriedMotion& x, const Change& c) const {
  Relative sum;
  for (const int side : {0, 1}) {
    const double sign = side == 0 ? -1 : 1;
    const Twist& X = x.body[body_[side]];
    Vector v = cross(X.w, c.x), w;
    if (c.moves[side]) {
      const Twist& before = x.before[c.dof];
      const Twist dX = cross_motion(c.axis, Twist{X.w - before.w, X.v - before.v});
      v += dX.v + cross(dX.w, offset_[side]);
      w = dX.w;
    }
    sum.v += v * sign;
    sum.w += w * sign;
  }
  return sum;
}

/// Velocity of a geom's moving surface at the contact.
Twist ContactColumns::surface(int side) const {
  const int geom = contact_->geom[side];
  const Mat3<double> R = Mat3<double>::load(&d_.geom_xmat[9 * geom]);
  const Vector w = R * Vector::load(&m_.geom_surfacevel[6 * geom + 3]);
  const Vector arm = Vector::load(contact_->pos.data()) - Vector::load(&d_.geom_xpos[3 * geom]);
  return {w, R * Vector::load(&m_.geom_surfacevel[6 * geom]) + cross(w, arm)};
}

/// The surface rotates with its geom, and the contact moves over it.
ContactColumns::Relative ContactColumns::surface_change(const Change& c) const {
  Relative sum;
  for (const int side : {0, 1}) {
    const double sign = side == 0 ? -1 : 1;
    const Twist u = surface(side);
    Vector v = cross(u.w, c.x), w;
    if (c.moves[side]) {
      const Vector moved = c.axis.v + cross(c.axis.w, offset_[side]);  // the geom's point at the contact
      w = cross(c.axis.w, u.w);
      v = cross(c.axis.w, u.v) + cross(u.w, c.x - moved);
    }
    sum.v += v * sign;
    sum.w += w * sign;
  }
  return sum;
}

void ContactColumns::in_frame(const Relative& r, double* six) const {
  (frame_ * r.v).store(six);
  (frame_ * r.w).store(six + 3);
}

ContactColumns::Change ContactColumns::along(int dof, bool moves1, bool moves2) const {
  Change c;
  c.dof = dof;
  c.moves[0] = moves1;
  c.moves[1] = moves2;
  c.axis = Twist::load(&d_.cdof[6 * dof]);
  for (const int side : {0, 1}) {
    if (!c.moves[side]) continue;
    const ContactSideRate& rate = rate_->side[side];
    const Vector v = c.axis.v + cross(c.axis.w, offset_[side]);
    c.x += rate.x_w * c.axis.w + rate.x_v * v;
    c.turn += rate.t_w * c.axis.w + rate.t_v * v;
    c.dist += dot(rate.dist_w, c.axis.w) + dot(rate.dist_v, v);
  }
  return c;
}

/// dy of all rows along one dof; a row F_r·r changes by F_r·(dr + r × turn).
void ContactColumns::row_changes(const Change& c, double* dy) const {
  const double* KBIP = &d_.efc_KBIP[4 * row_];
  double acc[6], vel[6];
  const auto turned = [&](Relative dr, const Relative& r) {
    dr.v += cross(r.v, c.turn);
    dr.w += cross(r.w, c.turn);
    return dr;
  };
  in_frame(turned(change(rows_.carried_acc_, c), acc_), acc);
  in_frame(turned(change(rows_.carried_vel_, c), vel_), vel);
  if (surface_moves_) {
    // only the tangential and spin components of the surface velocity enter
    double belt[6];
    in_frame(turned(surface_change(c), surface_), belt);
    for (const int k : {1, 2, 3}) vel[k] += belt[k];
  }
  const double dimp = KBIP[3] * c.dist;
  const double normal = KBIP[0] * (KBIP[2] * c.dist + (d_.efc_pos[row_] - d_.efc_margin[row_]) * dimp);
  // the adhesion term in a_ref is R times the contact's share
  const double dlnD = dimp * rows_.log_slope(d_, row_);
  const auto adhesion = [&](int r, int share) {
    return contact_->adhesion > 0 ? d_.efc_R[row_ + r] * dlnD * contact_->adhesion / share : 0.0;
  };
  if (pyramid_) {
    for (int r = 0; r < nrow_; ++r) {
      const int k = r / 2 + 1;
      const double mu = (r % 2 == 0 ? 1 : -1) * contact_->friction[k - 1], B = KBIP[1];
      dy[r] = acc[0] + B * vel[0] + mu * (acc[k] + B * vel[k]) + normal + adhesion(r, nrow_);
    }
    return;
  }
  for (int r = 0; r < nrow_; ++r) dy[r] = acc[r] + d_.efc_KBIP[4 * (row_ + r) + 1] * vel[r];
  dy[0] += normal + adhesion(0, 1);
}

/// Row values as a force and torque in the contact frame.
void ContactColumns::contact_forces(const double* rows, double* six) const {
  std::fill_n(six, 6, 0.0);
  if (!pyramid_) {
    std::copy_n(rows, nrow_, six);
    return;
  }
  for (int r = 0; r < nrow_; r += 2) {
    six[0] += rows[r] + rows[r + 1];
    six[r / 2 + 1] = contact_->friction[r / 2] * (rows[r] - rows[r + 1]);
  }
}

void ContactColumns::locate(int contact) {
  contact_ = &d_.contact[contact];
  rate_ = &rows_.rates_[contact];
  frame_ = Mat3<double>::load(contact_->frame.data());
  const Vector pos = Vector::load(contact_->pos.data());
  for (const int side : {0, 1}) {
    body_[side] = m_.geom_bodyid[contact_->geom[side]];
    offset_[side] = from_reference(m_, d_, pos, body_[side]);
  }
}

void ContactColumns::begin(int row, int nrow) {
  row_ = row;
  nrow_ = nrow;
  locate(d_.efc_id[row]);
  pyramid_ = d_.efc_type[row] == static_cast<int>(ConstraintKind::ContactPyramidal);
  surface_moves_ = std::ranges::any_of(contact_->geom, [&](int g) {
    return !all_zero({&m_.geom_surfacevel[6 * g], 6});
  });
  if (surface_moves_) {
    const Twist a = surface(0), b = surface(1);
    surface_ = {b.v - a.v, b.w - a.w};
  }
  acc_ = relative(rows_.carried_acc_);
  vel_ = relative(rows_.carried_vel_);
  double six[6];
  contact_forces(&rows_.rows_.force[row], six);
  six[0] -= contact_->adhesion;  // the constant pull is a passive force along the same normal
  force_ = mul_transposed(frame_, Vector::load(six));
  torque_ = mul_transposed(frame_, Vector::load(six + 3));
}

void ContactColumns::add(int row, int nrow) {
  const auto* state = &rows_.rows_.state[row];
  const bool acts = std::any_of(state, state + nrow, [](int x) { return x != kSatisfied; });
  if (!acts && !rows_.keep_ && d_.contact[d_.efc_id[row]].adhesion == 0) return;
  begin(row, nrow);
  // no dof moves bodies of one rigid assembly relative to each other: only the rounding error of possibly huge forces
  // would be added
  if (m_.body_weldid[body_[0]] == m_.body_weldid[body_[1]]) return;
  for (const int side : {0, 1}) {
    const double sign = side == 0 ? -1 : 1;
    s_.sweep.apply(body_[side], {(cross(offset_[side], force_) + torque_) * sign, force_ * sign});
  }
  for_each_dof_of_either(m_, body_[0], body_[1], [&](int k, bool moves1, bool moves2) {
    const Change c = along(k, moves1, moves2);
    double z[10], six[6];
    row_changes(c, z);
    rows_.respond_to(k, d_, row, nrow, d_.efc_KBIP[4 * row + 3] * c.dist * rows_.log_slope(d_, row), z);
    contact_forces(z, six);
    // Jᵀ z minus the change of the wrench at fixed forces
    add_wrench_change(k, mul_transposed(frame_, Vector::load(six)) - cross(c.turn, force_),
                      mul_transposed(frame_, Vector::load(six + 3)) - cross(c.x, force_) - cross(c.turn, torque_));
  });
}

/// residual(·, k) += the generalized force of a force and torque at the contact, on the second body against the first.
void ContactColumns::add_wrench_change(int k, const Vector& force, const Vector& torque) {
  const Vector moment[2] = {torque + cross(offset_[0], force), torque + cross(offset_[1], force)};
  for_each_dof_between(m_, body_[0], body_[1], [&](int i, bool first) {
    const double sum = dot(Twist::load(&d_.cdof[6 * i]), Force<double>{moment[first ? 0 : 1], force});
    s_.residual(i, k) += first ? -sum : sum;
  });
}

void ContactColumns::add_pull(int contact, double force) {
  locate(contact);
  const Vector pull = frame_.row(0) * force;
  for_each_dof_of_either(m_, body_[0], body_[1], [&](int k, bool moves1, bool moves2) {
    const Change c = along(k, moves1, moves2);
    add_wrench_change(k, -cross(c.turn, pull), -cross(c.x, pull));
  });
}

}  // namespace sinew
