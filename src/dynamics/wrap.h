#pragma once

#include "math/mat3.h"

namespace sinew {

/// A sphere, or a cylinder of infinite length along its z axis, that a string runs around.
template <class Real>
struct WrapObstacle {
  bool cylinder = false;
  Real radius{};
  const Real* pos;  // in Data, where its geom and the site are
  const Real* mat;
  const Real*
      side;  // the string passes on the side of this point, inside if the point is inside the sphere; may be null
};

/// The part of the string that touches the obstacle: it arrives at `enter`, follows an arc, and departs at `leave`.
template <class Real>
struct WrapContact {
  Vec3<Real> enter, leave;
  Real arc{};  // m
};

/// The shortest string from x0 to x1 around the obstacle; false where the straight line is the string.
template <class Real>
bool wrap_string(const WrapObstacle<Real>& obstacle, const Vec3<Real>& x0, const Vec3<Real>& x1,
                 WrapContact<Real>& contact);

}  // namespace sinew
