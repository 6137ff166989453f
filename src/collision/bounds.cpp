#include "collision/bounds.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "base/arena.h"
#include "collision/filter.h"
#include "geometry/support.h"

namespace sinew {
namespace {

/// Upper bound of dot(dir, x) over the vertices x of a mesh: dir is a sum of three sign triples, each with a weight
/// that is not negative, and for these the outermost vertices are known, up to the rounding of single precision.
double mesh_reach(const Model& m, int geom, const Vec3d& dir) {
  constexpr double kSingle = 1e-6;
  constexpr int kStride[3] = {9, 3, 1}, kNone = 13;  // of sign triples in mesh_extrema
  const int mesh = m.geom_dataid[geom], graph = m.mesh_graphadr[mesh];
  const double rbound = m.geom_rbound[geom];
  if (graph < 0) return rbound * (1 + kSingle) * norm(dir);
  const int* ids = &m.mesh_graph[graph + 2 + m.mesh_graph[graph]];
  const int* extrema = &m.mesh_extrema[27 * static_cast<std::size_t>(mesh)];
  const float* vert = &m.mesh_vert[3 * static_cast<std::size_t>(m.mesh_vertadr[mesh])];
  // a small mesh collides with all of its vertices, also those that maxhullvert keeps off the hull
  if (const int nvert = m.mesh_vertnum[mesh]; nvert < kClimbFrom && m.mesh_graph[graph] < nvert) {
    double reach = -std::numeric_limits<double>::infinity();
    for (const float* v = vert; v != vert + 3 * nvert; v += 3)
      reach = std::max(reach, dir.x * v[0] + dir.y * v[1] + dir.z * v[2]);
    return reach + kSingle * rbound * norm(dir);
  }

  const double size[3] = {std::abs(dir.x), std::abs(dir.y), std::abs(dir.z)};
  const double sign[3] = {dir.x < 0 ? -1.0 : 1.0, dir.y < 0 ? -1.0 : 1.0, dir.z < 0 ? -1.0 : 1.0};
  int large = size[0] < size[1] ? 1 : 0, middle = 1 - large, small = 2;
  if (size[middle] < size[small]) std::swap(middle, small);
  if (size[large] < size[middle]) std::swap(large, middle);
  const auto step = [&](int axis) { return sign[axis] < 0 ? -kStride[axis] : kStride[axis]; };
  const int one = kNone + step(large), two = one + step(middle), three = two + step(small);
  const float *a = vert + 3 * ids[extrema[one]], *b = vert + 3 * ids[extrema[two]], *c = vert + 3 * ids[extrema[three]];
  return (size[large] - size[middle]) * (sign[large] * a[large]) +
         (size[middle] - size[small]) * (sign[large] * b[large] + sign[middle] * b[middle]) +
         size[small] * (sign[0] * c[0] + sign[1] * c[1] + sign[2] * c[2]) +
         kSingle * rbound * (size[0] + size[1] + size[2]);
}

/// Upper bound of dot(dir, x) over the points x of a geom, from its centre; length = |dir|.
double reach_along(const Model& m, const Data& d, int geom, const Vec3d& dir, double length) {
  const double* size = &m.geom_size[3 * geom];
  const double* mat = &d.geom_xmat[9 * geom];
  const auto along = [&](int axis) { return mat[axis] * dir.x + mat[3 + axis] * dir.y + mat[6 + axis] * dir.z; };
  switch (static_cast<GeomType>(m.geom_type[geom])) {
    case GeomType::Capsule: return size[0] * length + size[1] * std::abs(along(2));
    case GeomType::Cylinder: {
      const double x = along(0), y = along(1);
      return size[0] * std::sqrt(x * x + y * y) + size[1] * std::abs(along(2));
    }
    case GeomType::Ellipsoid: return norm(Vec3d{size[0] * along(0), size[1] * along(1), size[2] * along(2)});
    case GeomType::Box:
      return size[0] * std::abs(along(0)) + size[1] * std::abs(along(1)) + size[2] * std::abs(along(2));
    case GeomType::Mesh: return mesh_reach(m, geom, {along(0), along(1), along(2)});
    default: return size[0] * length;  // sphere
  }
}

}  // namespace

bool apart_along_centers(const Model& m, const Data& d, int geom1, int geom2, double margin) {
  constexpr double kHair = 1e-9;
  const Vec3d offset = Vec3d::load(&d.geom_xpos[3 * geom2]) - Vec3d::load(&d.geom_xpos[3 * geom1]);
  const double length2 = dot(offset, offset), length = std::sqrt(length2);
  const double reach = reach_along(m, d, geom1, offset, length) + reach_along(m, d, geom2, -offset, length);
  return length2 - reach > (margin + m.opt.ccd_tolerance) * length + kHair * (length2 + reach);
}

bool mesh_above_plane(const Model& m, const Data& d, int plane, int mesh, double margin) {
  const double* mat = &d.geom_xmat[9 * plane];
  const Vec3d normal = {mat[2], mat[5], mat[8]};
  const double height = dot(normal, Vec3d::load(&d.geom_xpos[3 * mesh]) - Vec3d::load(&d.geom_xpos[3 * plane]));
  return height - reach_along(m, d, mesh, -normal, 1) > margin;
}

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

Box body_box(const Model& m, const Data& d, int body) {
  Box all = Box::empty();
  const int first = m.body_geomadr[body];
  for (int g = first; g < first + m.body_geomnum[body]; ++g)
    if (geom_is_collidable(m, g)) all.extend(geom_box(m, d, g));
  return all;
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
        bounds.geom[g] = geom_box(m, d, g);
        if (geom_is_collidable(m, g)) all.extend(bounds.geom[g]);
      }
    }
    bounds.body[body] = all;
  }
  return bounds;
}

}  // namespace sinew
