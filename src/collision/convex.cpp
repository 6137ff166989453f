#include "collision/convex.h"

#include <cmath>

// Support functions. They take most of the time of GJK and EPA: x and y of a vector are computed side by side, z alone,
// each with the operations of a matrix product in their order.

namespace sinew {
namespace {

using Lanes = double __attribute__((vector_size(16)));

/// A vector as (x, y) and z.
struct Split {
  Lanes xy;
  double z;
};

Vec3d joined(const Split& s) { return {s.xy[0], s.xy[1], s.z}; }

/// transpose(a) * v
Split to_local(const Mat3d& a, const Vec3d& v) {
  const auto row = [&](int i) { return Lanes{a.m[3 * i], a.m[3 * i + 1]}; };
  return {row(0) * v.x + row(1) * v.y + row(2) * v.z, a.m[2] * v.x + a.m[5] * v.y + a.m[8] * v.z};
}

/// a * (x, y, z) + pos
void to_world(const Convex& o, double x, double y, double z, Vec3d& out) {
  const double* m = o.mat.m;
  const auto column = [&](int i) { return Lanes{m[i], m[3 + i]}; };
  const Lanes xy = column(0) * x + column(1) * y + column(2) * z + Lanes{o.pos.x, o.pos.y};
  out = {xy[0], xy[1], m[6] * x + m[7] * y + m[8] * z + o.pos.z};
}

void capsule_support(const Convex& o, const Vec3d& dir, Vec3d& out) {
  const Split l = to_local(o.mat, dir);
  const Lanes xy = o.size.x * l.xy;
  to_world(o, xy[0], xy[1], o.size.x * l.z + (l.z >= 0 ? o.size.y : -o.size.y), out);
}

void ellipsoid_support(const Convex& o, const Vec3d& dir, Vec3d& out) {
  const Split l = to_local(o.mat, dir);
  const Lanes size = {o.size.x, o.size.y};
  const Lanes q = l.xy * size;
  const double qz = l.z * o.size.z;
  const double q2 = q[0] * q[0] + q[1] * q[1] + qz * qz;
  if (q2 < kMinVal * kMinVal) {
    out = o.pos + o.mat.column(0) * o.size.x;
    return;
  }
  const double inv = 1 / std::sqrt(q2);
  const Lanes xy = inv * size * q;
  to_world(o, xy[0], xy[1], inv * o.size.z * qz, out);
}

void cylinder_support(const Convex& o, const Vec3d& dir, Vec3d& out) {
  const Split l = to_local(o.mat, dir);
  const Lanes squares = l.xy * l.xy;
  const double n2 = squares[0] + squares[1];
  const double k = n2 >= kMinVal * kMinVal ? o.size.x / std::sqrt(n2) : 0;
  const Lanes xy = k * l.xy;
  to_world(o, xy[0], xy[1], l.z >= 0 ? o.size.y : -o.size.y, out);
}

void box_support(Convex& o, const Vec3d& dir, Vec3d& out) {
  const Vec3d l = joined(to_local(o.mat, dir));
  o.vertex = (l.x >= 0 ? 1 : 0) | (l.y >= 0 ? 2 : 0) | (l.z >= 0 ? 4 : 0);
  to_world(o, l.x >= 0 ? o.size.x : -o.size.x, l.y >= 0 ? o.size.y : -o.size.y, l.z >= 0 ? o.size.z : -o.size.z, out);
}

void mesh_support(Convex& o, const Vec3d& dir, Vec3d& out) {
  const Vec3d local = joined(to_local(o.mat, dir));
  const HullView& hull = o.hull;
  if (!hull.graph || hull.nvert < kClimbFrom) {
    o.vertex = hull.scan(local, o.vertex);
  } else {
    o.hull_index = hull.climb(local, o.hull_index);
    o.vertex = hull.global_id(o.hull_index);
  }
  const Vec3d v = hull.vertex(o.vertex);
  to_world(o, v.x, v.y, v.z, out);
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
