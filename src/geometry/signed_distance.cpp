#include "geometry/signed_distance.h"

#include <algorithm>
#include <cmath>

#include "geometry/shape_table.h"

namespace sinew {
namespace {

using Vec = Vec3<double>;

double sign_of(double x) { return x < 0 ? -1 : 1; }

Vec unit(Vec v) {
  normalize(v);
  return v;
}

/// v / length by division: times the inverse rounds otherwise.
Vec over(const Vec& v, double length) { return {v.x / length, v.y / length, v.z / length}; }

/// From the nearest point of the capsule's segment.
Vec off_segment(const Vec& x, double half) { return {x.x, x.y, x.z - clip(x.z, -half, half)}; }

struct CylinderGap {
  double radial, axial;  // negative inside
};

CylinderGap cylinder_gap(const Vec& x, const Vec& size) {
  return {std::sqrt(x.x * x.x + x.y * x.y) - size.x, std::abs(x.z) - size.y};
}

double value_of_cylinder(const Vec& x, const Vec& size) {
  const CylinderGap a = cylinder_gap(x, size);
  const double out_r = std::max(a.radial, 0.0), out_z = std::max(a.axial, 0.0);
  return std::min(std::max(a.radial, a.axial), 0.0) + std::sqrt(out_r * out_r + out_z * out_z);
}

Vec gradient_of_cylinder(const Vec& x, const Vec& size) {
  const CylinderGap a = cylinder_gap(x, size);
  const double rho = std::max(std::sqrt(x.x * x.x + x.y * x.y), kMinVal);
  const Vec radial = {x.x / rho, x.y / rho, 0}, axial = {0, 0, sign_of(x.z)};
  if (a.radial < 0 && a.axial < 0) return a.radial > a.axial ? radial : axial;
  const double out_r = std::max(a.radial, 0.0), out_z = std::max(a.axial, 0.0);
  const double length = std::max(std::sqrt(out_r * out_r + out_z * out_z), kMinVal);
  return over(radial * out_r + axial * out_z, length);
}

/// k0 (k0 - 1) / k1 with k0 = |x/s|, k1 = |x/s²|: zero on the surface, about the distance near it.
double value_of_ellipsoid(const Vec& x, const Vec& s) {
  const Vec a = {x.x / s.x, x.y / s.y, x.z / s.z}, b = {a.x / s.x, a.y / s.y, a.z / s.z};
  const double k0 = norm(a), k1 = norm(b);
  return k0 * (k0 - 1) / k1;
}

Vec gradient_of_ellipsoid(const Vec& x, const Vec& s) {
  const Vec a = {x.x / s.x, x.y / s.y, x.z / s.z}, b = {a.x / s.x, a.y / s.y, a.z / s.z};
  const double k0 = norm(a), k1 = norm(b), inv0 = 1 / k0, inv1 = 1 / k1;
  const Vec of_k0 = b * inv0, of_k1 = {b.x * inv1 / (s.x * s.x), b.y * inv1 / (s.y * s.y), b.z * inv1 / (s.z * s.z)};
  const double by_k0 = (2 * k0 - 1) * inv1, by_k1 = k0 * (k0 - 1) * inv1 * inv1;
  return unit(of_k0 * by_k0 - of_k1 * by_k1);
}

Vec box_gap(const Vec& x, const Vec& s) { return {std::abs(x.x) - s.x, std::abs(x.y) - s.y, std::abs(x.z) - s.z}; }

bool inside_box(const Vec& gap) { return gap.x < 0 && gap.y < 0 && gap.z < 0; }

/// Inside a box: a field that blends smoothly toward the nearest face, without the kinks of the distance.
Vec box_field(const Vec& x, const Vec& s, const Vec& gap) {
  const Vec b = unit({-s.x / gap.x, -s.y / gap.y, -s.z / gap.z});
  return {b.x * sign_of(x.x), b.y * sign_of(x.y), b.z * sign_of(x.z)};
}

double value_of_box(const Vec& x, const Vec& s) {
  const Vec gap = box_gap(x, s);
  if (inside_box(gap)) {
    const Vec b = box_field(x, s, gap);
    const double t = std::min({-gap.x / std::abs(b.x), -gap.y / std::abs(b.y), -gap.z / std::abs(b.z)});
    return -t * norm(b);
  }
  const Vec out = {std::max(gap.x, 0.0), std::max(gap.y, 0.0), std::max(gap.z, 0.0)};
  return norm(out) + std::min(std::max({gap.x, gap.y, gap.z}), 0.0);
}

Vec gradient_of_box(const Vec& x, const Vec& s) {
  const Vec gap = box_gap(x, s);
  if (inside_box(gap)) return box_field(x, s, gap);
  const Vec out = {std::max(gap.x, 0.0), std::max(gap.y, 0.0), std::max(gap.z, 0.0)};
  const double length = std::max(norm(out), kMinVal);
  const auto along = [&](int k) { return out[k] / length * x[k] / std::max(std::abs(x[k]), kMinVal); };
  return {along(0), along(1), along(2)};
}

/// The leaf that contains a point, and its coordinates there, in [0, 1].
struct Leaf {
  int node = -1;
  double c[3] = {};
};

Leaf find_leaf(const Model& m, int mesh, const Vec& x) {
  constexpr int kDeepest = 64;
  const int root = m.mesh_octadr[mesh];
  Leaf leaf;
  leaf.node = root;
  for (int level = 0; level < kDeepest; ++level) {
    const double* box = &m.oct_aabb[6 * static_cast<std::size_t>(leaf.node)];
    for (int k = 0; k < 3; ++k) {
      const double lo = box[k] - box[3 + k], hi = box[k] + box[3 + k];
      leaf.c[k] = (x[k] - lo) / (hi - lo);
    }
    const int* child = &m.oct_child[8 * static_cast<std::size_t>(leaf.node)];
    const int which = 4 * (leaf.c[2] >= 0.5) + 2 * (leaf.c[1] >= 0.5) + (leaf.c[0] >= 0.5);
    if (child[which] < 0) break;
    leaf.node = root + child[which];
  }
  return leaf;
}

double octree_interpolate(const Model& m, int mesh, const Vec& x) {
  const Leaf leaf = find_leaf(m, mesh, x);
  const double* value = &m.oct_coeff[8 * static_cast<std::size_t>(leaf.node)];
  double sum = 0;
  for (int j = 0; j < 8; ++j) {
    const double w =
        (j & 1 ? leaf.c[0] : 1 - leaf.c[0]) * (j & 2 ? leaf.c[1] : 1 - leaf.c[1]) * (j & 4 ? leaf.c[2] : 1 - leaf.c[2]);
    sum += w * value[j];
  }
  return sum;
}

/// Clamps the point to the octree's box; returns how far outside it was.
double project_into_box(const Model& m, int mesh, Vec& x) {
  constexpr double kInward = 1e-6;
  const double* box = &m.oct_aabb[6 * static_cast<std::size_t>(m.mesh_octadr[mesh])];
  double outside2 = 0;
  for (int k = 0; k < 3; ++k) {
    const double offset = x[k] - box[k], excess = std::abs(offset) - box[3 + k];
    if (!(excess > 0)) continue;
    outside2 += excess * excess;
    x[k] -= sign_of(offset) * (excess + kInward);
  }
  return std::sqrt(outside2);
}

double octree_value(const Model& m, int mesh, Vec x) {
  const double outside = project_into_box(m, mesh, x);
  return octree_interpolate(m, mesh, x) + outside;
}

Vec gradient_in_octree(const Model& m, int mesh, const Vec& x) {
  Vec inner = x, g;
  if (project_into_box(m, mesh, inner) > 0) {
    constexpr double kStep = 1e-8;
    const double here = octree_value(m, mesh, x);
    for (int k = 0; k < 3; ++k) {
      Vec beside = x;
      beside[k] += kStep;
      g[k] = (octree_value(m, mesh, beside) - here) / kStep;
    }
    return g;
  }
  const Leaf leaf = find_leaf(m, mesh, x);
  const double* value = &m.oct_coeff[8 * static_cast<std::size_t>(leaf.node)];
  for (int j = 0; j < 8; ++j) {
    const double wx = j & 1 ? leaf.c[0] : 1 - leaf.c[0], wy = j & 2 ? leaf.c[1] : 1 - leaf.c[1],
                 wz = j & 4 ? leaf.c[2] : 1 - leaf.c[2];
    g.x += (j & 1 ? 1 : -1) * wy * wz * value[j];
    g.y += wx * (j & 2 ? 1 : -1) * wz * value[j];
    g.z += wx * wy * (j & 4 ? 1 : -1) * value[j];
  }
  return g;
}

}  // namespace

double DistanceField::value(const Vec& x) const { return shape_kind(type).distance(*this, x); }
Vec DistanceField::gradient(const Vec& x) const { return shape_kind(type).distance_gradient(*this, x); }

namespace fields {

double plane(const DistanceField&, const Vec& x) { return x.z; }
Vec plane_gradient(const DistanceField&, const Vec&) { return {0, 0, 1}; }

double sphere(const DistanceField& f, const Vec& x) { return norm(x) - f.size.x; }
Vec sphere_gradient(const DistanceField&, const Vec& x) { return unit(x); }

double capsule(const DistanceField& f, const Vec& x) { return norm(off_segment(x, f.size.y)) - f.size.x; }
Vec capsule_gradient(const DistanceField& f, const Vec& x) {
  const Vec r = off_segment(x, f.size.y);
  return over(r, std::max(norm(r), kMinVal));
}

double ellipsoid(const DistanceField& f, const Vec& x) { return value_of_ellipsoid(x, f.size); }
Vec ellipsoid_gradient(const DistanceField& f, const Vec& x) { return gradient_of_ellipsoid(x, f.size); }

double cylinder(const DistanceField& f, const Vec& x) { return value_of_cylinder(x, f.size); }
Vec cylinder_gradient(const DistanceField& f, const Vec& x) { return gradient_of_cylinder(x, f.size); }

double box(const DistanceField& f, const Vec& x) { return value_of_box(x, f.size); }
Vec box_gradient(const DistanceField& f, const Vec& x) { return gradient_of_box(x, f.size); }

double octree(const DistanceField& f, const Vec& x) {
  if (!f.shape) return octree_value(*f.model, f.mesh, x);
  const double p[3] = {x.x, x.y, x.z};
  return f.shape->distance(p);
}
Vec octree_gradient(const DistanceField& f, const Vec& x) {
  if (!f.shape) return gradient_in_octree(*f.model, f.mesh, x);
  const double p[3] = {x.x, x.y, x.z};
  double g[3];
  f.shape->gradient(p, g);
  return Vec::load(g);
}

}  // namespace fields
}  // namespace sinew
