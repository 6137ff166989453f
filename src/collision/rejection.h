#pragma once

#include "collision/shape.h"

// Cheap proofs that two geoms are farther apart than a margin, which avoid the pair function. None of them ever rejects
// a pair that has a contact: each allows for rounding.

namespace sinew {

/// How a kind of pair is rejected before its pair function.
struct Rejection {
  /// True if the geoms are farther apart than the margin, or if a pose is not finite.
  bool (*apart)(const Model& m, const Data& d, const GeomPair& geoms, double margin);
  /// It is tighter than the world boxes of the two geoms and cheaper: they are not computed before it.
  bool finer_than_boxes;
  /// For pair functions that also find contacts outside the geoms' boxes: whether the boxes drop the pair, as in the
  /// midphase.
  bool (*dropped_by_boxes)(const Model& m, const Data& d, const GeomPair& geoms, double margin) = nullptr;
};

namespace rejections {

bool spheres_apart(const Model& m, const Data& d, const GeomPair& geoms, double margin);
bool sphere_above_plane(const Model& m, const Data& d, const GeomPair& geoms, double margin);
bool mesh_above_plane(const Model& m, const Data& d, const GeomPair& geoms, double margin);
bool capsules_apart(const Model& m, const Data& d, const GeomPair& geoms, double margin);
bool sphere_beyond_box(const Model& m, const Data& d, const GeomPair& geoms, double margin);
bool convex_apart(const Model& m, const Data& d, const GeomPair& geoms, double margin);
/// One of the six face axes of the geoms' two oriented boxes separates them.
bool oriented_boxes_apart(const Model& m, const Data& d, const GeomPair& geoms, double margin);
/// The margin is positive, and the world boxes are farther apart than it.
bool margin_between_world_boxes(const Model& m, const Data& d, const GeomPair& geoms, double margin);

/// The bounding spheres.
inline constexpr Rejection kSpheres = {spheres_apart, false};
/// The same for a distance field, which may have the wrong sign outside its mesh.
inline constexpr Rejection kDistanceField = {spheres_apart, false, oriented_boxes_apart};
/// The same for two boxes, whose contacts are within the margin along their own axes.
inline constexpr Rejection kBoxes = {spheres_apart, false, margin_between_world_boxes};
/// The bounding sphere of the second geom above the first geom's plane.
inline constexpr Rejection kPlane = {sphere_above_plane, true};
/// The same, then the lowest vertices of the mesh.
inline constexpr Rejection kPlaneMesh = {mesh_above_plane, true};
/// The line between the centers of two capsules.
inline constexpr Rejection kCapsules = {capsules_apart, true};
/// A face of the box between it and the sphere, then the bounding spheres.
inline constexpr Rejection kSphereBox = {sphere_beyond_box, true};
/// For pairs that use GJK and EPA: the bounding spheres, the line between the centers, then the axes of the two
/// oriented boxes.
inline constexpr Rejection kConvex = {convex_apart, false};

}  // namespace rejections
}  // namespace sinew
