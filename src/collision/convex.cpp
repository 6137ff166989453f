#include "collision/convex.h"

#include <cmath>

// Support functions: the farthest point in the local frame, then in the world. GJK and EPA spend most of their time
// here, so the functions write the point directly to its destination.

namespace sinew {
namespace {

/// mat x + pos
Vec3d to_world(const Convex& o, const Vec3d& x) { return o.mat * x + o.pos; }

void capsule_support(const Convex& o, const Vec3d& dir, Vec3d& out) {
  const Vec3d l = mul_transposed(o.mat, dir);
  out = to_world(o, {o.size.x * l.x, o.size.x * l.y, o.size.x * l.z + (l.z >= 0 ? o.size.y : -o.size.y)});
}

void ellipsoid_support(const Convex& o, const Vec3d& dir, Vec3d& out) {
  const Vec3d l = mul_transposed(o.mat, dir), &s = o.size;
  const Vec3d q = {l.x * s.x, l.y * s.y, l.z * s.z};
  const double q2 = dot(q, q);
  if (q2 < kMinVal * kMinVal) {
    out = o.pos + o.mat.column(0) * o.size.x;
    return;
  }
  const double inv = 1 / std::sqrt(q2);
  out = to_world(o, {inv * s.x * q.x, inv * s.y * q.y, inv * s.z * q.z});
}

void cylinder_support(const Convex& o, const Vec3d& dir, Vec3d& out) {
  const Vec3d l = mul_transposed(o.mat, dir);
  const double n2 = l.x * l.x + l.y * l.y;
  const double k = n2 >= kMinVal * kMinVal ? o.size.x / std::sqrt(n2) : 0;
  out = to_world(o, {k * l.x, k * l.y, l.z >= 0 ? o.size.y : -o.size.y});
}

void box_support(Convex& o, const Vec3d& dir, Vec3d& out) {
  const Vec3d l = mul_transposed(o.mat, dir);
  o.vertex = (l.x >= 0 ? 1 : 0) | (l.y >= 0 ? 2 : 0) | (l.z >= 0 ? 4 : 0);
  out =
      to_world(o, {l.x >= 0 ? o.size.x : -o.size.x, l.y >= 0 ? o.size.y : -o.size.y, l.z >= 0 ? o.size.z : -o.size.z});
}

void mesh_support(Convex& o, const Vec3d& dir, Vec3d& out) {
  const Vec3d local = mul_transposed(o.mat, dir);
  const HullView& hull = o.hull;
  if (!hull.graph || hull.nvert < kClimbFrom) {
    o.vertex = hull.scan(local, o.vertex);
  } else {
    o.hull_index = hull.climb(local, o.hull_index);
    o.vertex = hull.global_id(o.hull_index);
  }
  const Vec3d v = hull.vertex(o.vertex);
  out = to_world(o, v);
}

void prism_support(const Convex& o, const Vec3d& dir, Vec3d& out) {
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
  out = corner[best];
}

/// The first of the farthest corners, inflated by the radius and half the margin at once.
void element_support(const Convex& o, const Vec3d& dir, Vec3d& out) {
  int best = 0;
  double most = dot(o.prism[0], dir);
  for (int i = 1; i < o.corners; ++i) {
    const double value = dot(o.prism[i], dir);
    if (value > most) {
      most = value;
      best = i;
    }
  }
  out = o.prism[best] + dir * (o.size.x + 0.5 * o.margin);
}

void support_of(Convex& o, const Vec3d& dir, Vec3d& out) {
  switch (o.kind) {
    case ConvexKind::Point: out = o.pos; break;
    case ConvexKind::Segment: {
      const Vec3d axis = o.mat.column(2);
      out = axis * (dot(axis, dir) >= 0 ? o.size.y : -o.size.y) + o.pos;
      break;
    }
    case ConvexKind::Sphere: out = o.pos + dir * o.size.x; break;
    case ConvexKind::Capsule: capsule_support(o, dir, out); break;
    case ConvexKind::Ellipsoid: ellipsoid_support(o, dir, out); break;
    case ConvexKind::Cylinder: cylinder_support(o, dir, out); break;
    case ConvexKind::Box: box_support(o, dir, out); break;
    case ConvexKind::Mesh: mesh_support(o, dir, out); break;
    case ConvexKind::Prism: prism_support(o, dir, out); break;
    case ConvexKind::Element: return element_support(o, dir, out);
  }
  if (o.margin > 0) out += dir * (0.5 * o.margin);
}

}  // namespace

Vec3d Convex::support(const Vec3d& dir) {
  Vec3d point;
  support_of(*this, dir, point);
  return point;
}

void minkowski_support(Convex& o1, Convex& o2, const Vec3d& dir, MinkowskiVertex& out) {
  support_of(o1, dir, out.p1);
  support_of(o2, -dir, out.p2);
  out.w = out.p1 - out.p2;
  out.i1 = o1.vertex;
  out.i2 = o2.vertex;
}

}  // namespace sinew
