#pragma once

#include "math/mat3.h"
#include "math/vec3.h"
#include "sinew/model.h"

// Rays against shapes, each in the shape's own frame. A hit is at point + x * dir with x >= 0; x is -1 if there is
// none. Normals point out of the shape, even if it is hit from inside.

namespace sinew {

struct Ray {
  Vec3<double> point, dir;

  Vec3<double> at(double x) const { return point + dir * x; }
};

struct RaySurface {
  double x = -1;
  Vec3<double> normal;

  bool hit() const { return x >= 0; }
  /// Takes the other one if it is nearer.
  void nearest(double other_x, const Vec3<double>& other_normal) {
    if (other_x >= 0 && (x < 0 || other_x < x)) {
      x = other_x;
      normal = other_normal;
    }
  }
};

/// A shape in its own frame: its size, as in geom_size, and for types that have an asset the model and its mesh or
/// height field.
struct RayTarget {
  const Vec3<double>& size;
  const Model* model = nullptr;
  int data = -1;
  int geom = -1;  // if it is one of the model
};

/// One function for each geom type, for its row in shape_table.h.
namespace rays {

/// Only from above; a size of 0 is infinite.
RaySurface plane(const RayTarget& target, const Ray& ray);
RaySurface sphere(const RayTarget& target, const Ray& ray);
RaySurface capsule(const RayTarget& target, const Ray& ray);
RaySurface ellipsoid(const RayTarget& target, const Ray& ray);
RaySurface cylinder(const RayTarget& target, const Ray& ray);
RaySurface box(const RayTarget& target, const Ray& ray);
/// The surface, the sides and the base.
RaySurface hfield(const RayTarget& target, const Ray& ray);
/// All triangles of the mesh, from both sides; the normal is that of the triangle.
RaySurface mesh(const RayTarget& target, const Ray& ray);
/// The zero of the mesh's distance field, by sphere tracing; x is in meters, whatever the length of dir.
RaySurface sdf(const RayTarget& target, const Ray& ray);

}  // namespace rays

/// A triangle, from both sides; its normal is that of v0, v1, v2 in this order.
RaySurface ray_triangle(const Vec3<double>& v0, const Vec3<double>& v1, const Vec3<double>& v2, const Ray& ray);
/// Whether the ray passes through the box (center, half sizes), nearer than `limit` unless that is negative.
bool ray_meets_box(const double* box, const Ray& ray, double limit);

/// The ball of this radius around the origin: x >= 0 or -1.
double ray_ball(double radius, const Ray& ray);

}  // namespace sinew
