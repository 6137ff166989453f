#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "geometry/shape_table.h"
#include "spec/keywords.h"

namespace sinew {
namespace {

constexpr GeomType kSolids[] = {GeomType::Sphere, GeomType::Capsule, GeomType::Ellipsoid, GeomType::Cylinder,
                                GeomType::Box};
constexpr Size3 kSize = {0.3, 0.5, 0.7};

void expect_near(const Vec3<double>& a, const Vec3<double>& b, double tolerance) {
  for (int k = 0; k < 3; ++k) EXPECT_NEAR(a[k], b[k], tolerance) << "component " << k;
}

/// Whether a point is inside the shape.
bool inside(GeomType type, const Vec3<double>& p) {
  const double r = kSize[0], half = kSize[1], radial = std::hypot(p.x, p.y);
  switch (type) {
    case GeomType::Sphere: return norm(p) <= r;
    case GeomType::Capsule: return std::hypot(radial, std::max(0.0, std::abs(p.z) - half)) <= r;
    case GeomType::Cylinder: return radial <= r && std::abs(p.z) <= half;
    case GeomType::Ellipsoid: return norm(Vec3<double>(p.x / kSize[0], p.y / kSize[1], p.z / kSize[2])) <= 1;
    default: return std::abs(p.x) <= kSize[0] && std::abs(p.y) <= kSize[1] && std::abs(p.z) <= kSize[2];
  }
}

TEST(Shapes, VolumeAndInertiaMatchNumericalIntegrals) {
  for (const GeomType type : kSolids) {
    const ShapeKind& row = shape_kind(type);
    const Vec3<double> box = row.half_extents(kSize);
    constexpr int n = 120;
    const Vec3<double> step = box * (2.0 / n);
    double volume = 0;
    Vec3<double> second;
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j)
        for (int k = 0; k < n; ++k) {
          const Vec3<double> p = {(i + 0.5) * step.x - box.x, (j + 0.5) * step.y - box.y, (k + 0.5) * step.z - box.z};
          if (!inside(type, p)) continue;
          volume += 1;
          second += {p.y * p.y + p.z * p.z, p.x * p.x + p.z * p.z, p.x * p.x + p.y * p.y};
        }
    volume *= step.x * step.y * step.z;
    SCOPED_TRACE(row.name);
    EXPECT_NEAR(row.volume(kSize) / volume, 1, 2e-3);
    const double mass = 2;
    const double density = mass / volume * step.x * step.y * step.z;
    expect_near(row.inertia(mass, kSize), second * density, 2e-3);
  }
}

TEST(Shapes, ShellInertiaIsTheLimitOfThinSolids) {
  // the difference of two solids of slightly different size, with the mass of the shell; exact to first order in the
  // step if the layer has uniform thickness
  constexpr double h = 1e-6;
  for (const GeomType type : {GeomType::Sphere, GeomType::Capsule, GeomType::Cylinder, GeomType::Box}) {
    const ShapeKind& row = shape_kind(type);
    Size3 outer = kSize;
    for (int k = 0; k < (type == GeomType::Capsule ? 1 : 3); ++k) outer[k] += h;
    const double v0 = row.volume(kSize), v1 = row.volume(outer);
    const double mass = 2, density = mass / (v1 - v0);
    SCOPED_TRACE(row.name);
    EXPECT_NEAR((v1 - v0) / h / row.area(kSize), 1, 1e-4);
    expect_near(row.shell_inertia(mass, kSize), row.inertia(v1 * density, outer) - row.inertia(v0 * density, kSize),
                1e-4);
  }
}

TEST(Shapes, BoundingSphereContainsTheCornersOrTheSurface) {
  EXPECT_DOUBLE_EQ(shape_kind(GeomType::Sphere).bounding_radius(kSize), 0.3);
  EXPECT_DOUBLE_EQ(shape_kind(GeomType::Capsule).bounding_radius(kSize), 0.8);
  EXPECT_DOUBLE_EQ(shape_kind(GeomType::Ellipsoid).bounding_radius(kSize), 0.7);
  EXPECT_DOUBLE_EQ(shape_kind(GeomType::Cylinder).bounding_radius(kSize), std::hypot(0.3, 0.5));
  EXPECT_DOUBLE_EQ(shape_kind(GeomType::Box).bounding_radius(kSize), std::sqrt(0.09 + 0.25 + 0.49));
  EXPECT_EQ(shape_kind(GeomType::Plane).bounding_radius(kSize), 0);
}

TEST(Shapes, EveryPrimitiveHasACompleteTableEntry) {
  for (const GeomType type : kSolids) {
    const ShapeKind& row = shape_kind(type);
    EXPECT_TRUE(row.volume && row.area && row.inertia && row.shell_inertia && row.half_extents && row.bounding_radius &&
                row.fluid_semiaxes && row.fitted_to_inertia && row.fitted_to_bounds && row.reach && row.contains &&
                row.ray && row.distance && row.distance_gradient)
        << row.name;
    EXPECT_GE(row.sizes, 1);
  }
}

// What the columns of a row say about one shape has to be said by all of them: random points and directions.
TEST(Shapes, ColumnsOfARowDescribeTheSameShape) {
  std::mt19937 generator(1);
  std::normal_distribution<double> normal;
  const auto vector = [&] { return Vec3<double>{normal(generator), normal(generator), normal(generator)}; };
  const Vec3<double> size = {kSize[0], kSize[1], kSize[2]};
  for (const GeomType type : kSolids) {
    const ShapeKind& row = shape_kind(type);
    SCOPED_TRACE(row.name);
    const DistanceField field{type, size, nullptr, -1};
    for (int i = 0; i < 1000; ++i) {
      const Vec3<double> x = vector() * 0.5, dir = vector();
      EXPECT_EQ(row.contains(kSize, x), field.value(x) < 0);
      EXPECT_EQ(row.contains(kSize, x), inside(type, x));
      if (row.contains(kSize, x)) EXPECT_LE(dot(dir, x), row.reach(kSize, dir, norm(dir)) + 1e-15);
      const RaySurface hit = row.ray({size}, {x, dir});
      if (row.contains(kSize, x)) EXPECT_TRUE(hit.hit());
      if (!hit.hit()) continue;
      const Vec3<double> on = x + dir * hit.x;
      EXPECT_NEAR(field.value(on), 0, 1e-12);
      // just outside: on the surface itself a gradient of flat faces is made of zeros
      EXPECT_NEAR(norm(field.gradient(on + hit.normal * 1e-6) - hit.normal), 0, 1e-4);
      EXPECT_LE(dot(hit.normal, on), row.reach(kSize, hit.normal, 1) + 1e-12);
    }
  }
}

TEST(Shapes, ANameIsTheWordOfMjcf) {
  for (const mjcf::Keyword& keyword : mjcf::kGeomType)
    EXPECT_EQ(shape_kind(static_cast<GeomType>(keyword.value)).name, keyword.word);
}

}  // namespace
}  // namespace sinew
