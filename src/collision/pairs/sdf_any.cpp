#include <algorithm>
#include <cmath>

#include "base/arena.h"
#include "collision/halton.h"
#include "collision/pairs/field_frame.h"
#include "collision/pairs/pairs.h"
#include "geometry/signed_distance.h"

// A signed distance field against a primitive or another field: from points spread over the common box, descend to the
// deepest overlap; every distinct point inside both is a contact. Margins are not used.
//
// A is the field of the second shape, whose frame the points x are in; B that of the first, at y = R x + t.

namespace sinew {
namespace {

constexpr double kFar = 1e10;  // returned by a descent that cannot continue

/// The two fields combined, as functions of a point in the frame of the second shape.
struct FieldPair {
  DistanceField A, B;
  Transform to_b;

  struct Gradients {
    Vec3d a, b;  // both in the frame of x
  };
  double intersection(const Vec3d& x) const { return std::max(A.value(x), B.value(to_b(x))); }
  /// Negative inside both, and increasing with the distance to the closest such point elsewhere.
  double overlap(const Vec3d& x) const {
    const double a = A.value(x), b = B.value(to_b(x));
    return a + b + std::abs(std::max(a, b));
  }
  Gradients gradients(const Vec3d& x) const { return {A.gradient(x), mul_transposed(to_b.mat, B.gradient(to_b(x)))}; }

  Vec3d intersection_gradient(const Vec3d& x) const {
    return A.value(x) > B.value(to_b(x)) ? A.gradient(x) : mul_transposed(to_b.mat, B.gradient(to_b(x)));
  }
  Vec3d overlap_gradient(const Vec3d& x) const {
    const double a = A.value(x), b = B.value(to_b(x));
    const Gradients g = gradients(x);
    const double sign = std::max(a, b) > 0 ? 1 : -1;
    return g.a + g.b + (a > b ? g.a : g.b) * sign;
  }
  /// Normal of the surface where both fields are equal; false if it is undefined.
  bool midsurface_normal(const Vec3d& x, Vec3d& out) const {
    Gradients g = gradients(x);
    normalize(g.a);
    normalize(g.b);
    out = g.a - g.b;
    return normalize(out) >= kMinVal;
  }
};

/// Gradient descent with backtracking, at most `steps` steps; updates x and returns the value there.
template <class Value, class Gradient>
double descend(Vec3d& x, int steps, Value&& value, Gradient&& gradient) {
  constexpr double kSlope = 0.1, kShrink = 0.5, kLeast = 1e-4;
  double d = kFar;
  for (int step = 0; step < steps; ++step) {
    const Vec3d g = gradient(x);
    const auto usable = [](double c) { return std::abs(c) <= kFar; };
    if (!usable(g.x) || !usable(g.y) || !usable(g.z)) return kFar;
    const Vec3d start = x;
    const double before = value(start);
    double alpha = 2, wanted = -kSlope * alpha * dot(g, g);
    do {
      alpha *= kShrink;
      wanted *= kShrink;
      x = start - g * alpha;
      d = value(x);
    } while (alpha > kLeast && d - before > wanted);
    if (before < d) return d;
  }
  return d;
}

/// The intersection of the two shapes' boxes, in the frame of the first.
bool common_box(const Model& m, const Shape& a, const Shape& b, const Transform& to_a, double lo[3], double hi[3]) {
  const double* box_a = &m.geom_aabb[6 * static_cast<std::size_t>(a.geom)];
  const double* box_b = &m.geom_aabb[6 * static_cast<std::size_t>(b.geom)];
  double lo_b[3] = {1e300, 1e300, 1e300}, hi_b[3] = {-1e300, -1e300, -1e300};
  for (int i = 0; i < 8; ++i) {
    Vec3d corner;
    for (int k = 0; k < 3; ++k) corner[k] = box_b[k] + (i >> k & 1 ? box_b[3 + k] : -box_b[3 + k]);
    corner = to_a(corner);
    for (int k = 0; k < 3; ++k) {
      lo_b[k] = std::min(lo_b[k], corner[k]);
      hi_b[k] = std::max(hi_b[k], corner[k]);
    }
  }
  for (int k = 0; k < 3; ++k) {
    lo[k] = std::max(box_a[k] - box_a[3 + k], lo_b[k]);
    hi[k] = std::min(box_a[k] + box_a[3 + k], hi_b[k]);
    if (!(lo[k] <= hi[k])) return false;
  }
  return true;
}

/// Points of one pair that became contacts, in the field's frame.
struct Found {
  Vec3d* x;
  int count = 0;

  bool repeats(const Vec3d& p) const {
    return std::any_of(x, x + count, [&](const Vec3d& old) { return norm(old - p) < kMinVal; });
  }
};

}  // namespace

int collide_sdf(const PairContext& context, const Shape& a, const Shape& b, double, ContactPoint* out) {
  const Model& m = context.model;
  const FieldPair pair = {field_of(m, b), field_of(m, a), between(a, b)};
  const Transform to_b = between(b, a);
  const Transform self = between(a, a);  // rounds the starting points as MuJoCo does, which matters to differences
  double lo[3], hi[3];
  if (!common_box(m, a, b, pair.to_b, lo, hi)) return 0;

  const int points = m.opt.sdf_initpoints;
  Scratch scratch(context.scratch);
  Found found{scratch.take<Vec3d>(points)};
  for (int j = 0; j < points; ++j) {
    Vec3d x =
        to_b(self({lo[0] + (hi[0] - lo[0]) * radical_inverse(j, 2), lo[1] + (hi[1] - lo[1]) * radical_inverse(j, 3),
                   lo[2] + (hi[2] - lo[2]) * radical_inverse(j, 5)}));
    descend(
        x, m.opt.sdf_iterations, [&](const Vec3d& p) { return pair.overlap(p); },
        [&](const Vec3d& p) { return pair.overlap_gradient(p); });
    const double dist = descend(
        x, 1, [&](const Vec3d& p) { return pair.intersection(p); },
        [&](const Vec3d& p) { return pair.intersection_gradient(p); });
    Vec3d normal;
    if (!(dist <= 0) || found.repeats(x) || !pair.midsurface_normal(x, normal)) continue;
    store_field_contact(b, x, -normal, dist, out[found.count]);
    found.x[found.count++] = x;
  }
  return found.count;
}

}  // namespace sinew
