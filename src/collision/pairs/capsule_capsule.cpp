#include "collision/pairs/pairs.h"

// Two capsules: points p_a + x1 a1 and p_b + x2 a2 with x1, x2 in [-1, 1] on the half axes a1, a2. The nearest ones
// solve  ma x1 + mb x2 = u,  mb x1 + mc x2 = v  inside the square.

namespace sinew {

int collide_capsule_capsule(const PairContext&, const Shape& a, const Shape& b, double margin, ContactPoint* out) {
  const Vec3d a1 = a.mat.column(2) * a.size.y;
  const Vec3d a2 = b.mat.column(2) * b.size.y;
  const Vec3d offset = a.pos - b.pos;
  const double ma = dot(a1, a1), mb = -dot(a1, a2), mc = dot(a2, a2);
  const double u = -dot(a1, offset), v = dot(a2, offset);
  const double det = ma * mc - mb * mb;
  const auto balls_at = [&](double x1, double x2, ContactPoint* to) {
    return collide_balls({a.pos + a1 * x1, a.size.x}, {b.pos + a2 * x2, b.size.x}, a, b, margin, to);
  };

  if (!are_parallel(det, ma, mc)) {
    double x1 = (mc * u - mb * v) / det;
    double x2 = (ma * v - mb * u) / det;
    if (x1 > 1) {
      x1 = 1;
      x2 = (v - mb) / mc;
    } else if (x1 < -1) {
      x1 = -1;
      x2 = (v + mb) / mc;
    }
    if (x2 > 1) {
      x2 = 1;
      x1 = clip((u - mb) / ma, -1, 1);
    } else if (x2 < -1) {
      x2 = -1;
      x1 = clip((u + mb) / ma, -1, 1);
    }
    return balls_at(x1, x2, out);
  }

  // parallel: each end against the other segment, until there are two contacts
  int count = 0;
  count += balls_at(1, clip((v - mb) / mc, -1, 1), out + count);
  count += balls_at(-1, clip((v + mb) / mc, -1, 1), out + count);
  if (count < 2) count += balls_at(clip((u - mb) / ma, -1, 1), 1, out + count);
  if (count < 2) count += balls_at(clip((u + mb) / ma, -1, 1), -1, out + count);
  return count;
}

}  // namespace sinew
