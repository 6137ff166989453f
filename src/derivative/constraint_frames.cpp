#include "derivative/constraint_frames.h"

#include <cmath>

#include "dynamics/axis_rates.h"
#include "dynamics/jacobian.h"
#include "math/dual.h"

namespace sinew {
namespace {

using Vector = Vec3<double>;
using Twist = Motion<double>;
using Real = Dual<1>;
using RealVector = Vec3<Real>;
using RealQuat = Quat<Real>;

Real with_slope(double value, double slope) {
  Real x(value);
  x.slope[0] = slope;
  return x;
}
RealVector with_slope(const Vector& value, const Vector& slope) {
  return {with_slope(value.x, slope.x), with_slope(value.y, slope.y), with_slope(value.z, slope.z)};
}
/// A frame rotating with angular velocity w (world axes).
RealQuat with_turn(const Quat<double>& q, const Vector& w) {
  const Quat<double> rate = Quat<double>(0, 0.5 * w.x, 0.5 * w.y, 0.5 * w.z) * q;
  return {with_slope(q.w, rate.w), with_slope(q.x, rate.x), with_slope(q.y, rate.y), with_slope(q.z, rate.z)};
}
Vector slope_of(const RealVector& v) { return {v.x.slope[0], v.y.slope[0], v.z.slope[0]}; }

RealQuat pure(const RealVector& v) { return {Real(0), v.x, v.y, v.z}; }
RealQuat half_rate(const RealVector& w, const RealQuat& q) {
  const RealQuat r = pure(w) * q;
  return {r.w * Real(0.5), r.x * Real(0.5), r.y * Real(0.5), r.z * Real(0.5)};
}

/// vec(conj(A) (0, w) B)
RealVector sandwich(const RealQuat& A, const RealVector& w, const RealQuat& B) {
  return (conjugate(A) * pure(w) * B).vec();
}

}  // namespace

/// Change of one body's motions with a dof's position or velocity.
struct FrameColumns::Body {
  Vector point;    // displacement of the anchor
  Vector turn;     // rotation of the body
  Twist acc, vel;  // of Σ S a and Σ S v
  Twist drift;     // of the velocity-product acceleration
};

FrameColumns::FrameColumns(const Model& m, Data& d, DerivativeState& s, ConstraintColumns& rows)
    : m_(m), d_(d), s_(s), rows_(rows) {}

void FrameColumns::begin_drift() {
  if (has_drift_) return;
  rows_.drift_.compute(m_, d_, s_.group, {d_.qvel.data(), nullptr, false});
  rows_.beyond_.resize(m_.nbody);
  rows_.beyond_[0] = {};
  const auto moved = [&](int i) { return Twist::load(&d_.cdof[6 * i]) * d_.qvel[i]; };
  for (int b = 1; b < m_.nbody; ++b)
    rows_.beyond_[b] = rows_.beyond_[m_.body_parentid[b]] + axis_rates_beyond<double>(m_, b, moved);
  has_drift_ = true;
}

/// J̇ v of a body, at its tree's reference point.
Twist FrameColumns::drift(int body) const { return rows_.drift_.acceleration()[body] + rows_.beyond_[body]; }

/// Change of the contribution of joints behind a ball joint with a dof's position or velocity: bodies behind the dof's
/// own move rigidly; in its own body the dof rotates the axes behind it and those of its group.
Twist FrameColumns::beyond_change(int body, int dof, bool by_velocity) const {
  const int own = m_.dof_bodyid[dof];
  const Twist S = Twist::load(&d_.cdof[6 * dof]);
  const auto moved = [&](int i) {
    const Twist axis = Twist::load(&d_.cdof[6 * i]);
    const bool turns = i >= dof || s_.group[i] == s_.group[dof];
    const Twist rate =
        by_velocity ? (i == dof ? axis : Twist{}) : (turns ? cross_motion(S, axis) : Twist{}) * d_.qvel[i];
    return Motion<Real>{with_slope(axis.w * d_.qvel[i], rate.w), with_slope(axis.v * d_.qvel[i], rate.v)};
  };
  const Motion<Real> change = axis_rates_beyond<Real>(m_, own, moved);
  const Twist in_own = {slope_of(change.w), slope_of(change.v)};
  if (by_velocity) return in_own;
  const Twist &all = rows_.beyond_[body], &before = rows_.beyond_[own];
  return in_own + cross_motion(S, Twist{all.w - before.w, all.v - before.v});
}

void FrameColumns::scatter(int column, const double* z) {
  const int nnz = d_.efc_J_rownnz[row_];
  const int* col = d_.efc_J_colind.data() + d_.efc_J_rowadr[row_];
  const double* J = d_.efc_J.data() + d_.efc_J_rowadr[row_];
  for (int r = 0; r < nrow_; ++r)
    for (int i = 0; i < nnz; ++i) s_.residual(col[i], column) += J[r * nnz + i] * z[r];
}

namespace {

/// Derivative of the anchor's acceleration A.v + A.w × o + w × (v + w × o); the anchor moves by dp.
Vector anchor_drift(const Twist& A, const Twist& V, const Twist& dA, const Twist& dV, const Vector& o,
                    const Vector& dp) {
  const Vector velocity = V.v + cross(V.w, o);
  return dA.v + cross(dA.w, o) + cross(A.w, dp) + cross(dV.w, velocity) +
         cross(V.w, dV.v + cross(dV.w, o) + cross(V.w, dp));
}

}  // namespace

void FrameColumns::position_column(int dof, bool moves0, bool moves1) {
  const bool moves[2] = {moves0, moves1};
  const Twist S = Twist::load(&d_.cdof[6 * dof]);
  const double B = d_.efc_KBIP[4 * row_ + 1], K = d_.efc_KBIP[4 * row_], imp = d_.efc_KBIP[4 * row_ + 2];
  Body change[2] = {};
  Vector linear, dpos;  // of J a + B J v + J̇ v, and of the residual
  for (const int k : {0, 1}) {
    if (!moves[k]) continue;
    const double sign = k == 0 ? 1 : -1;
    const int b = frames_.body[k];
    const auto carried = [&](const CarriedMotion& x) {
      const Twist &X = x.body[b], &before = x.before[dof];
      return cross_motion(S, Twist{X.w - before.w, X.v - before.v});
    };
    Body& c = change[k];
    const Twist &A = rows_.drift_.acceleration()[b], &V = rows_.drift_.velocity()[b];
    c.point = S.v + cross(S.w, offset_[k]);
    c.turn = S.w;
    c.acc = carried(rows_.carried_acc_);
    c.vel = carried(rows_.carried_vel_);
    c.drift = cross_motion(S, A) + rows_.drift_.position_rate()[dof] + cross_motion(rows_.drift_.axis_rate()[dof], V) +
              beyond_change(b, dof, false);
    const auto at_point = [&](const Twist& dX, const Twist& X) {
      return dX.v + cross(dX.w, offset_[k]) + cross(X.w, c.point);
    };
    linear += (at_point(c.acc, rows_.carried_acc_.body[b]) + at_point(c.vel, rows_.carried_vel_.body[b]) * B +
               anchor_drift(drift(b), V, c.drift, c.vel, offset_[k], c.point)) *
              sign;
    dpos += c.point * sign;
  }
  double dy[6], dp[6] = {dpos.x, dpos.y, dpos.z, 0, 0, 0};
  linear.store(dy);
  Vector dtorque;
  if (nrow_ == 6) {
    const RealQuat Q0 = with_turn(frames_.frame[0], change[0].turn), Q1 = with_turn(frames_.frame[1], change[1].turn);
    const auto angular = [&](int k, const std::vector<Twist>& x, const Twist& dx) {
      return with_slope(x[frames_.body[k]].w, dx.w);
    };
    const auto drift_of = [&](int k) { return with_slope(drift(frames_.body[k]).w, change[k].drift.w); };
    const auto& acc = rows_.carried_acc_.body;
    const auto& vel = rows_.carried_vel_.body;
    const RealVector w0 = angular(0, vel, change[0].vel), w1 = angular(1, vel, change[1].vel), dw = w0 - w1;
    const RealVector a = angular(0, acc, change[0].acc) - angular(1, acc, change[1].acc);
    const RealVector j = drift_of(0) - drift_of(1);
    const RealVector y = sandwich(Q1, a + dw * Real(B) + j, Q0) + sandwich(half_rate(w1, Q1), dw, Q0) +
                         sandwich(Q1, dw, half_rate(w0, Q0));
    (slope_of(y) * (0.5 * torquescale_)).store(dy + 3);
    (slope_of((conjugate(Q1) * Q0).vec()) * torquescale_).store(dp + 3);
    for (int k = 0; k < 3; ++k) {
      const RealVector e = {Real(k == 0), Real(k == 1), Real(k == 2)};
      dtorque[k] = dot(slope_of(sandwich(Q1, e, Q0)), Vector::load(&rows_.rows_.force[row_ + 3])) * 0.5 * torquescale_;
    }
  }
  double dsize = 0;
  for (int r = 0; r < nrow_; ++r) dsize += size_ > 0 ? d_.efc_pos[row_ + r] * dp[r] / size_ : 0;
  const double dimp = d_.efc_KBIP[4 * row_ + 3] * dsize;
  for (int r = 0; r < nrow_; ++r) dy[r] += K * (imp * dp[r] + d_.efc_pos[row_ + r] * dimp);
  rows_.respond_to(dof, d_, row_, nrow_, dimp * rows_.log_slope(d_, row_), dy);
  scatter(dof, dy);
  for (const int k : {0, 1}) {
    const Vector moment = (cross(change[k].point, force_) + dtorque) * (k == 0 ? -1.0 : 1.0);
    for (int i = last_dof(m_, frames_.body[k]); i >= 0; i = m_.dof_parentid[i])
      s_.residual(i, dof) += dot(jacr_column(d_, i), moment);
  }
}

void FrameColumns::velocity_column(int dof, bool moves0, bool moves1) {
  const bool moves[2] = {moves0, moves1};
  const Twist S = Twist::load(&d_.cdof[6 * dof]);
  const double B = d_.efc_KBIP[4 * row_ + 1];
  Vector linear, dw[2], dj[2];
  for (const int k : {0, 1}) {
    if (!moves[k]) continue;
    const int b = frames_.body[k];
    const Twist& V = rows_.drift_.velocity()[b];
    const Twist change = rows_.drift_.velocity_rate()[dof] + cross_motion(S, V) + beyond_change(b, dof, true);
    linear += ((S.v + cross(S.w, offset_[k])) * B + anchor_drift(drift(b), V, change, S, offset_[k], {})) *
              (k == 0 ? 1.0 : -1.0);
    dw[k] = S.w;
    dj[k] = change.w;
  }
  double dy[6];
  linear.store(dy);
  if (nrow_ == 6) {
    const RealQuat Q0 = with_turn(frames_.frame[0], {}), Q1 = with_turn(frames_.frame[1], {});
    const auto& vel = rows_.carried_vel_.body;
    const RealVector w0 = with_slope(vel[frames_.body[0]].w, dw[0]), w1 = with_slope(vel[frames_.body[1]].w, dw[1]);
    const RealVector j = with_slope({}, dj[0] - dj[1]), relative = w0 - w1;
    const RealVector y = sandwich(Q1, relative * Real(B) + j, Q0) + sandwich(half_rate(w1, Q1), relative, Q0) +
                         sandwich(Q1, relative, half_rate(w0, Q0));
    (slope_of(y) * (0.5 * torquescale_)).store(dy + 3);
  }
  rows_.respond_to(s_.columns.v() + dof, d_, row_, nrow_, 0, dy);
  scatter(s_.columns.v() + dof, dy);
}

void FrameColumns::add(int row, int nrow) {
  begin_drift();
  row_ = row;
  nrow_ = nrow;
  frames_ = equality_frames(m_, d_, d_.efc_id[row]);
  torquescale_ = m_.eq_data[kNumEqData * d_.efc_id[row] + 10];
  size_ = 0;
  for (int r = 0; r < nrow; ++r) size_ += d_.efc_pos[row + r] * d_.efc_pos[row + r];
  size_ = std::sqrt(size_);
  const double* f = &rows_.rows_.force[row];
  force_ = Vector::load(f);
  torque_ = {};
  if (nrow == 6) {
    const RealQuat Q0 = with_turn(frames_.frame[0], {}), Q1 = with_turn(frames_.frame[1], {});
    for (int k = 0; k < 3; ++k) {
      const RealVector e = sandwich(Q1, {Real(k == 0), Real(k == 1), Real(k == 2)}, Q0);
      torque_[k] = (e.x.value * f[3] + e.y.value * f[4] + e.z.value * f[5]) * 0.5 * torquescale_;
    }
  }
  for (const int k : {0, 1}) {
    const double sign = k == 0 ? 1 : -1;
    offset_[k] = from_reference(m_, d_, frames_.point[k], frames_.body[k]);
    s_.sweep.apply(frames_.body[k], {(cross(offset_[k], force_) + torque_) * sign, force_ * sign});
  }
  for_each_dof_of_either(m_, frames_.body[0], frames_.body[1], [&](int dof, bool moves0, bool moves1) {
    position_column(dof, moves0, moves1);
    velocity_column(dof, moves0, moves1);
  });
}

}  // namespace sinew
