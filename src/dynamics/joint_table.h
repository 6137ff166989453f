#pragma once

#include <concepts>

#include "dynamics/joint_ball.h"
#include "dynamics/joint_free.h"
#include "dynamics/joint_hinge.h"
#include "dynamics/joint_slide.h"
#include "model/joint_kinds.h"

// How the joint kinds move their bodies. A new kind needs a row in model/joint_kinds.h, a header joint_<kind>.h with
// the functions below, and a case in visit_joint.

namespace sinew {

/// Interface of a joint kind:
///   nv             its degrees of freedom, from its row; only for kinds whose loops are unrolled
///   move           apply the joint's position to the frame of its body
///   axes           cdof: its motion axes at the reference point c, from the world axis, o = c - anchor, and the
///                  body's final xmat
///   axes_rate      cdof_dot, from the velocity v of the body before the joint; v becomes the velocity after it
///   integrate      q after moving with velocity v for a time h, in place
///   difference     the velocity that leads from q1 to q2 in a time h
///   spring         generalized force of its spring; spring_energy: J
template <class K>
concept JointMechanics = requires(MovingFrame<double>& frame, const JointPose<double>& pose, const double* in,
                                  double* out, const Vec3<double>& v3, Motion<double>& v, const SpringLaw& law) {
  { K::nv } -> std::convertible_to<int>;
  K::move(frame, pose, in, in);
  K::axes(out, v3, v3, in);
  K::axes_rate(out, v, in, in);
  K::integrate(out, in, 1.0);
  K::difference(out, in, in, 1.0);
  K::spring(out, law, in, in);
  { K::spring_energy(law, in, in) } -> std::convertible_to<double>;
};
static_assert(JointMechanics<FreeJoint> && JointMechanics<BallJoint> && JointMechanics<SlideJoint> &&
              JointMechanics<HingeJoint>);

/// visit(kind) with the joint's kind as an empty object: its functions are called as kind.move(…).
template <class Visit>
decltype(auto) visit_joint(JointType type, Visit&& visit) {
  switch (type) {
    case JointType::Free: return visit(FreeJoint{});
    case JointType::Ball: return visit(BallJoint{});
    case JointType::Slide: return visit(SlideJoint{});
    case JointType::Hinge: break;
  }
  return visit(HingeJoint{});
}

inline JointType joint_type(const Model& m, int jnt) { return static_cast<JointType>(m.jnt_type[jnt]); }

inline SpringLaw joint_spring(const Model& m, int jnt) {
  return {m.jnt_stiffness[jnt], m.jnt_stiffnesspoly[kNumPoly * jnt], m.jnt_stiffnesspoly[kNumPoly * jnt + 1]};
}

/// qpos of all joints after moving with velocity qvel for a time h (s), in place.
template <class Real>
void integrate_position(const Model& m, Real* qpos, const Real* qvel, double h);

/// The velocity that leads from qpos1 to qpos2 in a time h (s).
template <class Real>
void difference_position(const Model& m, Real* qvel, double h, const Real* qpos1, const Real* qpos2);

}  // namespace sinew
