#pragma once

#include <cmath>
#include <limits>

#include "collision/shape.h"

// Triangles of the Minkowski difference, for GJK and EPA. Two independent numbers are computed in parallel, each with
// the operations of the scalar reference in the same order: the reference is in tests/collision/plain_kernels.h, and a
// test requires the same bits. Measured on 20 capsules, ellipsoids and cylinders in a heap, the scalar version of
// signed_areas costs the collision stage 8 % and that of outward_projections 10 % more time.

namespace sinew {

using TwoNumbers = double __attribute__((vector_size(16)));
using TwoMasks = long long __attribute__((vector_size(16)));

/// det(a, b, c)
inline double det(const Vec3d& a, const Vec3d& b, const Vec3d& c) { return dot(a, cross(b, c)); }

/// Projection of the origin on the plane of three points; false if they are collinear.
inline bool project_origin(const Vec3d& v1, const Vec3d& v2, const Vec3d& v3, Vec3d& out) {
  const Vec3d d21 = v2 - v1, d31 = v3 - v1, d32 = v3 - v2;
  Vec3d n = cross(d32, d21);
  double nv = dot(n, v2), nn = dot(n, n);
  if (nn == 0) return false;
  if (nv != 0 && nn > kMinVal) {
    out = n * (nv / nn);
    return true;
  }
  n = cross(d21, d31);
  nv = dot(n, v1);
  nn = dot(n, n);
  if (nn == 0) return false;
  if (nv != 0 && nn > kMinVal) {
    out = n * (nv / nn);
    return true;
  }
  n = cross(d31, d32);
  nv = dot(n, v3);
  nn = dot(n, n);
  out = n * (nv / nn);
  return true;
}

/// Twice the signed area of the triangle a b c in a coordinate plane.
template <class T>
T minor(const T& ax, const T& ay, const T& bx, const T& by, const T& cx, const T& cy) {
  return bx * cy - by * cx - ax * cy + ay * cx + ax * by - ay * bx;
}

/// Signed areas of p against the triangle's edges, in the coordinate plane where the triangle is largest.
/// Returns the triangle's own area in that plane.
inline double signed_areas(const Vec3d& a, const Vec3d& b, const Vec3d& c, const Vec3d& p, double area[3]) {
  const auto areas = [&](double ax, double ay, double bx, double by, double cx, double cy, double px, double py) {
    const TwoNumbers ux = {bx, cx}, uy = {by, cy}, vx = {cx, ax}, vy = {cy, ay};
    const TwoNumbers two = px * uy + py * vx + ux * vy - px * vy - py * ux - vx * uy;
    area[0] = two[0];
    area[1] = two[1];
    area[2] = px * ay + py * bx + ax * by - px * by - py * ax - bx * ay;
  };
  const TwoNumbers ax = {a.y, a.x}, bx = {b.y, b.x}, cx = {c.y, c.x}, az = {a.z, a.z}, bz = {b.z, b.z}, cz = {c.z, c.z};
  const TwoNumbers with_z = minor(ax, az, bx, bz, cx, cz);
  const double m_yz = with_z[0], m_xz = with_z[1], m_xy = minor(a.x, a.y, b.x, b.y, c.x, c.y);
  const double yz = std::abs(m_yz), xz = std::abs(m_xz), xy = std::abs(m_xy);
  if (yz >= xz && yz >= xy) {
    areas(a.y, a.z, b.y, b.z, c.y, c.z, p.y, p.z);
    return m_yz;
  }
  if (xz >= xy) {
    areas(a.x, a.z, b.x, b.z, c.x, c.z, p.x, p.z);
    return m_xz;
  }
  areas(a.x, a.y, b.x, b.y, c.x, c.y, p.x, p.y);
  return m_xy;
}

/// Affine coordinates of p, a point of the triangle's plane.
inline void affine_coordinates(const Vec3d& a, const Vec3d& b, const Vec3d& c, const Vec3d& p, double lambda[3]) {
  double area[3];
  const double whole = signed_areas(a, b, c, p, area);
  for (int i = 0; i < 3; ++i) lambda[i] = area[i] / whole;
}

/// The projections of the origin on the planes of two triangles, apex second[k] third[k], each oriented so that it does
/// not point against `arm`, and their squared lengths. False if one of the triangles is a sliver, for which
/// project_origin() tries its other corners.
inline bool outward_projections(const Vec3d& apex, const Vec3d& arm, const Vec3d* const second[2],
                                const Vec3d* const third[2], Vec3d* const q[2], double* const d2[2]) {
  constexpr TwoMasks kSign = {std::numeric_limits<long long>::min(), std::numeric_limits<long long>::min()};
  const auto both = [](const Vec3d* const v[2], int k) { return TwoNumbers{(*v[0])[k], (*v[1])[k]}; };
  const TwoNumbers s[3] = {both(second, 0), both(second, 1), both(second, 2)};
  const TwoNumbers t[3] = {both(third, 0), both(third, 1), both(third, 2)};
  const TwoNumbers d21[3] = {s[0] - t[0], s[1] - t[1], s[2] - t[2]};
  const TwoNumbers d32[3] = {apex.x - s[0], apex.y - s[1], apex.z - s[2]};
  const TwoNumbers n[3] = {d32[1] * d21[2] - d32[2] * d21[1], d32[2] * d21[0] - d32[0] * d21[2],
                           d32[0] * d21[1] - d32[1] * d21[0]};
  const TwoNumbers nv = n[0] * s[0] + n[1] * s[1] + n[2] * s[2];
  const TwoNumbers nn = n[0] * n[0] + n[1] * n[1] + n[2] * n[2];
  const TwoMasks proper = (nn > kMinVal) & (nv != 0);
  if ((proper[0] & proper[1]) == 0) return false;
  const TwoNumbers scale = nv / nn;
  TwoNumbers p[3] = {n[0] * scale, n[1] * scale, n[2] * scale};
  const TwoNumbers side = p[0] * arm.x + p[1] * arm.y + p[2] * arm.z;
  const TwoMasks flip = (side < 0) & kSign;
  for (TwoNumbers& c : p) c = reinterpret_cast<TwoNumbers>(reinterpret_cast<TwoMasks>(c) ^ flip);
  const TwoNumbers length2 = p[0] * p[0] + p[1] * p[1] + p[2] * p[2];
  for (const int k : {0, 1}) {
    *q[k] = {p[0][k], p[1][k], p[2][k]};
    *d2[k] = length2[k];
  }
  return true;
}

}  // namespace sinew
