#pragma once

#include "math/mat3.h"
#include "math/vec3.h"
#include "sinew/model.h"

namespace sinew {

/// The signed distance field of a geom in its own frame: negative inside, exact or a bound of it outside.
/// Kinds: plane, sphere, capsule, ellipsoid, cylinder, box by formula; sdf by the octree of its mesh.
struct DistanceField {
  GeomType type = GeomType::Sphere;
  Vec3<double> size;
  const Model* model = nullptr;  // type Sdf
  int mesh = -1;                 // type Sdf

  double value(const Vec3<double>& x) const;
  /// Not of unit length for an octree: inside of its box the gradient is that in coordinates of the cell.
  Vec3<double> gradient(const Vec3<double>& x) const;
};

}  // namespace sinew
