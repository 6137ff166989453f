#include "collision/rejection.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "collision/bounds.h"
#include "geometry/shape_table.h"
#include "geometry/support.h"

namespace sinew {
namespace {

Vec3d offset_of(const Data& d, const GeomPair& geoms) {
  return Vec3d::load(&d.geom_xpos[3 * geoms.second]) - Vec3d::load(&d.geom_xpos[3 * geoms.first]);
}

/// Upper bound of dot(dir, x) over the vertices x of a mesh: dir is a non-negative combination of three sign triples,
/// for which the extreme vertices are known, up to the rounding of single precision.
double mesh_reach(const Model& m, int geom, const Vec3d& dir) {
  constexpr double kSingle = 1e-6;
  constexpr int kStride[3] = {9, 3, 1}, kNone = 13;  // of sign triples in mesh_extrema
  const int mesh = m.geom_dataid[geom], graph = m.mesh_graphadr[mesh];
  const double rbound = m.geom_rbound[geom];
  if (graph < 0) return rbound * (1 + kSingle) * norm(dir);
  const int* ids = &m.mesh_graph[graph + 2 + m.mesh_graph[graph]];
  const int* extrema = &m.mesh_extrema[27 * static_cast<std::size_t>(mesh)];
  const float* vert = &m.mesh_vert[3 * static_cast<std::size_t>(m.mesh_vertadr[mesh])];
  // a small mesh collides with all of its vertices, including those that maxhullvert excludes from the hull
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

/// Upper bound of dot(dir, x) over the points x of a geom, from its center; length = |dir|.
double reach_along(const Model& m, const Data& d, int geom, const Vec3d& dir, double length) {
  const double* size = &m.geom_size[3 * geom];
  const Vec3d local = mul_transposed(Mat3d::load(&d.geom_xmat[9 * geom]), dir);
  const auto reach = shape_kind(static_cast<GeomType>(m.geom_type[geom])).reach;
  return reach ? reach({size[0], size[1], size[2]}, local, length) : mesh_reach(m, geom, local);
}

/// The line between the centers separates two geoms of the types from sphere to mesh.
bool apart_along_centers(const Model& m, const Data& d, const GeomPair& geoms, double margin) {
  constexpr double kHair = 1e-9;
  const Vec3d offset = offset_of(d, geoms);
  const double length2 = dot(offset, offset), length = std::sqrt(length2);
  const double reach =
      reach_along(m, d, geoms.first, offset, length) + reach_along(m, d, geoms.second, -offset, length);
  return length2 - reach > (margin + m.opt.ccd_tolerance) * length + kHair * (length2 + reach);
}

/// A face of the box (the second geom) separates it from the sphere.
bool sphere_beyond_face(const Model& m, const Data& d, const GeomPair& geoms, double margin) {
  constexpr double kHair = 1e-11;
  const double *size = &m.geom_size[3 * geoms.second], *mat = &d.geom_xmat[9 * geoms.second];
  const double reach = m.geom_size[3 * geoms.first] + margin;
  const Vec3d offset = Vec3d::load(&d.geom_xpos[3 * geoms.first]) - Vec3d::load(&d.geom_xpos[3 * geoms.second]);
  bool beyond = false;
  for (int k = 0; k < 3; ++k) {
    const double along = std::abs(mat[k] * offset.x + mat[3 + k] * offset.y + mat[6 + k] * offset.z);
    beyond |= along - kHair * along > size[k] + reach;
  }
  return beyond;
}

}  // namespace

namespace rejections {

bool spheres_apart(const Model& m, const Data& d, const GeomPair& geoms, double margin) {
  const double radius_a = m.geom_rbound[geoms.first], radius_b = m.geom_rbound[geoms.second];
  if (!(radius_a > 0 && radius_b > 0)) return false;
  const Vec3d offset = offset_of(d, geoms);
  const double reach = radius_a + radius_b + margin;
  return !(dot(offset, offset) <= reach * reach);
}

bool sphere_above_plane(const Model& m, const Data& d, const GeomPair& geoms, double margin) {
  const double* mat = &d.geom_xmat[9 * geoms.first];
  const Vec3d normal = {mat[2], mat[5], mat[8]};
  return !(dot(normal, offset_of(d, geoms)) <= margin + m.geom_rbound[geoms.second]);
}

bool mesh_above_plane(const Model& m, const Data& d, const GeomPair& geoms, double margin) {
  if (sphere_above_plane(m, d, geoms, margin)) return true;
  const double* mat = &d.geom_xmat[9 * geoms.first];
  const Vec3d normal = {mat[2], mat[5], mat[8]};
  return dot(normal, offset_of(d, geoms)) - reach_along(m, d, geoms.second, -normal, 1) > margin;
}

/// Along the line between the centers the segments extend no farther than their half axes. Most capsules whose boxes
/// overlap are rejected here.
bool capsules_apart(const Model& m, const Data& d, const GeomPair& geoms, double margin) {
  constexpr double kHair = 1e-11;
  const double *size_a = &m.geom_size[3 * geoms.first], *size_b = &m.geom_size[3 * geoms.second];
  const double *mat_a = &d.geom_xmat[9 * geoms.first], *mat_b = &d.geom_xmat[9 * geoms.second];
  const Vec3d offset = offset_of(d, geoms);
  const double length2 = dot(offset, offset);
  const double along = std::abs(dot(Vec3d{mat_a[2], mat_a[5], mat_a[8]}, offset)) * size_a[1] +
                       std::abs(dot(Vec3d{mat_b[2], mat_b[5], mat_b[8]}, offset)) * size_b[1];
  const double gap = length2 - along - kHair * (length2 + along);
  const double reach = size_a[0] + size_b[0] + margin;
  return gap > 0 && gap * gap > reach * reach * length2;
}

bool sphere_beyond_box(const Model& m, const Data& d, const GeomPair& geoms, double margin) {
  return sphere_beyond_face(m, d, geoms, margin) || spheres_apart(m, d, geoms, margin);
}

bool oriented_boxes_apart(const Model& m, const Data& d, const GeomPair& geoms, double margin) {
  constexpr double kHair = 1e-11;
  const double *box_a = &m.geom_aabb[6 * static_cast<std::size_t>(geoms.first)],
               *box_b = &m.geom_aabb[6 * static_cast<std::size_t>(geoms.second)];
  const Mat3d mat_a = Mat3d::load(&d.geom_xmat[9 * geoms.first]), mat_b = Mat3d::load(&d.geom_xmat[9 * geoms.second]);
  const Vec3d center_a = mat_a * Vec3d::load(box_a) + Vec3d::load(&d.geom_xpos[3 * geoms.first]);
  const Vec3d center_b = mat_b * Vec3d::load(box_b) + Vec3d::load(&d.geom_xpos[3 * geoms.second]);
  const Vec3d offset = center_b - center_a;
  const Mat3d across = transpose(mat_a) * mat_b;
  const Vec3d from_a = mul_transposed(mat_a, offset), from_b = mul_transposed(mat_b, offset);
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

bool margin_between_world_boxes(const Model& m, const Data& d, const GeomPair& geoms, double margin) {
  if (!(margin > 0)) return false;
  const auto box = [&](int g) { return widened_box(m, d, g, geom_reach(m, g)); };
  return !overlap(box(geoms.first), box(geoms.second));
}

bool convex_apart(const Model& m, const Data& d, const GeomPair& geoms, double margin) {
  return spheres_apart(m, d, geoms, margin) || apart_along_centers(m, d, geoms, margin) ||
         oriented_boxes_apart(m, d, geoms, margin);
}

}  // namespace rejections
}  // namespace sinew
