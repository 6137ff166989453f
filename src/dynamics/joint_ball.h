#pragma once

#include "dynamics/joint_base.h"

namespace sinew {

/// Rotation about a point. q: quaternion, normalized on use; v: angular velocity in the body frame.
struct BallJoint {
  static constexpr int nv = joint_kind(JointType::Ball).nv;

  template <class Real>
  static void move(MovingFrame<Real>& frame, const JointPose<Real>& joint, const Real* q, const double*) {
    turn_about_anchor(frame, joint, normalized(Quat<Real>::load(q)));
  }

  /// cdof_k = [x_k; x_k × o], x_k the axes of the body frame after all of its joints.
  template <class Real>
  static void axes(Real* cdof, const Vec3<Real>&, const Vec3<Real>& o, const Real* xmat) {
    for (int k = 0; k < 3; ++k) {
      const Vec3<Real> a = {xmat[k], xmat[3 + k], xmat[6 + k]};
      Motion<Real>{a, cross(a, o)}.store(cdof + 6 * k);
    }
  }

  /// All three rates use the velocity before the joint.
  template <class Real>
  static void axes_rate(Real* cdof_dot, Motion<Real>& v, const Real* cdof, const Real* qvel) {
    Motion<Real> relative{};
    for (int k = 0; k < 3; ++k) {
      const Motion<Real> s = Motion<Real>::load(cdof + 6 * k);
      cross_motion(v, s).store(cdof_dot + 6 * k);
      relative += s * qvel[k];
    }
    v += relative;
  }

  template <class Real>
  static void integrate(Real* q, const Real* v, double h) {
    sinew::integrate(Quat<Real>::load(q), Vec3<Real>::load(v), h).store(q);
  }
  template <class Real>
  static void difference(Real* v, const Real* q1, const Real* q2, double h) {
    (subtract(Quat<Real>::load(q2), Quat<Real>::load(q1)) * Real(1 / h)).store(v);
  }
  template <class Real>
  static void spring(Real* force, const SpringLaw& law, const Real* q, const double* q_spring) {
    const Quat<Real> unit = normalized(Quat<Real>::load(q));
    spring_force(law, subtract(unit, Quat<Real>::load(q_spring))).store(force);
  }
  /// Unlike the force, MuJoCo's energy does not normalize the quaternion.
  template <class Real>
  static Real spring_energy(const SpringLaw& law, const Real* q, const double* q_spring) {
    return law.energy(norm(subtract(Quat<Real>::load(q), Quat<Real>::load(q_spring))));
  }
};

}  // namespace sinew
