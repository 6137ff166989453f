#pragma once

#include "collision/shape.h"
#include "math/quat.h"

namespace sinew {

/// Rotation of the contact frame, linear in the changes of the normal n and of the preferred tangent e:
/// θ = n × dn + n (t2·de - (n·e) t2·dn) / |e - n (n·e)|.
struct FrameTurn {
  Mat3d by_normal, by_wish;

  FrameTurn(const Mat3d& frame, const Vec3d& wish) {
    const Vec3d n = frame.row(0), t2 = frame.row(2);
    const double along = dot(n, wish), length = norm(wish - n * along);
    constexpr double kAlong = 1e-9;
    // a preferred tangent along the normal leaves the tangents undetermined: they are assumed to follow the normal
    if (length > kAlong) by_wish = outer(n, t2 * (1 / length));
    by_normal = cross_matrix(n) - by_wish * along;
  }
};

/// What contact_frame uses if there is no preferred tangent.
inline Vec3d default_wish(const Vec3d& normal) {
  return normal.y < 0.5 && normal.y > -0.5 ? Vec3d{0, 1, 0} : Vec3d{0, 0, 1};
}

/// The shape after a rotation by w about a point and a translation by v.
inline Shape moved(const Shape& s, const Vec3d& about, const Vec3d& w, const Vec3d& v) {
  Shape out = s;
  const Mat3d R = to_matrix(exp(w));
  out.pos = about + R * (s.pos - about) + v;
  out.mat = R * s.mat;
  return out;
}

}  // namespace sinew
