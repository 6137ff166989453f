#include <algorithm>
#include <cmath>

#include "collision/shape.h"
#include "geometry/ray.h"
#include "geometry/shape_table.h"
#include "sinew/query.h"

namespace sinew {
namespace {

/// The hit of a ray, given in world axes, on shape s.
RayHit cast(const Model& m, const Shape& s, const Ray& world) {
  const Ray local = {mul_transposed(s.mat, world.point - s.pos), mul_transposed(s.mat, world.dir)};
  const RaySurface surface = shape_kind(s.type).ray({s.size, &m, s.data, s.geom}, local);
  RayHit out;
  if (!surface.hit()) return out;
  out.dist = surface.x;
  out.geom = s.geom;
  (s.mat * surface.normal).store(out.normal.data());
  return out;
}

bool is_visible(const Model& m, int geom) {
  const int material = m.geom_matid[geom];
  return (material >= 0 ? m.mat_rgba[4 * material + 3] : m.geom_rgba[4 * geom + 3]) != 0;
}

bool passes(const Model& m, const RayFilter& filter, int geom) {
  const int body = m.geom_bodyid[geom];
  if (body == filter.exclude_body || !is_visible(m, geom)) return false;
  if (!filter.with_static && m.body_weldid[body] == 0) return false;
  return filter.group[std::clamp(m.geom_group[geom], 0, kNumGroup - 1)];
}

/// The ray misses the ball about `offset`, relative to its origin, by more than rounding.
bool misses_ball(const Vec3d& offset, double radius, const Ray& ray) {
  if (!(radius > 0)) return false;
  constexpr double kHair = 1e-9;
  const double reach = radius * (1 + kHair), distance2 = dot(offset, offset);
  if (distance2 <= reach * reach) return false;
  const double along = dot(offset, ray.dir);
  if (along < 0) return true;
  return distance2 - along * along / dot(ray.dir, ray.dir) > reach * reach * (1 + kHair);
}

}  // namespace

RayHit ray_geom(const Model& m, const Data& d, int geom, const double point[3], const double vec[3]) {
  const Ray world = {Vec3d::load(point), Vec3d::load(vec)};
  if (!(norm(world.dir) >= kMinVal)) return {};
  return cast(m, shape_of(m, d, geom), world);
}

RayHit ray_shape(GeomType type, const double pos[3], const double mat[9], const double size[3], const double point[3],
                 const double vec[3]) {
  Shape s;
  s.type = type;
  s.pos = Vec3d::load(pos);
  s.mat = Mat3d::load(mat);
  s.size = Vec3d::load(size);
  const Ray world = {Vec3d::load(point), Vec3d::load(vec)};
  const Ray local = {mul_transposed(s.mat, world.point - s.pos), mul_transposed(s.mat, world.dir)};
  if (shape_kind(type).asset != GeomAsset::None) return {};
  const RaySurface surface = shape_kind(type).ray({s.size}, local);
  RayHit out;
  if (!surface.hit()) return out;
  out.dist = surface.x;
  (s.mat * surface.normal).store(out.normal.data());
  return out;
}

void multi_ray(const Model& m, const Data& d, const double point[3], std::span<const double> vec, std::span<RayHit> out,
               const RayFilter& filter, double cutoff) {
  const Vec3d from = Vec3d::load(point);
  std::fill(out.begin(), out.end(), RayHit{});
  for (int geom = 0; geom < m.ngeom; ++geom) {
    if (!passes(m, filter, geom)) continue;
    const Shape s = shape_of(m, d, geom);
    const Vec3d offset = s.pos - from;
    const bool is_plane = s.type == GeomType::Plane;
    if (!is_plane && !(norm(offset) <= cutoff + s.rbound)) continue;
    for (std::size_t i = 0; i < out.size(); ++i) {
      const Ray world = {from, Vec3d::load(&vec[3 * i])};
      if (!(norm(world.dir) >= kMinVal) || misses_ball(offset, s.rbound, world)) continue;
      const RayHit hit = cast(m, s, world);
      if (hit.dist >= 0 && (out[i].dist < 0 || hit.dist < out[i].dist)) out[i] = hit;
    }
  }
}

RayHit ray(const Model& m, const Data& d, const double point[3], const double vec[3], const RayFilter& filter) {
  RayHit hit;
  multi_ray(m, d, point, {vec, 3}, {&hit, 1}, filter);
  return hit;
}

}  // namespace sinew
