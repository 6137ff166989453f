#pragma once

#include "collision/shape.h"
#include "geometry/signed_distance.h"
#include "math/quat.h"
#include "math/rigid.h"

// Frames of a signed distance field and of the other shape. A descent outside the field's box uses finite differences,
// which amplify rounding by 1e8: so rotations go through quaternions, which rounds as MuJoCo does.

namespace sinew {

inline Quat<double> turn_of(const Shape& s) { return normalized(rigid::raw_quat_of(s.mat)); }

inline DistanceField field_of(const Model& m, const Shape& s) {
  return {s.type, s.size, &m, s.data, plugin_shape(m, s.geom)};
}

/// Transforms a point from one shape's frame to another's.
struct Transform {
  Mat3d mat;
  Vec3d pos;

  Vec3d operator()(const Vec3d& x) const { return mat * x + pos; }
};

/// From the frame of `from` to that of `to`.
inline Transform between(const Shape& to, const Shape& from) {
  const Quat<double> inverse = conjugate(turn_of(to));
  const Vec3d origin = -rotate(inverse, to.pos);
  return {to_matrix(normalized(inverse * turn_of(from))), rotate(inverse, from.pos) + origin};
}

/// The contact at the field's local point x with the local normal pointing out of the first shape.
inline void store_field_contact(const Shape& field, const Vec3d& x, const Vec3d& normal, double dist,
                                ContactPoint& out) {
  const Quat<double> turn = turn_of(field);
  out.dist = dist;
  out.normal = rotate(turn, normal);
  out.pos = rotate(turn, x) + field.pos - out.normal * (0.5 * dist);
  out.tangent = {};
}

}  // namespace sinew
