#include <cmath>

#include "collision/mpr.h"

// Portal refinement ends at a triangle of support points, whose normal is inaccurate for round surfaces; the surface
// normal near the contact is better.

namespace sinew {
namespace {

/// Intersection of the ray from p, a point inside, along the normal with the ellipsoid, and its normal there, until
/// both agree.
void ellipsoid_normal_inside(const Vec3d& size, const Vec3d& p, Vec3d& normal) {
  constexpr int kMost = 30;
  constexpr double kSame = 1e-6;
  const Vec3d w = {1 / (size.x * size.x), 1 / (size.y * size.y), 1 / (size.z * size.z)};
  const auto product = [&](const Vec3d& a, const Vec3d& b) {
    return w.x * a.x * b.x + w.y * a.y * b.y + w.z * a.z * b.z;
  };
  const double c = product(p, p) - 1;
  for (int i = 0; i < kMost; ++i) {
    const double a = product(normal, normal), b = product(p, normal), discriminant = b * b - a * c;
    if (discriminant < kMinVal || a < kMinVal) return;
    const double x = (-b + std::sqrt(discriminant)) / a;
    if (x < 0) return;
    const Vec3d on = p + normal * x;
    Vec3d next = {w.x * on.x, w.y * on.y, w.z * on.z};
    normalize(next);
    const double change = norm(next - normal);
    normal = next;
    if (change < kSame) return;
  }
}

/// The normal at the point of the ellipsoid closest to p, a point outside: Newton on its Lagrange multiplier.
Vec3d ellipsoid_normal_outside(const Vec3d& size, const Vec3d& p) {
  constexpr int kMost = 30;
  constexpr double kSmall = 1e-6;
  double multiplier = 0;
  for (int i = 0; i < kMost; ++i) {
    double value = -1, slope = 0;
    for (int k = 0; k < 3; ++k) {
      const double r = 1 / (size[k] * size[k] + multiplier), ps = p[k] * size[k];
      value += ps * ps * r * r;
      slope -= 2 * ps * ps * r * r * r;
    }
    if (value < kSmall || slope > -kMinVal) break;
    const double step = -value / slope;
    if (step < kSmall) break;
    multiplier += step;
  }
  Vec3d normal;
  for (int k = 0; k < 3; ++k) normal[k] = p[k] / (size[k] * size[k] + multiplier);
  return normal;
}

/// The outward normal of a round shape's surface near a point, starting from the guess `out`; false for flat shapes,
/// and for a cylinder near its caps.
bool smooth_normal(const Shape& s, const Vec3d& point, Vec3d& out) {
  constexpr double kEnd = 0.95, kFlat = 0.25;  // of a cylinder's half length; of the distance to its side
  const Vec3d p = mul_transposed(s.mat, point - s.pos);
  switch (s.type) {
    case GeomType::Sphere: out = p; break;
    case GeomType::Capsule: out = {p.x, p.y, p.z - clip(p.z, -s.size.y, s.size.y)}; break;
    case GeomType::Ellipsoid: {
      const Vec3d q = {p.x / s.size.x, p.y / s.size.y, p.z / s.size.z};
      if (dot(q, q) > 1) {
        out = ellipsoid_normal_outside(s.size, p);
      } else {
        out = mul_transposed(s.mat, out);
        ellipsoid_normal_inside(s.size, p, out);
      }
      break;
    }
    case GeomType::Cylinder:
      if (std::abs(p.z) > kEnd * s.size.y ||
          std::abs(s.size.y - std::abs(p.z)) < kFlat * std::abs(s.size.x - std::sqrt(p.x * p.x + p.y * p.y)))
        return false;
      out = {p.x, p.y, 0};
      break;
    default: return false;
  }
  out = s.mat * out;
  normalize(out);
  return true;
}

}  // namespace

void mend_normal(const Shape& a, const Shape& b, ContactPoint& c) {
  Vec3d of_a = c.normal, of_b = -c.normal;
  const bool round_a = smooth_normal(a, c.pos, of_a), round_b = smooth_normal(b, c.pos, of_b);
  if (!round_a && !round_b) return;
  c.normal = round_a && round_b ? of_a - of_b : round_a ? of_a : -of_b;
  normalize(c.normal);
}

void mend_normal(const Shape& a, ContactPoint& c) { smooth_normal(a, c.pos, c.normal); }

}  // namespace sinew
