#pragma once

#include <optional>

#include "collision/shape.h"

// The nearest points of two convex shapes or, in penetration, the ends of the shortest way out, to rounding, with their
// derivatives. With u the outward normal, a shape's surface near such a point is x(u) + Σ a_i f_i: a piece that is
// round along some directions (∂x/∂u = R, its radii of curvature) and flat along others, f_i, to which u stays normal.
// The points x1, x2 with the normal n from the first shape to the second satisfy
//   x1(n) - x2(-n) = g n,   f_i·n = 0,      dist = -g.
// with as many equations as unknowns n, a_i. GJK and EPA solve them to a tolerance, Newton's method to rounding, and
// the implicit function theorem differentiates them.

namespace sinew {

/// A piece of a convex surface.
struct SurfacePatch {
  enum class Kind {
    Ball,  // center + radius u; radius 0: a corner
    Ring,  // center + radius u⊥/|u⊥|, u⊥ across the axis: the rim or, with the axis as a flat direction, the side
    Ellipsoid,  // center + E u/√(uᵀ E u)
  };
  Kind kind = Kind::Ball;
  Vec3d center;
  double radius = 0;
  Vec3d axis;  // Ring
  Mat3d E;     // Ellipsoid
  Vec3d flat[2];
  int nflat = 0;

  Vec3d point(const Vec3d& u) const;
  Mat3d radii(const Vec3d& u) const;  // ∂ point/∂u for unit vectors u
};

struct Witness {
  Vec3d normal, x1, x2;
  SurfacePatch patch[2];

  /// n·(x2 - x1)
  double dist() const { return dot(normal, x2 - x1); }
};

/// From a contact known to a tolerance. Empty if the nearest points are not unique, as
/// for face-face contacts, if a shape has no such description, or if they do not match the contact's.
std::optional<Witness> polish_witness(const Model& m, const Shape& a, const Shape& b, const ContactPoint& contact);

/// Motion of the nearest points with the shapes.
struct WitnessRate {
  Vec3d normal, x1, x2;
};
/// The two shapes move as rigid bodies with angular velocities w, and velocities v of their points at `about`.
struct PairMotion {
  Vec3d w[2], v[2];
};
class WitnessDerivative {
 public:
  explicit WitnessDerivative(const Witness& witness, const Vec3d& about);
  WitnessRate along(const PairMotion& motion) const;

 private:
  const Witness& witness_;
  Vec3d about_;
  Mat3d radii_[2];
};

}  // namespace sinew
