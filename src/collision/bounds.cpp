#include "collision/bounds.h"

#include "base/arena.h"

namespace sinew {

bool oriented_boxes_apart(const Model& m, const Shape& a, const Shape& b, double margin) {
  constexpr double kHair = 1e-11;
  const double *box_a = &m.geom_aabb[6 * static_cast<std::size_t>(a.geom)],
               *box_b = &m.geom_aabb[6 * static_cast<std::size_t>(b.geom)];
  const Vec3d offset = (b.mat * Vec3d::load(box_b) + b.pos) - (a.mat * Vec3d::load(box_a) + a.pos);
  const Mat3d across = transpose(a.mat) * b.mat;
  const Vec3d from_a = mul_transposed(a.mat, offset), from_b = mul_transposed(b.mat, offset);
  for (int i = 0; i < 3; ++i) {
    const double reach_a = box_a[3 + i] + std::abs(across.m[3 * i]) * box_b[3] +
                           std::abs(across.m[3 * i + 1]) * box_b[4] + std::abs(across.m[3 * i + 2]) * box_b[5] + margin;
    if (std::abs(from_a[i]) > reach_a * (1 + kHair)) return true;
    const double reach_b = box_b[3 + i] + std::abs(across.m[i]) * box_a[3] + std::abs(across.m[3 + i]) * box_a[4] +
                           std::abs(across.m[6 + i]) * box_a[5] + margin;
    if (std::abs(from_b[i]) > reach_b * (1 + kHair)) return true;
  }
  return false;
}

Bounds compute_bounds(const Model& m, const Data& d, Scratch& scratch) {
  Bounds bounds;
  bounds.geom = scratch.take<Box>(m.ngeom);
  bounds.body = scratch.take<Box>(m.nbody);
  for (int body = 0; body < m.nbody; ++body) {
    Box all = Box::empty();
    const bool used = m.body_contype[body] != 0 || m.body_conaffinity[body] != 0;
    if (used && (body > 0 || m.body_geomnum[0] <= kManyGeoms)) {
      const int first = m.body_geomadr[body], count = m.body_geomnum[body];
      for (int g = first; g < first + count; ++g) {
        bounds.geom[g] = world_box(&m.geom_aabb[6 * g], &d.geom_xpos[3 * g], &d.geom_xmat[9 * g], geom_reach(m, g));
        if (m.geom_contype[g] != 0 || m.geom_conaffinity[g] != 0) all.extend(bounds.geom[g]);
      }
    }
    bounds.body[body] = all;
  }
  return bounds;
}

}  // namespace sinew
