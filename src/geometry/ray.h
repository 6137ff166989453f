#pragma once

#include "math/mat3.h"
#include "math/vec3.h"
#include "sinew/model.h"

// Rays against shapes, each in the shape's own frame. A hit is at point + x * dir with x >= 0; x is -1 where there is
// none. Normals point out of the shape, also where it is hit from inside.

namespace sinew {

struct Ray {
  Vec3<double> point, dir;

  Vec3<double> at(double x) const { return point + dir * x; }
};

struct RaySurface {
  double x = -1;
  Vec3<double> normal;

  bool hit() const { return x >= 0; }
  /// Takes the other one where it is nearer.
  void nearest(double other_x, const Vec3<double>& other_normal) {
    if (other_x >= 0 && (x < 0 || other_x < x)) {
      x = other_x;
      normal = other_normal;
    }
  }
};

/// Plane, sphere, capsule, ellipsoid, cylinder, box.
RaySurface ray_primitive(GeomType type, const Vec3<double>& size, const Ray& ray);

/// All triangles of the mesh, from both sides; the normal is that of the triangle. size: as in geom_size.
RaySurface ray_mesh(const Model& m, int mesh, const Vec3<double>& size, const Ray& ray);

/// The surface, the sides and the base.
RaySurface ray_hfield(const Model& m, int hfield, const Ray& ray);

/// The zero of the mesh's distance field, by sphere tracing; x is in metres, whatever the length of dir.
RaySurface ray_sdf(const Model& m, int mesh, const Vec3<double>& size, const Ray& ray);

/// The ball of this radius about the origin: x >= 0 or -1.
double ray_ball(double radius, const Ray& ray);

}  // namespace sinew
