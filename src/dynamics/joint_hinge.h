#pragma once

#include "dynamics/joint_base.h"

namespace sinew {

/// Rotation about an axis fixed in the body. q: angle, rad.
struct HingeJoint {
  static constexpr int nv = joint_kind(JointType::Hinge).nv;

  template <class Real>
  static void move(MovingFrame<Real>& frame, const JointPose<Real>& joint, const Real* q, const double* q0) {
    turn_about_anchor(frame, joint, axis_angle(joint.axis, Real(q[0] - q0[0])));
  }

  /// cdof = [a; a × o], o from the anchor to the reference point.
  template <class Real>
  static void axes(Real* cdof, const Vec3<Real>& xaxis, const Vec3<Real>& o, const Real*) {
    Motion<Real>{xaxis, cross(xaxis, o)}.store(cdof);
  }

  template <class Real>
  static void axes_rate(Real* cdof_dot, Motion<Real>& v, const Real* cdof, const Real* qvel) {
    const Motion<Real> s = Motion<Real>::load(cdof);
    cross_motion(v, s).store(cdof_dot);
    v += s * qvel[0];
  }

  template <class Real>
  static void integrate(Real* q, const Real* v, double h) {
    q[0] += h * v[0];
  }
  template <class Real>
  static void difference(Real* v, const Real* q1, const Real* q2, double h) {
    v[0] = (q2[0] - q1[0]) / h;
  }
  template <class Real>
  static void spring(Real* force, const SpringLaw& law, const Real* q, const double* q_spring) {
    const Real x = q[0] - q_spring[0];
    force[0] = -x * law.stiffness(x);
  }
  template <class Real>
  static Real spring_energy(const SpringLaw& law, const Real* q, const double* q_spring) {
    return law.energy(Real(q[0] - q_spring[0]));
  }
};

}  // namespace sinew
