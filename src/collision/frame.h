#pragma once

#include "collision/shape.h"

namespace sinew {

/// A right-handed frame (rows) whose first axis is `normal`, a unit vector, and whose second is as close to `tangent`
/// as possible. A tangent shorter than one half means no preference: then y, or z if the normal is close to y.
inline Mat3d contact_frame(const Vec3d& normal, Vec3d tangent) {
  if (dot(tangent, tangent) < 0.25) tangent = normal.y < 0.5 && normal.y > -0.5 ? Vec3d{0, 1, 0} : Vec3d{0, 0, 1};
  tangent -= normal * dot(normal, tangent);
  normalize(tangent);
  const Vec3d third = cross(normal, tangent);
  Mat3d frame;
  normal.store(frame.m);
  tangent.store(frame.m + 3);
  third.store(frame.m + 6);
  return frame;
}

}  // namespace sinew
