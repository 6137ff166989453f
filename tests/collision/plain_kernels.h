#pragma once

#include <cmath>
#include <vector>

#include "collision/broadphase_sweep.h"
#include "collision/near_spheres.h"
#include "collision/touching.h"
#include "collision/triangle.h"

// The plain text of the kernels of src/collision, in the terms of their formulas: what they give, bit for bit.

namespace sinew::plain {

/// near_pairs: bodies may collide and masks match (filter.h), |x_j - x_i| <= r_i + r_j, or n·(x_j - x_i) <= r_j + reach
/// above the plane with normal n that the first geom is.
inline std::vector<int> near_pairs(const SphereCandidates& c, const double* geom_xmat) {
  std::vector<int> near;
  for (int i = 0; i < c.count; ++i)
    for (int j = c.end[c.body[i]]; j < c.count; ++j) {
      const bool masks = (c.contype[i] & c.conaffinity[j]) != 0 || (c.conaffinity[i] & c.contype[j]) != 0;
      const bool tied = c.weld[i] == c.weld[j] || c.weld[j] == c.parent[i] || c.parent[j] == c.weld[i];
      if (!masks || tied || (c.moves[i] == 0 && c.moves[j] == 0)) continue;
      const Vec3d offset = {c.x[j] - c.x[i], c.y[j] - c.y[i], c.z[j] - c.z[i]};
      const double* mat = geom_xmat + 9 * c.geom[i];
      const double radii = c.radius[j] + c.radius[i];
      const bool meets = c.type[i] == static_cast<int>(GeomType::Plane)
                             ? dot(Vec3d{mat[2], mat[5], mat[8]}, offset) <= c.radius[j] + c.reach[i]
                             : dot(offset, offset) <= radii * radii;
      if (meets) near.push_back(i << 8 | j);
    }
  return near;
}

/// body_pairs: every two bodies that may collide, whose boxes overlap by more than a touch.
inline std::vector<BodyPair> body_pairs(const Model& m, const Data& d, const Bounds& bounds) {
  std::vector<BodyPair> pairs;
  TouchingRule touching(m, d);
  std::vector<int> bodies;
  for (int b = 0; b < m.nbody; ++b)
    if (body_is_collidable(m, b) && (meets_every_body(m, b) || bounds.body[b].finite())) bodies.push_back(b);
  for (const int a : bodies)
    for (const int b : bodies) {
      if (a >= b || !bodies_may_collide({m, {}, a}, {m, {}, b})) continue;
      const Box &first = bounds.body[a], &second = bounds.body[b];
      const bool everywhere = meets_every_body(m, a) || meets_every_body(m, b);
      if (everywhere || (overlap_depth(first, second) >= 0 && !touching.drops({a, b}, first, second)))
        pairs.push_back({a, b});
    }
  return pairs;
}

/// signed_areas: twice the areas of p b c, p c a and p a b in the coordinate plane in which a b c is largest.
inline double signed_areas(const Vec3d& a, const Vec3d& b, const Vec3d& c, const Vec3d& p, double area[3]) {
  const auto whole = [&](int x, int y) {
    return b[x] * c[y] - b[y] * c[x] - a[x] * c[y] + a[y] * c[x] + a[x] * b[y] - a[y] * b[x];
  };
  const double yz = whole(1, 2), xz = whole(0, 2), xy = whole(0, 1);
  const bool by_yz = std::abs(yz) >= std::abs(xz) && std::abs(yz) >= std::abs(xy);
  const bool by_xz = !by_yz && std::abs(xz) >= std::abs(xy);
  const int x = by_yz ? 1 : 0, y = by_yz || by_xz ? 2 : 1;
  const auto with_p = [&](const Vec3d& u, const Vec3d& v) {
    return p[x] * u[y] + p[y] * v[x] + u[x] * v[y] - p[x] * v[y] - p[y] * u[x] - v[x] * u[y];
  };
  area[0] = with_p(b, c);
  area[1] = with_p(c, a);
  area[2] = with_p(a, b);
  return by_yz ? yz : by_xz ? xz : xy;
}

/// outward_projections, of one triangle: q = n (n·v)/(n·n) with n the normal, turned by the sign of q·arm.
inline bool outward_projection(const Vec3d& apex, const Vec3d& arm, const Vec3d& second, const Vec3d& third, Vec3d& q,
                               double& d2) {
  const Vec3d n = cross(apex - second, second - third);
  const double nv = dot(n, second), nn = dot(n, n);
  if (!(nn > kMinVal) || nv == 0) return false;
  q = n * (nv / nn);
  if (dot(q, arm) < 0) q = -q;
  d2 = dot(q, q);
  return true;
}

}  // namespace sinew::plain
