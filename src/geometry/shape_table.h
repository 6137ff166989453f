#pragma once

#include <array>
#include <string_view>

#include "math/vec3.h"
#include "sinew/enums.h"

namespace sinew {

using Size3 = std::array<double, 3>;

/// What the compiler asks of a primitive shape. Lengths are half lengths, in the geom frame; the shape is centred at
/// the origin and its diagonal inertia is about that point. A function that is null does not apply to the shape.
struct Shape {
  std::string_view name;
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
};

/// The row of a shape: the one place that knows all of it. Meshes and height fields have a row without functions.
const Shape& shape(GeomType type);

}  // namespace sinew
