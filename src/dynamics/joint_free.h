#pragma once

#include "dynamics/joint_ball.h"

namespace sinew {

/// No constraint. q: position in the world (m), quaternion; v: linear velocity in the world frame, angular velocity in
/// the body frame. The rotation behaves like a ball joint at the body's origin.
struct FreeJoint {
  static constexpr int nv = joint_kind(JointType::Free).nv;

  /// The frame is q itself, independent of the parent.
  template <class Real>
  static void move(MovingFrame<Real>& frame, const JointPose<Real>&, const Real* q, const double*) {
    frame.pos = Vec3<Real>::load(q);
    frame.quat = normalized(Quat<Real>::load(q + 3));
  }

  /// cdof = [0; e_k] in world axes, then those of a ball.
  template <class Real>
  static void axes(Real* cdof, const Vec3<Real>& xaxis, const Vec3<Real>& o, const Real* xmat) {
    for (int k = 0; k < 18; ++k) cdof[k] = Real(0);
    for (int k = 0; k < 3; ++k) cdof[7 * k + 3] = Real(1);
    BallJoint::axes(cdof + 18, xaxis, o, xmat);
  }

  /// World axes do not rotate; the rotations see the velocity after the translation.
  template <class Real>
  static void axes_rate(Real* cdof_dot, Motion<Real>& v, const Real* cdof, const Real* qvel) {
    for (int k = 0; k < 18; ++k) cdof_dot[k] = Real(0);
    v.v += Vec3<Real>::load(qvel);
    BallJoint::axes_rate(cdof_dot + 18, v, cdof + 18, qvel + 3);
  }

  template <class Real>
  static void integrate(Real* q, const Real* v, double h) {
    for (int k = 0; k < 3; ++k) q[k] += h * v[k];
    BallJoint::integrate(q + 3, v + 3, h);
  }
  template <class Real>
  static void difference(Real* v, const Real* q1, const Real* q2, double h) {
    for (int k = 0; k < 3; ++k) v[k] = (q2[k] - q1[k]) / h;
    BallJoint::difference(v + 3, q1 + 3, q2 + 3, h);
  }
  template <class Real>
  static void spring(Real* force, const SpringLaw& law, const Real* q, const double* q_spring) {
    spring_force(law, Vec3<Real>::load(q) - Vec3<Real>::load(q_spring)).store(force);
    BallJoint::spring(force + 3, law, q + 3, q_spring + 3);
  }
  template <class Real>
  static Real spring_energy(const SpringLaw& law, const Real* q, const double* q_spring) {
    const Vec3<Real> d = Vec3<Real>::load(q) - Vec3<Real>::load(q_spring);
    return law.energy(norm(d)) + BallJoint::spring_energy(law, q + 3, q_spring + 3);
  }
};

}  // namespace sinew
