#pragma once

#include <cstdint>
#include <string_view>

#include "model/kind_table.h"
#include "sinew/model.h"

// The kinds of joints: their properties used by reader, compiler, constraints and derivatives. The mechanics of a kind
// are in dynamics/joint_<kind>.h.

namespace sinew {

/// What jnt_range limits.
enum class JointLimit : std::uint8_t {
  None,      // nothing: the joint has no limit
  Interval,  // the position, from both sides
  Angle      // the angle of the rotation, from above
};

struct JointKind {
  JointType type;
  std::string_view word;  // in MJCF
  int nq;                 // size of its position
  int nv;                 // its degrees of freedom
  int translations;       // how many of them are translations; these come first, also in the position
  JointLimit limit;
  bool floating;  // the position is the body's pose in the world: no anchor, the world as parent, and no
                  // other joint in the body

  constexpr int rotations() const { return nv - translations; }
  /// It rotates in space: a quaternion after the translations of its position, three angular velocities after those of
  /// its dofs.
  constexpr bool has_quaternion() const { return nq > nv; }
  /// It rotates in space and does not translate.
  constexpr bool is_ball() const { return has_quaternion() && translations == 0; }
  /// One coordinate, along or about jnt_axis.
  constexpr bool is_scalar() const { return nv == 1; }
  /// Position and range are angles, which MJCF may give in degrees.
  constexpr bool has_angular_position() const { return is_scalar() && rotations() == 1; }
  constexpr bool has_angular_range() const { return limit != JointLimit::None && rotations() > 0; }
};

inline constexpr JointKind kJointKinds[] = {
    // type             word     nq nv translations  limit                 floating
    {JointType::Free, "free", 7, 6, 3, JointLimit::None, true},
    {JointType::Ball, "ball", 4, 3, 0, JointLimit::Angle, false},
    {JointType::Slide, "slide", 1, 1, 1, JointLimit::Interval, false},
    {JointType::Hinge, "hinge", 1, 1, 0, JointLimit::Interval, false},
};
static_assert(rows_stand_at_their_type(kJointKinds));

constexpr const JointKind& joint_kind(JointType type) { return kJointKinds[static_cast<std::size_t>(type)]; }
inline const JointKind& joint_kind(const Model& m, int jnt) {
  return kJointKinds[static_cast<std::size_t>(m.jnt_type[jnt])];
}

/// Address of the joint's quaternion in qpos, -1: none.
inline int quaternion_address(const Model& m, int jnt) {
  const JointKind& kind = joint_kind(m, jnt);
  return kind.has_quaternion() ? m.jnt_qposadr[jnt] + kind.translations : -1;
}

/// The dof is one of the three of a rotation in space.
inline bool turns_quaternion(const Model& m, int dof) {
  const int jnt = m.dof_jntid[dof];
  const JointKind& kind = joint_kind(m, jnt);
  return kind.has_quaternion() && dof >= m.jnt_dofadr[jnt] + kind.translations;
}

}  // namespace sinew
