#pragma once

#include "math/quat.h"
#include "math/spatial.h"
#include "model/joint_kinds.h"

// Shared by the joint kinds. Each kind has the same interface; joint_table.h lists the kinds.

namespace sinew {

/// A body's frame while its joints are applied in order.
template <class Real>
struct MovingFrame {
  Vec3<Real> pos;
  Quat<Real> quat;
};

/// Axis and anchor of a joint: in the frame of its body, and in the world before the joint's own motion.
template <class Real>
struct JointPose {
  Vec3<Real> axis, pos;
  Vec3<Real> xaxis, xanchor;
  bool centered = false;  // pos is zero, as with most joints: the anchor is the frame's origin
};

/// A polynomial spring: force -x (k + p0 x + p1 x²). Scalar joints use the signed displacement x, the others |d|.
struct SpringLaw {
  double k = 0;
  double p0 = 0;
  double p1 = 0;

  bool none() const { return k == 0 && p0 == 0 && p1 == 0; }
  template <class Real>
  Real stiffness(const Real& x) const {
    return Real(k) + p0 * x + p1 * x * x;
  }
  /// J: ½ k x² + p0/3 x³ + p1/4 x⁴.
  template <class Real>
  Real energy(const Real& x) const {
    return x * x * (Real(k / 2) + (p0 / 3) * x + (p1 / 4) * x * x);
  }
};

/// -d (k + p0 |d| + p1 |d|²), for vector displacements.
template <class Real>
Vec3<Real> spring_force(const SpringLaw& spring, const Vec3<Real>& d) {
  return d * (-spring.stiffness(norm(d)));
}

/// Rotates the frame about the joint's anchor, which stays fixed.
template <class Real>
SINEW_INLINE void turn_about_anchor(MovingFrame<Real>& frame, const JointPose<Real>& joint, const Quat<Real>& turn) {
  frame.quat = frame.quat * turn;
  if (!joint.centered) frame.pos = joint.xanchor - rotate(frame.quat, joint.pos);
}

}  // namespace sinew
