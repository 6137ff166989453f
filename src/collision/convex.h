#pragma once

#include <cmath>

#include "collision/shape.h"
#include "geometry/support.h"

// A convex object as GJK and EPA see it: a centre to start from and a support function.

namespace sinew {

/// What a support function is asked for.
enum class ConvexKind : int { Point, Segment, Sphere, Capsule, Ellipsoid, Cylinder, Box, Mesh, Prism };

/// A convex object, inflated by half of its margin. It remembers the last support vertex of a mesh: the next search
/// starts there.
struct Convex {
  ConvexKind kind = ConvexKind::Point;
  Vec3d pos;
  Mat3d mat;
  Vec3d size;
  double margin = 0;             // m
  int vertex = -1;               // mesh vertex or box corner (sign bits) of the last support; -1: none
  int hull_index = -1;           // the same as an index of the hull graph
  HullView hull;                 // kind Mesh
  const Vec3d* prism = nullptr;  // kind Prism: 3 bottom points, 3 top points
  int mesh = -1;

  Vec3d center() const;
  /// The farthest point in direction `dir` (unit, world frame).
  Vec3d support(const Vec3d& dir);
};

/// A shape whose type has a support function, inflated by margin / 2.
Convex convex_of(const Model& m, const Shape& shape, double margin);

/// A point of the Minkowski difference, with the points of both objects that it came from.
struct MinkowskiVertex {
  Vec3d w;  // p1 - p2
  Vec3d p1, p2;
  int i1 = -1, i2 = -1;  // box corner or mesh vertex; -1: none
};

inline void minkowski_support(Convex& o1, Convex& o2, const Vec3d& dir, MinkowskiVertex& out) {
  out.p1 = o1.support(dir);
  out.p2 = o2.support(-dir);
  out.w = out.p1 - out.p2;
  out.i1 = o1.vertex;
  out.i2 = o2.vertex;
}

inline Vec3d Convex::center() const {
  if (kind != ConvexKind::Prism) return pos;
  Vec3d sum;
  for (int i = 0; i < 6; ++i) sum += prism[i];
  return sum * (1.0 / 6.0);
}

namespace detail {

inline Vec3d mesh_support(Convex& o, const Vec3d& local) {
  const HullView& hull = o.hull;
  if (!hull.graph || hull.nvert < kClimbFrom) {
    o.vertex = hull.scan(local, o.vertex);
    return hull.vertex(o.vertex);
  }
  int start = hull.seed(local);
  if (o.hull_index >= 0 &&
      !(hull.along(local, hull.global_id(start)) > hull.along(local, hull.global_id(o.hull_index))))
    start = o.hull_index;
  o.hull_index = hull.climb(local, start);
  o.vertex = hull.global_id(o.hull_index);
  return hull.vertex(o.vertex);
}

inline Vec3d prism_support(const Convex& o, const Vec3d& dir) {
  const Vec3d* corner = dir.z < 0 ? o.prism : o.prism + 3;
  int best = 0;
  double most = dot(corner[0], dir);
  for (int i = 1; i < 3; ++i) {
    const double value = dot(corner[i], dir);
    if (value > most) {
      most = value;
      best = i;
    }
  }
  return corner[best];
}

}  // namespace detail

inline Vec3d Convex::support(const Vec3d& dir) {
  Vec3d point;
  switch (kind) {
    case ConvexKind::Point: point = pos; break;
    case ConvexKind::Segment: {
      const Vec3d axis = mat.column(2);
      point = axis * (dot(axis, dir) >= 0 ? size.y : -size.y) + pos;
      break;
    }
    case ConvexKind::Sphere: point = pos + dir * size.x; break;
    case ConvexKind::Capsule: {
      const Vec3d l = mul_transposed(mat, dir);
      point = mat * Vec3d{size.x * l.x, size.x * l.y, size.x * l.z + (l.z >= 0 ? size.y : -size.y)} + pos;
      break;
    }
    case ConvexKind::Ellipsoid: {
      const Vec3d l = mul_transposed(mat, dir);
      const Vec3d q = {l.x * size.x, l.y * size.y, l.z * size.z};
      const double q2 = dot(q, q);
      if (q2 < kMinVal * kMinVal) {
        point = pos + mat.column(0) * size.x;
      } else {
        const double inv = 1 / std::sqrt(q2);
        point = mat * Vec3d{inv * size.x * q.x, inv * size.y * q.y, inv * size.z * q.z} + pos;
      }
      break;
    }
    case ConvexKind::Cylinder: {
      const Vec3d l = mul_transposed(mat, dir);
      const double n2 = l.x * l.x + l.y * l.y;
      const double k = n2 >= kMinVal * kMinVal ? size.x / std::sqrt(n2) : 0;
      point = mat * Vec3d{k * l.x, k * l.y, l.z >= 0 ? size.y : -size.y} + pos;
      break;
    }
    case ConvexKind::Box: {
      const Vec3d l = mul_transposed(mat, dir);
      vertex = (l.x >= 0 ? 1 : 0) | (l.y >= 0 ? 2 : 0) | (l.z >= 0 ? 4 : 0);
      point = mat * Vec3d{l.x >= 0 ? size.x : -size.x, l.y >= 0 ? size.y : -size.y, l.z >= 0 ? size.z : -size.z} + pos;
      break;
    }
    case ConvexKind::Mesh: point = mat * detail::mesh_support(*this, mul_transposed(mat, dir)) + pos; break;
    case ConvexKind::Prism: point = detail::prism_support(*this, dir); break;
  }
  if (margin > 0) point += dir * (0.5 * margin);
  return point;
}

}  // namespace sinew
