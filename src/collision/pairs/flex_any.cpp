#include <algorithm>
#include <cmath>

#include "collision/ccd.h"
#include "collision/mpr.h"
#include "collision/pairs/flex_element.h"
#include "collision/pairs/pairs.h"

// Elements of flexes against geoms and each other: segments are capsules; triangles have closed forms with sphere,
// capsule and box; everything else is convex.

namespace sinew {
namespace {

/// A segment as a capsule.
Shape capsule_of(const FlexElement& e) {
  Shape s;
  s.type = GeomType::Capsule;
  s.pos = (e.corner[0] + e.corner[1]) * 0.5;
  Vec3d axis = e.corner[0] - e.corner[1];
  s.size = {e.radius, 0.5 * normalize(axis), 0};
  for (int k = 0; k < 3; ++k) s.mat.m[3 * k + 2] = axis[k];
  s.rbound = s.size.x + s.size.y;
  return s;
}

struct Point2 {
  double x, y;
};
double dot(const Point2& a, const Point2& b) { return a.x * b.x + a.y * b.y; }
Point2 operator-(const Point2& a, const Point2& b) { return {a.x - b.x, a.y - b.y}; }

/// Sign of the area of a triangle.
int turn(const Point2& a, const Point2& b, const Point2& c) {
  const double area = (a.x - c.x) * (b.y - c.y) - (b.x - c.x) * (a.y - c.y);
  return area > 0 ? 1 : area < 0 ? -1 : 0;
}

/// The point of the segment a b nearest to p.
Point2 nearest_on_segment(const Point2& p, const Point2& a, const Point2& b) {
  const Point2 along = b - a;
  const double t = std::clamp(dot(p - a, along) / std::max(kMinVal, dot(along, along)), 0.0, 1.0);
  return {a.x + t * along.x, a.y + t * along.y};
}

/// Ball against a triangle: the ball at the point of the triangle nearest to its center.
int collide_ball_triangle(const Ball& ball, const FlexElement& t, double margin, ContactPoint* out) {
  const double reach = margin + ball.radius + t.radius;
  const Vec3d S = ball.center - t.corner[0], A = t.corner[1] - t.corner[0], B = t.corner[2] - t.corner[0];
  Vec3d N = cross(A, B);
  normalize(N);
  const double height = dot(N, S);
  if (!(std::abs(height) <= reach)) return 0;

  // in the plane of the triangle, from its first corner
  const Vec3d P = S - N * height;
  Vec3d V1 = A, V2 = cross(N, A);
  const double length = normalize(V1);
  normalize(V2);
  const Point2 o = {0, 0}, a = {length, 0}, b = {dot(V1, B), dot(V2, B)}, p = {dot(V1, P), dot(V2, P)};
  const int side = turn(p, o, a);
  Vec3d X = P;
  if (turn(p, a, b) != side || turn(p, b, o) != side) {
    const Point2 on[3] = {nearest_on_segment(p, o, a), nearest_on_segment(p, a, b), nearest_on_segment(p, b, o)};
    const double d2[3] = {dot(p - on[0], p - on[0]), dot(p - on[1], p - on[1]), dot(p - on[2], p - on[2])};
    const Point2& best = d2[0] < d2[1] && d2[0] < d2[2] ? on[0] : d2[1] < d2[2] ? on[1] : on[2];
    X = V1 * best.x + V2 * best.y;
  }
  Vec3d normal = X - S;
  const double distance = normalize(normal);
  if (!(distance <= reach)) return 0;
  const double dist = distance - ball.radius - t.radius;
  *out = {dist, ball.center + normal * (ball.radius + 0.5 * dist), normal, {}};
  return 1;
}

/// A corner of the triangle inside the box, or within the margin along its axes: out through the face it is nearest to.
int collide_box_corner(const Shape& box, const Vec3d& v, double radius, double margin, ContactPoint* out) {
  const Vec3d local = mul_transposed(box.mat, v - box.pos);
  int axis = 0;
  double most = std::abs(local.x) - box.size.x;
  for (int k = 0; k < 3; ++k) {
    const double value = std::abs(local[k]) - box.size[k];
    if (!(std::abs(local[k]) <= box.size[k] + margin + radius)) return 0;
    if (value <= most) continue;
    most = value;
    axis = k;
  }
  if (!(most - radius <= margin)) return 0;
  const Vec3d normal = box.mat.column(axis) * (local[axis] > 0 ? 1.0 : -1.0);
  const double dist = most - radius;
  *out = {dist, v - normal * (radius + 0.5 * dist), normal, {}};
  return 1;
}

int collide_box_triangle(const Shape& box, const FlexElement& t, double margin, ContactPoint* out) {
  int count = 0;
  for (int k = 0; k < 3; ++k) count += collide_box_corner(box, t.corner[k], t.radius, margin, out + count);
  for (int i = 0; i < 8; ++i) {
    Vec3d corner;
    for (int k = 0; k < 3; ++k) corner[k] = i >> k & 1 ? box.size[k] : -box.size[k];
    count += collide_ball_triangle({box.mat * corner + box.pos, 0}, t, margin, out + count);
  }
  return count;
}

/// Both ends as balls, then the triangle's corners against the open segment between them.
int collide_capsule_triangle(const Shape& capsule, const FlexElement& t, double margin, ContactPoint* out) {
  const double radius = capsule.size.x, half = capsule.size.y;
  const Vec3d axis = capsule.mat.column(2) * half;
  const Vec3d begin = capsule.pos - axis, end = capsule.pos + axis;
  int count = collide_ball_triangle({begin, radius}, t, margin, out);
  count += collide_ball_triangle({end, radius}, t, margin, out + count);
  for (int k = 0; k < 3; ++k) {
    const Vec3d& v = t.corner[k];
    const double s = dot(v - begin, end - begin) / (4 * half * half);
    if (!(s > kMinVal && s < 1 - kMinVal)) continue;
    const Vec3d on = begin + (end - begin) * s;
    Vec3d normal = v - on;
    const double distance = normalize(normal);
    if (!(distance <= radius + t.radius + margin)) continue;
    out[count++] = {distance - radius - t.radius, (on + v + normal * (radius - t.radius)) * 0.5, normal, {}};
  }
  return count;
}

/// The line between the centers of two elements' boxes separates them by more than the margin. Most elements whose
/// boxes overlap are apart, and this is cheaper than to set up GJK, which would begin with the same line.
bool elements_apart(const FlexElement& a, const FlexElement& b, double margin) {
  constexpr double kHair = 1 + 1e-9;
  const double reach = (a.radius + b.radius + margin) * kHair;
  const Vec3d dir = b.center - a.center;
  double most = dot(dir, a.corner[0]), least = dot(dir, b.corner[0]);
  for (int k = 1; k <= a.dim; ++k) most = std::max(most, dot(dir, a.corner[k]));
  for (int k = 1; k <= b.dim; ++k) least = std::min(least, dot(dir, b.corner[k]));
  const double gap = least - most;
  return gap > 0 && gap * gap > reach * reach * dot(dir, dir);
}

/// The single contact of two convex objects, both inflated by half the margin.
int collide_convex_objects(const PairContext& context, Convex& o1, Convex& o2, double margin, ContactPoint* out) {
  const Option& opt = context.model.opt;
  if (opt.disabled(kDisableNativeccd)) {
    const Penetration found = portal_penetration(o1, o2, opt.ccd_tolerance, opt.ccd_iterations);
    if (!found.found || !(norm(found.dir) > 0)) return 0;
    *out = {margin - found.depth, found.pos, found.dir, {}};
    return 1;
  }
  CcdConfig config;
  config.tolerance = opt.ccd_tolerance;
  config.iterations = opt.ccd_iterations;
  const CcdResult result = convex_distance(context.model, o1, o2, config, context.scratch);
  if (!(result.dist < 0)) return 0;
  Vec3d normal = result.x1[0] - result.x2[0];
  normalize(normal);
  *out = {margin + result.dist, (result.x1[0] + result.x2[0]) * 0.5, normal, {}};
  return 1;
}

/// A segment against sphere, capsule or box; -1 for other geoms.
int collide_segment(const PairContext& context, const Shape& geom, const FlexElement& e, double margin,
                    ContactPoint* out) {
  const Shape segment = capsule_of(e);
  switch (geom.type) {
    case GeomType::Sphere: return collide_sphere_capsule(context, geom, segment, margin, out);
    case GeomType::Capsule: return collide_capsule_capsule(context, geom, segment, margin, out);
    case GeomType::Box: {
      const int count = collide_capsule_box(context, segment, geom, margin, out);
      for (int i = 0; i < count; ++i) out[i].normal = -out[i].normal;
      return count;
    }
    default: return -1;
  }
}

/// A triangle against sphere, capsule or box; -1 for other geoms.
int collide_triangle(const Shape& geom, const FlexElement& e, double margin, ContactPoint* out) {
  switch (geom.type) {
    case GeomType::Sphere: return collide_ball_triangle({geom.pos, geom.size.x}, e, margin, out);
    case GeomType::Capsule: return collide_capsule_triangle(geom, e, margin, out);
    case GeomType::Box: return collide_box_triangle(geom, e, margin, out);
    default: return -1;
  }
}

}  // namespace

int collide_geom_element(const PairContext& context, const Shape& geom, const FlexElement& e, double margin,
                         ContactPoint* out) {
  if (geom.type == GeomType::Hfield) return collide_hfield_element(context, geom, e, margin, out);
  if (e.dim < 3) {
    const int count =
        e.dim == 1 ? collide_segment(context, geom, e, margin, out) : collide_triangle(geom, e, margin, out);
    if (count >= 0) return count;
  }
  Convex o1 = convex_of(context.model, geom, margin), o2 = convex_of(e, margin);
  const int count = collide_convex_objects(context, o1, o2, margin, out);
  if (count > 0 && e.dim == 2 && !context.model.opt.disabled(kDisableNativeccd)) mend_normal(geom, *out);
  return count;
}

int collide_elements(const PairContext& context, const FlexElement& a, const FlexElement& b, double margin,
                     ContactPoint* out) {
  if (a.dim == 1 && b.dim == 1) return collide_capsule_capsule(context, capsule_of(a), capsule_of(b), margin, out);
  if (elements_apart(a, b, margin)) return 0;
  Convex o1 = convex_of(a, margin), o2 = convex_of(b, margin);
  return collide_convex_objects(context, o1, o2, margin, out);
}

int collide_vertex_element(const PairContext& context, const Vec3d& vertex, const FlexElement& e, ContactPoint* out) {
  if (e.dim == 2) return collide_ball_triangle({vertex, e.radius}, e, 0, out);
  Shape ball;
  ball.pos = vertex;
  ball.size.x = e.radius;
  return collide_sphere_capsule(context, ball, capsule_of(e), 0, out);
}

int collide_corner_face(const FlexElement& e, int corner, ContactPoint* out) {
  // the face opposite to each corner; seen from outside, its corners are in this order
  constexpr int kFace[4][3] = {{1, 3, 2}, {0, 2, 3}, {0, 3, 1}, {0, 1, 2}};
  const Vec3d &a = e.corner[kFace[corner][0]], &b = e.corner[kFace[corner][1]], &c = e.corner[kFace[corner][2]];
  const Vec3d& v = e.corner[corner];
  Vec3d outward = cross(b - a, c - a);
  normalize(outward);
  const double height = dot(outward, v - a);
  if (!(height > -2 * e.radius)) return 0;
  *out = {-height - 2 * e.radius, v - outward * (0.5 * height), -outward, {}};
  return 1;
}

}  // namespace sinew
