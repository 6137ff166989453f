#pragma once

#include "math/mat3.h"
#include "math/vec3.h"
#include "sinew/model.h"
#include "sinew/plugin.h"

namespace sinew {

/// The signed distance field of a geom in its own frame: negative inside, exact or a bound of it outside.
/// By formula, or of type sdf by a plugin or the octree of its mesh; height fields and meshes have none.
struct DistanceField {
  GeomType type = GeomType::Sphere;
  Vec3<double> size;
  const Model* model = nullptr;           // type Sdf
  int mesh = -1;                          // type Sdf
  const SignedDistance* shape = nullptr;  // type Sdf, of a plugin: instead of the octree

  double value(const Vec3<double>& x) const;
  /// Not of unit length for an octree: inside its box the gradient is in cell coordinates.
  Vec3<double> gradient(const Vec3<double>& x) const;
};

/// The plugin's field of a geom; null if it has none.
inline const SignedDistance* plugin_shape(const Model& m, int geom) {
  if (m.nplugin == 0 || geom < 0) return nullptr;
  const int instance = m.geom_plugin[static_cast<std::size_t>(geom)];
  return instance < 0 ? nullptr : m.plugins->shape[static_cast<std::size_t>(instance)].get();
}

/// Two functions for each geom type that has a field, for its row in shape_table.h.
namespace fields {

double plane(const DistanceField& field, const Vec3<double>& x);
double sphere(const DistanceField& field, const Vec3<double>& x);
double capsule(const DistanceField& field, const Vec3<double>& x);
double ellipsoid(const DistanceField& field, const Vec3<double>& x);
double cylinder(const DistanceField& field, const Vec3<double>& x);
double box(const DistanceField& field, const Vec3<double>& x);
double octree(const DistanceField& field, const Vec3<double>& x);
Vec3<double> plane_gradient(const DistanceField& field, const Vec3<double>& x);
Vec3<double> sphere_gradient(const DistanceField& field, const Vec3<double>& x);
Vec3<double> capsule_gradient(const DistanceField& field, const Vec3<double>& x);
Vec3<double> ellipsoid_gradient(const DistanceField& field, const Vec3<double>& x);
Vec3<double> cylinder_gradient(const DistanceField& field, const Vec3<double>& x);
Vec3<double> box_gradient(const DistanceField& field, const Vec3<double>& x);
Vec3<double> octree_gradient(const DistanceField& field, const Vec3<double>& x);

}  // namespace fields

}  // namespace sinew
