#include <cmath>

#include "collision/pairs/pairs.h"

// A sphere against sphere, capsule, cylinder and box.

namespace sinew {

int collide_balls(const Ball& a, const Ball& b, const Shape& shape_a, const Shape& shape_b, double margin,
                  ContactPoint* out) {
  const Vec3d between = b.center - a.center;
  const double reach = margin + a.radius + b.radius;
  const double distance2 = dot(between, between);
  if (!(distance2 <= reach * reach)) return 0;

  out->normal = between;
  const double distance = normalize(out->normal);
  if (distance < kMinVal) {
    out->normal = cross(shape_a.mat.column(2), shape_b.mat.column(2));
    normalize(out->normal);
  }
  out->dist = distance - a.radius - b.radius;
  out->pos = a.center + out->normal * (a.radius + 0.5 * out->dist);
  out->tangent = {};
  return 1;
}

int collide_sphere_sphere(const PairContext&, const Shape& a, const Shape& b, double margin, ContactPoint* out) {
  return collide_balls({a.pos, a.size.x}, {b.pos, b.size.x}, a, b, margin, out);
}

// The sphere against the ball at the closest point of the capsule's segment.
int collide_sphere_capsule(const PairContext&, const Shape& a, const Shape& b, double margin, ContactPoint* out) {
  const Vec3d axis = b.mat.column(2);
  const double x = clip(dot(axis, a.pos - b.pos), -b.size.y, b.size.y);
  return collide_balls({a.pos, a.size.x}, {b.pos + axis * x, b.size.x}, a, b, margin, out);
}

// Closest feature of the cylinder: its side, a cap, or the rim between them.
int collide_sphere_cylinder(const PairContext&, const Shape& a, const Shape& b, double margin, ContactPoint* out) {
  const double radius = b.size.x, half = b.size.y;
  const Ball ball = {a.pos, a.size.x};
  const Vec3d axis = b.mat.column(2);
  const Vec3d offset = a.pos - b.pos;
  const double x = dot(axis, offset);
  const Vec3d radial = offset - axis * x;
  const double radial2 = dot(radial, radial);

  bool side = std::abs(x) < half;
  bool cap = radial2 < radius * radius;
  if (side && cap) {  // the center is inside: the closer surface
    if (half - std::abs(x) < radius - std::sqrt(radial2)) {
      side = false;
    } else {
      cap = false;
    }
  }
  const double sign = x > 0 ? 1 : -1;
  if (side) return collide_balls(ball, {b.pos + axis * x, radius}, a, b, margin, out);
  if (cap) {
    if (!collide_plane_ball(axis * sign, b.pos + axis * (sign * half), ball, margin, out)) return 0;
    out->normal = -out->normal;
    return 1;
  }
  const Vec3d rim = b.pos + radial * (radius / std::sqrt(radial2)) + axis * (sign * half);
  return collide_balls(ball, {rim, 0}, a, b, margin, out);
}

int collide_ball_box(const Ball& ball, const Shape& box, double margin, ContactPoint* out) {
  const Vec3d center = mul_transposed(box.mat, ball.center - box.pos);
  Vec3d nearest = center;
  for (int i = 0; i < 3; ++i)
    if (box.size[i] > 0) nearest[i] = clip(center[i], -box.size[i], box.size[i]);
  Vec3d toward = nearest - center;
  const double distance = normalize(toward);
  if (!(distance - ball.radius <= margin)) return 0;

  Vec3d pos;
  if (distance > kMinVal) {
    pos = (nearest + center + toward * ball.radius) * 0.5;
    out->normal = box.mat * toward;
    out->dist = distance - ball.radius;
  } else {  // the center is inside: out through the closest face
    double closest = 2 * (box.size.x + box.size.y + box.size.z);
    int face = 0;
    for (int i = 0; i < 6; ++i) {
      const double to_face = std::abs((i & 1 ? 1 : -1) * box.size[i / 2] - center[i / 2]);
      if (to_face < closest) {
        closest = to_face;
        face = i;
      }
    }
    Vec3d inward;
    inward[face / 2] = face & 1 ? -1 : 1;
    pos = center + inward * (0.5 * (ball.radius - closest));
    out->normal = box.mat * inward;
    out->dist = -closest - ball.radius;
  }
  out->pos = box.mat * pos + box.pos;
  out->tangent = {};
  return 1;
}

int collide_sphere_box(const PairContext&, const Shape& a, const Shape& b, double margin, ContactPoint* out) {
  return collide_ball_box({a.pos, a.size.x}, b, margin, out);
}

}  // namespace sinew
