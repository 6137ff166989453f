#pragma once

#include "math/mat3.h"
#include "math/quat.h"
#include "math/spatial.h"
#include "sinew/data.h"

// Jacobians and derived quantities. All need com_position; the velocity forms need com_velocity.

namespace sinew {

/// The last dof that moves `body` (its weld body's, or the nearest ancestor's); -1 for a fixed body. From there
/// dof_parentid leads to the root along the dofs that move the body.
inline int last_dof(const Model& m, int body) {
  const int weld = m.body_weldid[body];
  return m.body_dofnum[weld] > 0 ? m.body_dofadr[weld] + m.body_dofnum[weld] - 1 : -1;
}

/// visit(dof, moves1, moves2) for every dof that moves one of the bodies or both, in descending order.
template <class Visit>
void for_each_dof_of_either(const Model& m, int body1, int body2, Visit&& visit) {
  int i1 = last_dof(m, body1), i2 = last_dof(m, body2);
  while (i1 >= 0 || i2 >= 0) {
    const int dof = i1 > i2 ? i1 : i2;
    const bool moves1 = i1 == dof, moves2 = i2 == dof;
    visit(dof, moves1, moves2);
    if (moves1) i1 = m.dof_parentid[i1];
    if (moves2) i2 = m.dof_parentid[i2];
  }
}

/// visit(dof, moves1) for every dof that moves exactly one of the bodies, in descending order: common dofs do not
/// change their relative pose.
template <class Visit>
void for_each_dof_between(const Model& m, int body1, int body2, Visit&& visit) {
  int i1 = last_dof(m, body1), i2 = last_dof(m, body2);
  while (i1 != i2) {
    if (i1 > i2) {
      visit(i1, true);
      i1 = m.dof_parentid[i1];
    } else {
      visit(i2, false);
      i2 = m.dof_parentid[i2];
    }
  }
}

/// Offset from the reference point of the body's kinematic tree, where cdof is expressed, to a point.
template <class Real>
Vec3<Real> from_reference(const Model& m, const BasicData<Real>& d, const Vec3<Real>& point, int body) {
  return point - Vec3<Real>::load(&d.subtree_com[3 * m.body_rootid[body]]);
}

/// Columns of the Jacobians for one dof that moves the point; `offset` is from_reference(point).
template <class Real>
Vec3<Real> jacr_column(const BasicData<Real>& d, int dof) {
  return Vec3<Real>::load(&d.cdof[6 * dof]);
}
template <class Real>
Vec3<Real> jacp_column(const BasicData<Real>& d, int dof, const Vec3<Real>& offset) {
  const Motion<Real> s = Motion<Real>::load(&d.cdof[6 * dof]);
  return s.v + cross(s.w, offset);
}

/// Rows of 3 x nv, dense: velocity of the point fixed to `body`, and angular velocity of `body`, per unit qvel.
/// Either may be null. jacr = cdof_w; jacp = cdof_v + cdof_w × (point - c).
template <class Real>
void jacobian(const Model& m, const BasicData<Real>& d, Real* jacp, Real* jacr, const Vec3<Real>& point, int body);

/// Time derivative of the above (3 x nv, dense).
template <class Real>
void jacobian_dot(const Model& m, const BasicData<Real>& d, Real* jacp, Real* jacr, const Vec3<Real>& point, int body);

/// J̇ qvel of the same: acceleration [rotation; the point's] for zero joint acceleration, without gravity.
template <class Real>
Motion<Real> bias_acceleration(const Model& m, const BasicData<Real>& d, const Vec3<Real>& point, int body);

/// qfrc += jacpᵀ force + jacrᵀ torque, along the chain of `body` only.
template <class Real>
void apply_force(const Model& m, const BasicData<Real>& d, const Vec3<Real>& force, const Vec3<Real>& torque,
                 const Vec3<Real>& point, int body, Real* qfrc);

/// A frame that moves with a body: position and orientation.
template <class Real>
struct FramePose {
  Vec3<Real> pos;
  Mat3<Real> mat;
  int body = 0;
};

/// The world pose of an object: Body means its inertial frame, XBody its body frame; Geom, Site, Camera.
template <class Real>
FramePose<Real> frame_pose(const Model& m, const BasicData<Real>& d, ObjType type, int id);

/// Velocity [w; v at the frame's position], in world axes or (local) in the frame's. Zero for a body without dofs.
template <class Real>
Motion<Real> object_velocity(const Model& m, const BasicData<Real>& d, const FramePose<Real>& frame, bool local);

/// Acceleration in the same form; includes -gravity, as an accelerometer does. Needs body_accelerations.
template <class Real>
Motion<Real> object_acceleration(const Model& m, const BasicData<Real>& d, const FramePose<Real>& frame, bool local);

}  // namespace sinew
