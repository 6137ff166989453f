#include <cmath>

#include "collision/pairs/pairs.h"
#include "geometry/support.h"

// A plane against any other type. N is the plane's normal (its z axis), h(x) = N·(x - p_plane) the height above it.

namespace sinew {
namespace {

Vec3d plane_normal(const Shape& plane) { return plane.mat.column(2); }

/// The contact of the point `x` at height `dist`: halfway between the point and the plane.
void point_contact(const Vec3d& normal, const Vec3d& x, double dist, ContactPoint& out) {
  out.dist = dist;
  out.pos = x - normal * (0.5 * dist);
  out.normal = normal;
  out.tangent = {};
}

}  // namespace

int collide_plane_ball(const Vec3d& normal, const Vec3d& point, const Ball& ball, double margin, ContactPoint* out) {
  const double height = dot(normal, ball.center - point);
  if (!(height <= margin + ball.radius)) return 0;
  out->dist = height - ball.radius;
  out->pos = ball.center - normal * (0.5 * out->dist + ball.radius);
  out->normal = normal;
  out->tangent = {};
  return 1;
}

int collide_plane_sphere(const PairContext&, const Shape& a, const Shape& b, double margin, ContactPoint* out) {
  return collide_plane_ball(plane_normal(a), a.pos, {b.pos, b.size.x}, margin, out);
}

// The capsule's two end balls; the axis is the preferred first tangent.
int collide_plane_capsule(const PairContext&, const Shape& a, const Shape& b, double margin, ContactPoint* out) {
  const Vec3d normal = plane_normal(a);
  const Vec3d axis = b.mat.column(2);
  int count = 0;
  for (const double side : {1.0, -1.0}) {
    const Ball end = {b.pos + axis * (side * b.size.y), b.size.x};
    if (collide_plane_ball(normal, a.pos, end, margin, out + count)) out[count++].tangent = axis;
  }
  return count;
}

// The deepest rim point, the opposite point on the other cap, and two more points that form an equilateral triangle
// with the deepest on the lower cap.
int collide_plane_cylinder(const PairContext&, const Shape& a, const Shape& b, double margin, ContactPoint* out) {
  const Vec3d normal = plane_normal(a);
  const double radius = b.size.x, half = b.size.y;
  Vec3d axis = b.mat.column(2);
  double along = dot(normal, axis);
  if (along > 0) {  // make the axis point towards the plane
    axis = -axis;
    along = -along;
  }
  const double height = dot(b.pos - a.pos, normal);

  // from the axis to the rim, in the steepest direction; a cap parallel to the plane has no lowest point: use its x
  // axis
  Vec3d rim = axis * along - normal;
  const double length = norm(rim);
  rim = length >= kMinVal ? rim * (radius / length) : b.mat.column(0) * radius;
  const double rim_height = dot(rim, normal);
  axis *= half;
  along *= half;

  int count = 0;
  double dist = height + along + rim_height;
  if (!(dist <= margin)) return 0;
  point_contact(normal, b.pos + rim + axis, dist, out[count++]);

  dist = height - along + rim_height;
  if (dist <= margin) point_contact(normal, b.pos + rim - axis, dist, out[count++]);

  dist = height + along - 0.5 * rim_height;
  if (dist <= margin) {
    Vec3d side = cross(rim, axis);
    normalize(side);
    side *= radius * std::sqrt(3.0) / 2;
    point_contact(normal, b.pos + side + axis - rim * 0.5, dist, out[count++]);
    point_contact(normal, b.pos - side + axis - rim * 0.5, dist, out[count++]);
  }
  return count;
}

// The first four corners below the center, in the order of their sign bits.
int collide_plane_box(const PairContext&, const Shape& a, const Shape& b, double margin, ContactPoint* out) {
  const Vec3d normal = plane_normal(a);
  const double height = dot(b.pos - a.pos, normal);
  int count = 0;
  for (int i = 0; i < 8 && count < 4; ++i) {
    const Vec3d local = {i & 1 ? b.size.x : -b.size.x, i & 2 ? b.size.y : -b.size.y, i & 4 ? b.size.z : -b.size.z};
    const Vec3d corner = b.mat * local;
    const double offset = dot(normal, corner);
    if (!(height + offset <= margin) || offset > 0) continue;
    point_contact(normal, corner + b.pos, height + offset, out[count++]);
  }
  return count;
}

int collide_plane_ellipsoid(const PairContext&, const Shape& a, const Shape& b, double margin, ContactPoint* out) {
  const Vec3d normal = plane_normal(a);
  const Vec3d down = mul_transposed(b.mat, -normal);
  Vec3d point = {down.x * b.size.x, down.y * b.size.y, down.z * b.size.z};
  normalize(point);
  point = {point.x * b.size.x, point.y * b.size.y, point.z * b.size.z};
  const Vec3d lowest = b.mat * point + b.pos;
  const double dist = dot(normal, lowest - a.pos);
  if (!(dist <= margin)) return 0;
  point_contact(normal, lowest, dist, *out);
  return 1;
}

// The lowest vertex, then up to two more within the margin and not too close to the first contact: neighbors of the
// lowest one on the hull, or any vertex of a mesh without a hull.
int collide_plane_mesh(const PairContext& context, const Shape& a, const Shape& b, double margin, ContactPoint* out) {
  constexpr int kMost = 3;
  constexpr double kApart = 0.3;  // of the bounding radius
  const Vec3d normal = plane_normal(a);
  const Vec3d down = mul_transposed(b.mat, -normal);
  const HullView hull = hull_of(context.model, b.data);
  const int lowest = hull.graph && hull.nvert >= kClimbFrom ? hull.climb_from(down, 0) : hull.scan(down, -1);
  if (lowest < 0) return 0;
  const int first = hull.graph && hull.nvert >= kClimbFrom ? hull.global_id(lowest) : lowest;

  const Vec3d point = b.mat * hull.vertex(first) + b.pos;
  const double dist = dot(normal, point - a.pos);
  if (!(dist <= margin)) return 0;
  point_contact(normal, point, dist, out[0]);

  int count = 1;
  const double least = dot(normal, b.pos - a.pos) - margin;
  const auto consider = [&](int vertex) {
    const Vec3d local = hull.vertex(vertex);
    if (!(dot(down, local) > least)) return;
    const Vec3d x = b.mat * local + b.pos;
    if (norm(x - out[0].pos) < kApart * b.rbound) return;
    point_contact(normal, x, dot(normal, x - a.pos), out[count++]);
  };
  if (!hull.graph) {
    for (int i = 0; i < hull.nvert && count < kMost; ++i)
      if (i != lowest) consider(i);
    return count;
  }
  // A mesh below kClimbFrom vertices was scanned, so `lowest` is a vertex id, but it is used as a hull index here: the
  // reference engine does so, and its contacts depend on it. Such an index may be out of range.
  for (const int* edge = hull.neighbours(lowest); count < kMost && edge && hull.inside(edge) && *edge >= 0; ++edge) {
    const int vertex = hull.global_id(*edge);
    if (vertex >= 0 && vertex < hull.nvert) consider(vertex);
  }
  return count;
}

}  // namespace sinew
