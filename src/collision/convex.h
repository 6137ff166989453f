#pragma once

#include "collision/shape.h"
#include "geometry/support.h"

// A convex object as seen by GJK and EPA: a center to start from and a support function.

namespace sinew {

/// Selects the support function.
enum class ConvexKind : int { Point, Segment, Sphere, Capsule, Ellipsoid, Cylinder, Box, Mesh, Prism, Element };

/// A convex object, inflated by half of its margin. It stores the last support vertex of a mesh, where the next search
/// starts.
struct Convex {
  ConvexKind kind = ConvexKind::Point;
  Vec3d pos;
  Mat3d mat;
  Vec3d size;
  double margin = 0;             // m
  int vertex = -1;               // mesh vertex or box corner (sign bits) of the last support; -1: none
  int hull_index = -1;           // the same as an index of the hull graph
  HullView hull;                 // kind Mesh
  const Vec3d* prism = nullptr;  // kind Prism: 3 bottom points, 3 top points; Element: its corners
  int corners = 0;               // kind Element, inflated by size.x
  int mesh = -1;

  Vec3d center() const;
  /// The farthest point in direction `dir` (unit, world frame).
  Vec3d support(const Vec3d& dir);
};

/// A shape whose type has a support function, inflated by margin / 2.
Convex convex_of(const Model& m, const Shape& shape, double margin);

/// A point of the Minkowski difference, with the corresponding points of both objects.
struct MinkowskiVertex {
  Vec3d w;  // p1 - p2
  Vec3d p1, p2;
  int i1 = -1, i2 = -1;  // box corner or mesh vertex; -1: none
};

/// The farthest point of o1 along dir minus that of o2 along -dir.
void minkowski_support(Convex& o1, Convex& o2, const Vec3d& dir, MinkowskiVertex& out);

inline Vec3d Convex::center() const {
  if (kind != ConvexKind::Prism) return pos;
  Vec3d sum;
  for (int i = 0; i < 6; ++i) sum += prism[i];
  return sum * (1.0 / 6.0);
}

}  // namespace sinew
