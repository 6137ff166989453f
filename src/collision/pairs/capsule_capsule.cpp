#include <cmath>

#include "collision/pairs/pairs.h"

// The distance of two capsules is that of their axes less the radii. Points p + s a and q + t b of the axes, with s and
// t in [-1, 1], have the squared distance |w + s a - t b|², w = p - q: a convex function of (s, t). Its gradient
// vanishes where
//   |a|² s - (a·b) t = -a·w,   |b|² t - (a·b) s = b·w,
// the closest points of the two lines. If one of them is beyond an end of its segment, it is clamped to that end, and
// projected onto the other segment.

namespace sinew {
namespace {

struct Nearest {
  double s = 0, t = 0;
};

/// Half axes of two segments; w is the center of the first relative to the second.
struct Segments {
  Vec3d a, b, w;
  double aa = dot(a, a), bb = dot(b, b), ab = dot(a, b), aw = dot(a, w), bw = dot(b, w);

  double determinant() const { return aa * bb - ab * ab; }
  /// Parameter of the projection of point s of a on the line of b: b·(w + s a) / |b|².
  double onto_b(double s) const { return (bw + ab * s) / bb; }
  /// Parameter of the projection of point t of b on the line of a: a·(t b - w) / |a|².
  double onto_a(double t) const { return (ab * t - aw) / aa; }

  Nearest nearest_points() const {
    const double det = determinant();
    Nearest at = {(ab * bw - bb * aw) / det, (aa * bw - ab * aw) / det};
    if (std::abs(at.s) > 1) {
      at.s = std::copysign(1, at.s);
      at.t = onto_b(at.s);
    }
    if (std::abs(at.t) > 1) {
      at.t = std::copysign(1, at.t);
      at.s = clip(onto_a(at.t), -1, 1);
    }
    return at;
  }
};

}  // namespace

int collide_capsule_capsule(const PairContext&, const Shape& a, const Shape& b, double margin, ContactPoint* out) {
  const Segments axes = {a.mat.column(2) * a.size.y, b.mat.column(2) * b.size.y, a.pos - b.pos};
  const auto balls_at = [&](const Nearest& at, ContactPoint* to) {
    return collide_balls({a.pos + axes.a * at.s, a.size.x}, {b.pos + axes.b * at.t, b.size.x}, a, b, margin, to);
  };
  if (!are_parallel(axes.determinant(), axes.aa, axes.bb)) return balls_at(axes.nearest_points(), out);

  // parallel: up to two of the four ends, each with the closest point of the other capsule
  int count = 0;
  for (const double end : {1.0, -1.0}) count += balls_at({end, clip(axes.onto_b(end), -1, 1)}, out + count);
  for (const double end : {1.0, -1.0})
    if (count < 2) count += balls_at({clip(axes.onto_a(end), -1, 1), end}, out + count);
  return count;
}

}  // namespace sinew
