#pragma once

#include "collision/shape.h"

// The pair functions (signature and contract: PairFunction in collision/shape.h), and the building blocks they share.

namespace sinew {

int collide_plane_sphere(const PairContext&, const Shape& a, const Shape& b, double margin, ContactPoint* out);
int collide_plane_capsule(const PairContext&, const Shape& a, const Shape& b, double margin, ContactPoint* out);
int collide_plane_cylinder(const PairContext&, const Shape& a, const Shape& b, double margin, ContactPoint* out);
int collide_plane_box(const PairContext&, const Shape& a, const Shape& b, double margin, ContactPoint* out);
int collide_plane_ellipsoid(const PairContext&, const Shape& a, const Shape& b, double margin, ContactPoint* out);
int collide_plane_mesh(const PairContext&, const Shape& a, const Shape& b, double margin, ContactPoint* out);

int collide_sphere_sphere(const PairContext&, const Shape& a, const Shape& b, double margin, ContactPoint* out);
int collide_sphere_capsule(const PairContext&, const Shape& a, const Shape& b, double margin, ContactPoint* out);
int collide_sphere_cylinder(const PairContext&, const Shape& a, const Shape& b, double margin, ContactPoint* out);
int collide_sphere_box(const PairContext&, const Shape& a, const Shape& b, double margin, ContactPoint* out);
int collide_capsule_capsule(const PairContext&, const Shape& a, const Shape& b, double margin, ContactPoint* out);
int collide_capsule_box(const PairContext&, const Shape& a, const Shape& b, double margin, ContactPoint* out);
int collide_box_box(const PairContext&, const Shape& a, const Shape& b, double margin, ContactPoint* out);

int collide_convex(const PairContext&, const Shape& a, const Shape& b, double margin, ContactPoint* out);
int collide_sdf(const PairContext&, const Shape& a, const Shape& b, double margin, ContactPoint* out);
int collide_mesh_sdf(const PairContext&, const Shape& a, const Shape& b, double margin, ContactPoint* out);
int collide_hfield(const PairContext&, const Shape& a, const Shape& b, double margin, ContactPoint* out);

/// Whether half axes with squared lengths ma, mc and ma mc - (a·c)² = det count as parallel. The bound is absolute, as
/// in MuJoCo, unless it would make any two axes parallel.
inline bool are_parallel(double det, double ma, double mc) {
  constexpr double kTiny = 1e-14, kRelative = 1e-12;
  const double size = ma * mc;
  return (det < 0 ? -det : det) < (size < kTiny ? kRelative * size : kMinVal);
}

/// A ball: the primitive of many closed forms.
struct Ball {
  Vec3d center;
  double radius = 0;
};

/// Ball against the half space below the plane through `point` with normal `normal`.
int collide_plane_ball(const Vec3d& normal, const Vec3d& point, const Ball& ball, double margin, ContactPoint* out);
/// Two balls; if the centers coincide the normal is z_a × z_b of the shapes they belong to.
int collide_balls(const Ball& a, const Ball& b, const Shape& shape_a, const Shape& shape_b, double margin,
                  ContactPoint* out);
/// Ball against a box.
int collide_ball_box(const Ball& ball, const Shape& box, double margin, ContactPoint* out);

}  // namespace sinew
