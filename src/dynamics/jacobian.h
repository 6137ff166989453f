#pragma once

#include "math/mat3.h"
#include "math/quat.h"
#include "math/spatial.h"
#include "sinew/data.h"

// Jacobians and what follows from them. All need com_position; the velocity forms need com_velocity.

namespace sinew {

/// The last dof that moves `body` (its weld body's, or the nearest ancestor's); -1 where nothing moves it. From there
/// dof_parentid leads to the root: the dofs that move the body.
int last_dof(const Model& m, int body);

/// Rows of 3 x nv, dense: velocity of the point that is fixed to `body`, and angular velocity of `body`, per unit qvel.
/// Either may be null. jacr = cdof_w; jacp = cdof_v + cdof_w × (point - c).
template <class Real>
void jacobian(const Model& m, const BasicData<Real>& d, Real* jacp, Real* jacr, const Vec3<Real>& point, int body);

/// Time derivative of the above (3 x nv, dense).
template <class Real>
void jacobian_dot(const Model& m, const BasicData<Real>& d, Real* jacp, Real* jacr, const Vec3<Real>& point, int body);

/// qfrc += jacpᵀ force + jacrᵀ torque, walking the chain of `body` only.
template <class Real>
void apply_force(const Model& m, const BasicData<Real>& d, const Vec3<Real>& force, const Vec3<Real>& torque,
                 const Vec3<Real>& point, int body, Real* qfrc);

/// A frame that moves with a body: where it is and how it is turned.
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

/// Acceleration of the same kind; contains -gravity, as an accelerometer does. Needs body_accelerations.
template <class Real>
Motion<Real> object_acceleration(const Model& m, const BasicData<Real>& d, const FramePose<Real>& frame, bool local);

}  // namespace sinew
