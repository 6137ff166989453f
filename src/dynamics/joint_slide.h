#pragma once

#include "dynamics/joint_hinge.h"

namespace sinew {

/// Translation along an axis fixed in the body. q: displacement, m. Differs from a hinge only in the motion axis.
struct SlideJoint : HingeJoint {
  static constexpr int nv = joint_kind(JointType::Slide).nv;

  template <class Real>
  static void move(MovingFrame<Real>& frame, const JointPose<Real>& joint, const Real* q, const double* q0) {
    frame.pos += joint.xaxis * (q[0] - q0[0]);
  }

  /// cdof = [0; a].
  template <class Real>
  static void axes(Real* cdof, const Vec3<Real>& xaxis, const Vec3<Real>&, const Real*) {
    Motion<Real>{{}, xaxis}.store(cdof);
  }
};

}  // namespace sinew
