#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "sinew/data.h"

// Geometric queries on a world. They need the poses of the position level (forward, or step1).

namespace sinew {

/// Distance between two geoms and their nearest points, `from` on geom1 and `to` on geom2.
struct GeomDistance {
  double dist = 0;               // m; negative: penetration; distmax: nothing nearer
  std::array<double, 3> from{};  // m, world frame; zeros if nothing is nearer than distmax
  std::array<double, 3> to{};
};

/// Distances up to distmax (m). Only the world's scratch memory is modified. Against a height field the surface is
/// raised by distmax, as in mj_geomDistance: use a small distmax there.
GeomDistance geom_distance(const Model& m, Data& d, int geom1, int geom2, double distmax);

/// Which geoms a ray can hit. Invisible geoms (alpha 0) are never hit.
struct RayFilter {
  std::array<bool, kNumGroup> group = {true, true, true, true, true, true};  // by geom_group, clipped to the range
  bool with_static = true;  // geoms of the world and of bodies welded to it
  int exclude_body = -1;    // geoms of this body are ignored
};

struct RayHit {
  double dist = -1;  // in units of the length of vec; -1: nothing
  int geom = -1;
  std::array<double, 3> normal{};  // of the surface, outward
};

/// The nearest geom that the ray point + dist * vec, dist >= 0, meets; on a tie, the one with the lower id.
RayHit ray(const Model& m, const Data& d, const double point[3], const double vec[3], const RayFilter& filter = {});

/// Many rays from one point: vec has 3 numbers per element of out. Geoms whose bounding sphere is farther than cutoff
/// (m) from the point are ignored; others are hit at any distance.
void multi_ray(const Model& m, const Data& d, const double point[3], std::span<const double> vec, std::span<RayHit> out,
               const RayFilter& filter = {}, double cutoff = kMaxVal);

/// One geom of the model, regardless of its group.
RayHit ray_geom(const Model& m, const Data& d, int geom, const double point[3], const double vec[3]);

/// A primitive that need not be in the model: plane, sphere, capsule, ellipsoid, cylinder, box. pos and mat as in
/// geom_xpos and geom_xmat, size as in geom_size.
RayHit ray_shape(GeomType type, const double pos[3], const double mat[9], const double size[3], const double point[3],
                 const double vec[3]);

/// Which parts of a flex a ray can hit. Edges are capsules and vertices are spheres of the flex's radius; faces are its
/// triangles, or those of the tetrahedra in one layer, without a radius. The skin of a surface or a volume consists of
/// its edges and faces.
struct FlexParts {
  bool vert = false;  // only without edges
  bool edge = false;
  bool face = false;
  bool skin = true;
  int layer = 0;  // of tetrahedra whose faces are hit; with the skin always the outermost, 0
};

struct FlexHit {
  double dist = -1;  // in units of the length of vec; -1: nothing
  int vert = -1;     // nearest vertex of what was hit, counted from the flex's first
  std::array<double, 3> normal{};
};

/// One flex of the model; rays against geoms do not see it.
FlexHit ray_flex(const Model& m, const Data& d, int flex, const double point[3], const double vec[3],
                 const FlexParts& parts = {});

/// Force and torque of a contact in its frame: normal, two tangents, spin about the normal, two rolls; acts on geom[1].
/// Zero for a contact without rows. Needs the constraint forces of forward or inverse.
std::array<double, 6> contact_force(const Model& m, const Data& d, int contact);

/// The largest number of contacts that two geoms can have; 0 if they cannot collide.
int max_contacts(const Model& m, int geom1, int geom2);

}  // namespace sinew
