#pragma once

#include <string_view>

#include "math/quat.h"
#include "sinew/constants.h"

// Frames and rotations as the compiler and the reader compute them. They differ from those of the simulation in the
// threshold below which a length counts as zero (kCompileEps on the squared norm), and in that every product is
// normalized.

namespace sinew::rigid {

using Vec = Vec3<double>;
using Quat4 = Quat<double>;
using Matrix3 = Mat3<double>;

/// Divides by the norm unless it is already 1; a vector that is too short is left unchanged. Returns the norm, or 0.
double unit(Vec& v);
double unit(Quat4& q);

/// Normalized Hamilton product.
Quat4 turn(const Quat4& a, const Quat4& b);

/// The unit quaternion of a rotation matrix; raw: with the length that rounding left it.
Quat4 quat_of(const Matrix3& r);
Quat4 raw_quat_of(const Matrix3& r);

/// The smallest rotation that takes +z to v (unit length); v = -z: half a turn about x.
Quat4 quat_from_z(const Vec& v);

/// Rotation by three angles (radians) about the axes that the letters name: a lower-case letter rotates about the axis
/// of the frame as rotated so far, an upper-case one about the fixed axis.
Quat4 euler_rotation(std::string_view sequence, const Vec& angles);

/// A frame in its parent.
struct Pose {
  Vec pos;
  Quat4 quat;
};

/// The pose of `child` (given in `frame`) in the parent of `frame`.
Pose compose(const Pose& frame, const Pose& child);
Pose inverse(const Pose& pose);

}  // namespace sinew::rigid
