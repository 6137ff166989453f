#include <algorithm>
#include <cmath>

#include "geometry/shape_table.h"
#include "math/elementary.h"

// Volumes, inertias and bounds of the primitive shapes. The order of operations follows MuJoCo 3.12.0, so that
// constants agree to the last bits.

namespace sinew {
namespace {

using Vec = Vec3<double>;

double square(double x) { return x * x; }

// sphere: radius

double sphere_volume(const Size3& s) { return 4 * kPi * s[0] * s[0] * s[0] / 3; }
double sphere_area(const Size3& s) { return 4 * kPi * s[0] * s[0]; }
Vec sphere_inertia(double m, const Size3& s) {
  const double i = 2 * m * s[0] * s[0] / 5;
  return {i, i, i};
}
Vec sphere_shell_inertia(double m, const Size3& s) {
  const double i = 2 * m * s[0] * s[0] / 3;
  return {i, i, i};
}
Vec sphere_extents(const Size3& s) { return {s[0], s[0], s[0]}; }
double sphere_radius(const Size3& s) { return s[0]; }

// capsule: radius r, half length L of the cylindrical part (h = 2L), along z

double capsule_volume(const Size3& s) {
  const double r = s[0], h = 2 * s[1];
  return kPi * (r * r * h + 4 * r * r * r / 3);
}
double capsule_area(const Size3& s) { return 4 * kPi * s[0] * s[0] + 2 * kPi * s[0] * (2 * s[1]); }
/// A cylinder and two half balls, the balls offset by L.
Vec capsule_inertia(double m, const Size3& s) {
  const double r = s[0], h = 2 * s[1];
  const double ms = m * 4 * r / (4 * r + 3 * h), mc = m - ms;
  const double ball = 2 * ms * r * r / 5;
  const double x = mc * (3 * r * r + h * h) / 12 + ball + ms * h * (3 * r + 2 * h) / 8;
  return {x, x, mc * r * r / 2 + ball};
}
/// An open cylinder and two half spheres, whose centers of mass lie r/2 beyond its ends.
Vec capsule_shell_inertia(double m, const Size3& s) {
  const double r = s[0], half = s[1], h = 2 * half;
  const double sphere = 4 * kPi * r * r, side = 2 * kPi * r * h;
  const double ms = m * sphere / (sphere + side), mc = m - ms;
  const double ball = 2 * ms * r * r / 3;
  const double x = mc * (6 * r * r + h * h) / 12 + ball + ms * (square(half + r / 2) - square(r / 2));
  return {x, x, mc * r * r + ball};
}
Vec capsule_extents(const Size3& s) { return {s[0], s[0], s[0] + s[1]}; }
double capsule_radius(const Size3& s) { return s[0] + s[1]; }

// cylinder: radius r, half length L (h = 2L), along z

double cylinder_volume(const Size3& s) { return kPi * s[0] * s[0] * (2 * s[1]); }
double cylinder_area(const Size3& s) { return 2 * kPi * s[0] * s[0] + 2 * kPi * s[0] * (2 * s[1]); }
Vec cylinder_inertia(double m, const Size3& s) {
  const double r = s[0], h = 2 * s[1];
  const double x = m * (3 * r * r + h * h) / 12;
  return {x, x, m * r * r / 2};
}
/// Two disks and the side.
Vec cylinder_shell_inertia(double m, const Size3& s) {
  const double r = s[0], half = s[1], h = 2 * half;
  const double disk = kPi * r * r, side = 2 * kPi * r * h;
  const double md = m * disk / (2 * disk + side), mc = m - 2 * md;
  const double x = mc * (6 * r * r + h * h) / 12 + 2 * (md * r * r / 4 + md * half * half);
  return {x, x, mc * r * r + 2 * (md * r * r / 2)};
}
Vec cylinder_extents(const Size3& s) { return {s[0], s[0], s[1]}; }
double cylinder_radius(const Size3& s) { return std::sqrt(s[0] * s[0] + s[1] * s[1]); }

// ellipsoid: three semi-axes

double ellipsoid_volume(const Size3& s) { return 4 * kPi * s[0] * s[1] * s[2] / 3; }
/// Thomsen's approximation, within 1.2 % of the true area.
double ellipsoid_area(const Size3& s) {
  constexpr double p = 1.6075;
  const double mean =
      (elementary::pow(s[0] * s[1], p) + elementary::pow(s[1] * s[2], p) + elementary::pow(s[2] * s[0], p)) / 3;
  return 4 * kPi * elementary::pow(mean, 1 / p);
}
Vec ellipsoid_inertia(double m, const Size3& s) {
  const double a = s[0] * s[0], b = s[1] * s[1], c = s[2] * s[2];
  return {m * (b + c) / 5, m * (c + a) / 5, m * (a + b) / 5};
}
/// A thin solid: the difference of two ellipsoids whose semi-axes differ by 1e-6. It has no closed form, and this one
/// loses six digits; existing models depend on it.
Vec ellipsoid_shell_inertia(double m, const Size3& s) {
  constexpr double thickness = 1e-6;
  const Size3 outer = {s[0] + thickness, s[1] + thickness, s[2] + thickness};
  const double v_inner = ellipsoid_volume(s), v_outer = ellipsoid_volume(outer);
  const double density = m / (v_outer - v_inner);
  return ellipsoid_inertia(v_outer * density, outer) - ellipsoid_inertia(v_inner * density, s);
}
Vec ellipsoid_extents(const Size3& s) { return {s[0], s[1], s[2]}; }
double ellipsoid_radius(const Size3& s) { return std::max(std::max(s[0], s[1]), s[2]); }

// box: three half sides

double box_volume(const Size3& s) { return s[0] * s[1] * s[2] * 8; }
double box_area(const Size3& s) { return 8 * (s[0] * s[1] + s[1] * s[2] + s[2] * s[0]); }
Vec box_inertia(double m, const Size3& s) {
  const double a = s[0] * s[0], b = s[1] * s[1], c = s[2] * s[2];
  return {m * (b + c) / 3, m * (c + a) / 3, m * (a + b) / 3};
}
/// Six rectangles, each with its share of the mass.
Vec box_shell_inertia(double m, const Size3& s) {
  const double lx = 2 * s[0], ly = 2 * s[1], lz = 2 * s[2];
  const double a_xy = lx * ly, a_yz = ly * lz, a_zx = lz * lx;
  const double area = 2 * (a_xy + a_yz + a_zx);
  const double xy = m * a_xy / area, yz = m * a_yz / area, zx = m * a_zx / area;
  const double xx = lx * lx / 12, yy = ly * ly / 12, zz = lz * lz / 12;
  return {2 * (xy * s[2] * s[2] + zx * s[1] * s[1] + xy * yy + yz * (yy + zz) + zx * zz),
          2 * (xy * s[2] * s[2] + yz * s[0] * s[0] + xy * xx + zx * (xx + zz) + yz * zz),
          2 * (zx * s[1] * s[1] + yz * s[0] * s[0] + zx * xx + xy * (xx + yy) + yz * yy)};
}
double box_radius(const Size3& s) { return std::sqrt(s[0] * s[0] + s[1] * s[1] + s[2] * s[2]); }

// plane: half sides for drawing (0: infinite) and the spacing of its grid; the half space below it

double zero(const Size3&) { return 0; }
Vec no_inertia(double, const Size3&) { return {}; }
double plane_radius(const Size3&) { return 0; }
Vec size_itself(const Size3& s) { return {s[0], s[1], s[2]}; }

// sizes of shapes that stand for a mesh

Size3 sphere_of_inertia(const Vec& box) { return {(box.x + box.y + box.z) / 3, 0, 0}; }
Size3 sphere_of_bounds(const Vec& half) { return {std::max({half.x, half.y, half.z}), 0, 0}; }
Size3 capsule_of_inertia(const Vec& box) {
  const double radius = (box.x + box.y) / 2;
  return {radius, std::max(0.0, box.z - radius / 2), 0};
}
Size3 capsule_of_bounds(const Vec& half) {
  const double radius = std::max(half.x, half.y);
  return {radius, half.z - radius, 0};
}
Size3 cylinder_of_inertia(const Vec& box) { return {(box.x + box.y) / 2, box.z, 0}; }
Size3 cylinder_of_bounds(const Vec& half) { return {std::max(half.x, half.y), half.z, 0}; }
Size3 box_itself(const Vec& box) { return {box.x, box.y, box.z}; }

// reach along a direction

double sphere_reach(const Size3& s, const Vec&, double length) { return s[0] * length; }
double capsule_reach(const Size3& s, const Vec& dir, double length) { return s[0] * length + s[1] * std::abs(dir.z); }
double ellipsoid_reach(const Size3& s, const Vec& dir, double) {
  return norm(Vec{s[0] * dir.x, s[1] * dir.y, s[2] * dir.z});
}
double cylinder_reach(const Size3& s, const Vec& dir, double) {
  return s[0] * std::sqrt(dir.x * dir.x + dir.y * dir.y) + s[1] * std::abs(dir.z);
}
double box_reach(const Size3& s, const Vec& dir, double) {
  return s[0] * std::abs(dir.x) + s[1] * std::abs(dir.y) + s[2] * std::abs(dir.z);
}

// points inside

bool in_sphere(const Size3& s, const Vec& p) { return dot(p, p) < s[0] * s[0]; }
bool in_capsule(const Size3& s, const Vec& p) {
  const double beyond = p.z - clip(p.z, -s[1], s[1]);
  return p.x * p.x + p.y * p.y + beyond * beyond < s[0] * s[0];
}
bool in_ellipsoid(const Size3& s, const Vec& p) {
  const Vec q = {p.x / s[0], p.y / s[1], p.z / s[2]};
  return dot(q, q) < 1;
}
bool in_cylinder(const Size3& s, const Vec& p) { return std::abs(p.z) < s[1] && p.x * p.x + p.y * p.y < s[0] * s[0]; }
bool in_box(const Size3& s, const Vec& p) {
  return std::abs(p.x) < s[0] && std::abs(p.y) < s[1] && std::abs(p.z) < s[2];
}

constexpr ShapeKind kShapes[] = {
    {"plane", GeomAsset::None, 0, "half x, half y, grid spacing", false, zero, zero, no_inertia, no_inertia, nullptr,
     plane_radius, size_itself, box_itself, box_itself, nullptr, nullptr, rays::plane, fields::plane,
     fields::plane_gradient},
    {"hfield", GeomAsset::Hfield, 0, "", false, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, size_itself,
     nullptr, nullptr, nullptr, nullptr, rays::hfield, nullptr, nullptr},
    {"sphere", GeomAsset::None, 1, "radius", false, sphere_volume, sphere_area, sphere_inertia, sphere_shell_inertia,
     sphere_extents, sphere_radius, sphere_extents, sphere_of_inertia, sphere_of_bounds, sphere_reach, in_sphere,
     rays::sphere, fields::sphere, fields::sphere_gradient},
    {"capsule", GeomAsset::None, 2, "radius, half length", true, capsule_volume, capsule_area, capsule_inertia,
     capsule_shell_inertia, capsule_extents, capsule_radius, capsule_extents, capsule_of_inertia, capsule_of_bounds,
     capsule_reach, in_capsule, rays::capsule, fields::capsule, fields::capsule_gradient},
    {"ellipsoid", GeomAsset::None, 3, "three semi-axes", true, ellipsoid_volume, ellipsoid_area, ellipsoid_inertia,
     ellipsoid_shell_inertia, ellipsoid_extents, ellipsoid_radius, ellipsoid_extents, box_itself, box_itself,
     ellipsoid_reach, in_ellipsoid, rays::ellipsoid, fields::ellipsoid, fields::ellipsoid_gradient},
    {"cylinder", GeomAsset::None, 2, "radius, half length", true, cylinder_volume, cylinder_area, cylinder_inertia,
     cylinder_shell_inertia, cylinder_extents, cylinder_radius, cylinder_extents, cylinder_of_inertia,
     cylinder_of_bounds, cylinder_reach, in_cylinder, rays::cylinder, fields::cylinder, fields::cylinder_gradient},
    {"box", GeomAsset::None, 3, "three half sides", true, box_volume, box_area, box_inertia, box_shell_inertia,
     size_itself, box_radius, size_itself, box_itself, box_itself, box_reach, in_box, rays::box, fields::box,
     fields::box_gradient},
    {"mesh", GeomAsset::Mesh, 0, "", false, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, size_itself, nullptr,
     nullptr, nullptr, nullptr, rays::mesh, nullptr, nullptr},
    {"sdf", GeomAsset::Mesh, 0, "", false, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, size_itself, nullptr,
     nullptr, nullptr, nullptr, rays::sdf, fields::octree, fields::octree_gradient},
};

}  // namespace

const ShapeKind& shape_kind(GeomType type) { return kShapes[static_cast<int>(type)]; }

}  // namespace sinew
