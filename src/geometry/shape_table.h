#pragma once

#include <array>
#include <string_view>

#include "geometry/ray.h"
#include "geometry/signed_distance.h"
#include "math/vec3.h"
#include "sinew/enums.h"

namespace sinew {

using Size3 = std::array<double, 3>;

/// What a geom of the type refers to by geom_dataid.
enum class GeomAsset { None, Mesh, Hfield };

/// What is known of a geom type, whatever it meets. Lengths are half lengths, in the geom frame; the shape is centered
/// at the origin and its diagonal inertia is about that point. A function that is null does not apply to the type.
struct ShapeKind {
  std::string_view name;
  GeomAsset asset;
  int sizes;  // leading entries of size that must be positive
  std::string_view size_names;
  bool from_to;                         // may be given by two points
  double (*volume)(const Size3& size);  // m^3
  double (*area)(const Size3& size);    // m^2, of the surface: the "volume" of a shell
  Vec3<double> (*inertia)(double mass, const Size3& size);
  Vec3<double> (*shell_inertia)(double mass, const Size3& size);
  Vec3<double> (*half_extents)(const Size3& size);    // of the axis-aligned box
  double (*bounding_radius)(const Size3& size);       // of the sphere around the origin; 0: unbounded
  Vec3<double> (*fluid_semiaxes)(const Size3& size);  // of the ellipsoid that a fluid sees
  /// The size of the shape that stands for a mesh: of the inertia box with half sides `box`, or of the bounding box
  /// with half sides `half`.
  Size3 (*fitted_to_inertia)(const Vec3<double>& box);
  Size3 (*fitted_to_bounds)(const Vec3<double>& half);
  /// The most of dot(dir, x) over the points x of the shape; length = |dir|.
  double (*reach)(const Size3& size, const Vec3<double>& dir, double length);
  bool (*contains)(const Size3& size, const Vec3<double>& point);  // in its interior
  RaySurface (*ray)(const RayTarget& target, const Ray& ray);
  double (*distance)(const DistanceField& field, const Vec3<double>& x);
  Vec3<double> (*distance_gradient)(const DistanceField& field, const Vec3<double>& x);
};

/// The row of a type: the one place that knows all of it.
const ShapeKind& shape_kind(GeomType type);

inline bool is_mesh(GeomType type) { return shape_kind(type).asset == GeomAsset::Mesh; }

}  // namespace sinew
