#include "dynamics/wrap.h"

#include "math/dual.h"
#include "math/elementary.h"

// The problem is solved in a plane: for a cylinder the plane perpendicular to its axis, for a sphere the one through
// its center and both ends. There the obstacle is a circle of radius r about the origin, and the ends are e0 and e1.

namespace sinew {
namespace {

template <class Real>
struct Vec2 {
  Real x{}, y{};

  friend Vec2 operator+(const Vec2& a, const Vec2& b) { return {a.x + b.x, a.y + b.y}; }
  friend Vec2 operator-(const Vec2& a, const Vec2& b) { return {a.x - b.x, a.y - b.y}; }
  friend Vec2 operator*(const Vec2& a, const Real& s) { return {a.x * s, a.y * s}; }
};

template <class Real>
Real dot(const Vec2<Real>& a, const Vec2<Real>& b) {
  return a.x * b.x + a.y * b.y;
}

template <class Real>
Real cross(const Vec2<Real>& a, const Vec2<Real>& b) {
  return a.x * b.y - a.y * b.x;
}

template <class Real>
Real norm(const Vec2<Real>& a) {
  using std::sqrt;
  return sqrt(dot(a, a));
}

template <class Real>
Vec2<Real> unit(const Vec2<Real>& a) {
  const Real n = norm(a);
  if (n < kMinVal) return {Real(1), Real(0)};
  return a * (Real(1) / n);
}

/// Whether the segments p1p2 and p3p4 intersect. Parallel ones do not.
template <class Real>
bool segments_meet(const Vec2<Real>& p1, const Vec2<Real>& p2, const Vec2<Real>& p3, const Vec2<Real>& p4) {
  using std::abs;
  const Vec2<Real> a = p2 - p1, b = p4 - p3;
  const Real det = cross(a, b);
  if (abs(det) < kMinVal) return false;
  const Vec2<Real> between = p3 - p1;
  // parameters of the intersection on both segments, times det: 0 to det
  const Real s = cross(between, b), t = cross(between, a);
  return det > 0 ? s >= 0 && s <= det && t >= 0 && t <= det : s <= 0 && s >= det && t <= 0 && t >= det;
}

template <class Real>
struct PlanarContact {
  Vec2<Real> enter, leave;
  Real arc{};
};

/// Tangent points of the two paths around the circle.
template <class Real>
void tangents(const Vec2<Real>& e0, const Vec2<Real>& e1, const Real& r, PlanarContact<Real> way[2]) {
  using std::sqrt;
  const Real q0 = dot(e0, e0), q1 = dot(e1, e1);
  const Real s0 = r * sqrt(q0 - r * r), s1 = r * sqrt(q1 - r * r), inv0 = Real(1) / q0, inv1 = Real(1) / q1;
  const Vec2<Real> c0 = e0 * (r * r), t0 = Vec2<Real>{e0.y, -e0.x} * s0;
  const Vec2<Real> c1 = e1 * (r * r), t1 = Vec2<Real>{-e1.y, e1.x} * s1;
  way[0] = {(c0 + t0) * inv0, (c1 + t1) * inv1, Real(0)};
  way[1] = {(c0 - t0) * inv0, (c1 - t1) * inv1, Real(0)};
}

/// Path a passes closer to the side point than path b or, without a side point, is shorter.
template <class Real>
bool is_better(const PlanarContact<Real>& a, const PlanarContact<Real>& b, const Vec2<Real>* sd) {
  if (!sd) {
    const Vec2<Real> chord_a = a.enter - a.leave, chord_b = b.enter - b.leave;
    return dot(chord_a, chord_a) < dot(chord_b, chord_b);
  }
  // only directions matter; on opposite sides of the center the square roots are not needed
  const Vec2<Real> middle_a = a.enter + a.leave, middle_b = b.enter + b.leave;
  const Real toward_a = dot(middle_a, *sd), toward_b = dot(middle_b, *sd);
  if (toward_a > kMinVal && toward_b < -kMinVal) return true;
  if (toward_a < -kMinVal && toward_b > kMinVal) return false;
  return dot(unit(middle_a), *sd) > dot(unit(middle_b), *sd);
}

/// Around the outside. With a side point (sd on the circle) the string must pass there, even if it would otherwise miss
/// the circle; without one it takes the shorter path.
template <class Real>
bool wrap_circle(const Vec2<Real>& e0, const Vec2<Real>& e1, const Real& r, const Vec2<Real>* sd,
                 PlanarContact<Real>& contact) {
  using elementary::acos;
  if (dot(e0, e0) < r * r || dot(e1, e1) < r * r || r < kMinVal) return false;
  const Vec2<Real> line = e1 - e0;
  const Real line2 = dot(line, line);
  if (line2 < kMinVal) return false;
  const Vec2<Real> nearest = e0 + line * clip(Real(-dot(e0, line) / line2), 0, 1);
  if (dot(nearest, nearest) > r * r && (!sd || dot(*sd, nearest) >= 0)) return false;

  PlanarContact<Real> way[2];
  tangents(e0, e1, r, way);
  const bool crossed0 = segments_meet(e0, way[0].enter, e1, way[0].leave);
  const bool crossed1 = segments_meet(e0, way[1].enter, e1, way[1].leave);
  if (crossed0 && crossed1) return false;
  const auto take = [&](const PlanarContact<Real>& w, const Real& turn) {
    const Real angle = acos(clip(dot(unit(w.enter), unit(w.leave)), -1, 1));
    // this path may be the longer one around the circle
    contact = {w.enter, w.leave, r * (turn < 0 ? Real(2 * kPi) - angle : angle)};
    return true;
  };
  // the choice hardly ever changes: a predicted branch is faster than a data dependency
  if (crossed1 || (!crossed0 && is_better(way[0], way[1], sd))) return take(way[0], cross(way[0].leave, way[0].enter));
  return take(way[1], cross(way[1].enter, way[1].leave));
}

/// The root of f(z) = asin(Az) + asin(Bz) - 2 asin(z) + G below 1, by Newton's method from the right; false if it does
/// not converge. MuJoCo stops at |f| < 1e-6: the same start and steps are needed for the same digits.
template <class Real>
bool inside_angle(const Real& A, const Real& B, const Real& G, Real& z) {
  using elementary::asin;
  using std::abs;
  using std::sqrt;
  constexpr double kTolerance = 1e-6;
  constexpr int kMostIterations = 20;
  const auto f_at = [&](const Real& x) { return asin(A * x) + asin(B * x) - Real(2) * asin(x) + G; };
  const auto slope = [](const Real& a, const Real& x) {
    return a / maximum(Real(kMinVal), Real(sqrt(maximum(Real(0), Real(1) - a * a * x * x))));
  };
  z = Real(1 - 1e-7);
  Real f = f_at(z);
  if (f > 0) return false;
  int iteration = 0;
  for (; iteration < kMostIterations && abs(f) > kTolerance; ++iteration) {
    const Real df = slope(A, z) + slope(B, z) - Real(2) * slope(Real(1), z);
    if (df > -kMinVal) return false;
    const Real next = z - f / df;
    if (next > z) return false;
    z = next;
    f = f_at(z);
    if (f > kTolerance) return false;
  }
  return iteration < kMostIterations;
}

/// Inside wrapping: the string touches the circle from inside at a single point, where it is reflected.
template <class Real>
bool wrap_inside(const Vec2<Real>& e0, const Vec2<Real>& e1, const Real& r, PlanarContact<Real>& contact) {
  using elementary::acos;
  using elementary::asin;
  using elementary::sin_cos;
  const Real n0 = norm(e0), n1 = norm(e1);
  if (n0 <= r || n1 <= r || r < kMinVal) return false;
  const Vec2<Real> line = e1 - e0;
  const Real line2 = dot(line, line);
  if (line2 > kMinVal) {
    const Real foot = -dot(e0, line) / line2;
    if (foot > 0.0 && foot < 1.0 && norm(e0 + line * foot) <= r) return false;
  }
  const auto touch = [&](const Vec2<Real>& p) {
    contact = {p * r, p * r, Real(0)};
    return true;
  };
  const Vec2<Real> between = unit((e0 + e1) * Real(0.5));
  const Real A = r / n0, B = r / n1;
  const Real cos_g = (n0 * n0 + n1 * n1 - line2) / (Real(2) * n0 * n1);
  if (cos_g < -1 + kMinVal) return false;
  if (cos_g > 1 - kMinVal) return touch(between);
  Real z;
  if (!inside_angle(A, B, Real(acos(cos_g)), z)) return touch(between);
  const bool left = cross(e0, e1) > 0;
  const Vec2<Real> from = unit(left ? e0 : e1);
  const Real angle = asin(z) - asin((left ? A : B) * z);
  const auto [s, c] = sin_cos(angle);
  return touch({c * from.x - s * from.y, s * from.x + c * from.y});
}

/// Axes of the plane in the obstacle's frame.
template <class Real>
struct Plane {
  Vec3<Real> a0, a1;

  Vec2<Real> project(const Vec3<Real>& p) const { return {dot(p, a0), dot(p, a1)}; }
  Vec3<Real> lift(const Vec2<Real>& p) const { return a0 * p.x + a1 * p.y; }
};

template <class Real>
Plane<Real> wrapping_plane(bool cylinder, const Vec3<Real>& p0, const Vec3<Real>& p1) {
  using std::abs;
  if (cylinder) return {{Real(1), Real(0), Real(0)}, {Real(0), Real(1), Real(0)}};
  Plane<Real> plane;
  plane.a0 = p0;
  normalize(plane.a0);
  Vec3<Real> normal = cross(p0, p1);
  if (normalize(normal) < kMinVal) {
    // both ends on one line through the center: any plane through it, but always the same
    const Real x = abs(plane.a0.x), y = abs(plane.a0.y), z = abs(plane.a0.z);
    const int largest = y > x && y > z ? 1 : z > x && z > y ? 2 : 0;
    Vec3<Real> other(Real(1), Real(1), Real(1));
    other[largest] = Real(0);
    normal = cross(plane.a0, other);
    normalize(normal);
  }
  plane.a1 = cross(normal, plane.a0);
  normalize(plane.a1);
  return plane;
}

/// A string around a cylinder is a helix: its height is linear in the planar path length.
template <class Real>
void unroll_height(const Vec3<Real>& p0, const Vec3<Real>& p1, const PlanarContact<Real>& planar,
                   WrapContact<Real>& local) {
  using std::sqrt;
  const Real l0 = norm(Vec2<Real>{p0.x, p0.y} - planar.enter), l1 = norm(Vec2<Real>{p1.x, p1.y} - planar.leave);
  const Real total = l0 + planar.arc + l1;
  local.enter.z = p0.z + (p1.z - p0.z) * l0 / total;
  local.leave.z = p0.z + (p1.z - p0.z) * (l0 + planar.arc) / total;
  const Real rise = local.leave.z - local.enter.z;
  local.arc = sqrt(planar.arc * planar.arc + rise * rise);
}

}  // namespace

template <class Real>
bool wrap_string(const WrapObstacle<Real>& obstacle, const Vec3<Real>& x0, const Vec3<Real>& x1,
                 WrapContact<Real>& contact) {
  const Mat3<Real> mat = Mat3<Real>::load(obstacle.mat);
  const Vec3<Real> center = Vec3<Real>::load(obstacle.pos);
  const Vec3<Real> p0 = mul_transposed(mat, x0 - center), p1 = mul_transposed(mat, x1 - center);
  if (dot(p0, p0) < kMinVal * kMinVal || dot(p1, p1) < kMinVal * kMinVal) return false;
  const Plane<Real> plane = wrapping_plane(obstacle.cylinder, p0, p1);
  const Vec2<Real> e0 = plane.project(p0), e1 = plane.project(p1);

  bool inside = false;
  Vec2<Real> sd;
  if (obstacle.side) {
    const Vec3<Real> side = mul_transposed(mat, Vec3<Real>::load(obstacle.side) - center);
    inside = norm(side) < obstacle.radius;
    sd = unit(plane.project(side)) * obstacle.radius;
  }
  PlanarContact<Real> planar;
  if (inside ? !wrap_inside(e0, e1, obstacle.radius, planar)
             : !wrap_circle(e0, e1, obstacle.radius, obstacle.side ? &sd : nullptr, planar))
    return false;

  WrapContact<Real> local{plane.lift(planar.enter), plane.lift(planar.leave), planar.arc};
  if (obstacle.cylinder) unroll_height(p0, p1, planar, local);
  contact = {mat * local.enter + center, mat * local.leave + center, local.arc};
  return true;
}

template bool wrap_string(const WrapObstacle<double>&, const Vec3<double>&, const Vec3<double>&, WrapContact<double>&);

template bool wrap_string(const WrapObstacle<Dual4>&, const Vec3<Dual4>&, const Vec3<Dual4>&, WrapContact<Dual4>&);

}  // namespace sinew
