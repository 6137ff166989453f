#pragma once

#include "math/quat.h"

// Frames and rotations as the compiler computes them. They differ from those of the simulation in the threshold below
// which a length counts as zero (kCompileEps on the squared norm), and in that every product is normalized.

namespace sinew::compiling {

using Vec = Vec3<double>;
using Quat4 = Quat<double>;
using Matrix3 = Mat3<double>;

/// Divides by the norm unless it is 1 already; a vector that is too short stays as it is. Returns the norm, or 0.
double unit(Vec& v);
double unit(Quat4& q);

/// Normalized Hamilton product.
Quat4 turn(const Quat4& a, const Quat4& b);

/// The unit quaternion of a rotation matrix.
Quat4 quat_of(const Matrix3& r);

/// The smallest rotation that takes +z to v (unit length); v = -z: half a turn about x.
Quat4 quat_from_z(const Vec& v);

/// A frame in its parent.
struct Pose {
  Vec pos;
  Quat4 quat;
};

/// The pose of `child` (given in `frame`) in the parent of `frame`.
Pose compose(const Pose& frame, const Pose& child);
Pose inverse(const Pose& pose);

}  // namespace sinew::compiling
