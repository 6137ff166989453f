#pragma once

#include "math/mat3.h"

namespace sinew {

/// A sphere, or a cylinder of infinite length along its z axis, that a tendon wraps around.
template <class Real>
struct WrapObstacle {
  bool cylinder = false;
  Real radius{};
  const Real* pos;  // pos, mat and side point into Data
  const Real* mat;
  const Real*
      side;  // the string passes on the side of this point, inside if the point is inside the sphere; may be null
};

/// The part of the string touching the obstacle: it arrives at `enter`, follows an arc, and departs at `leave`.
template <class Real>
struct WrapContact {
  Vec3<Real> enter, leave;
  Real arc{};  // m
};

/// The shortest string from x0 to x1 around the obstacle; false if the straight line is free.
template <class Real>
bool wrap_string(const WrapObstacle<Real>& obstacle, const Vec3<Real>& x0, const Vec3<Real>& x1,
                 WrapContact<Real>& contact);

}  // namespace sinew
