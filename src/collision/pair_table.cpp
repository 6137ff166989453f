#include "collision/pair_table.h"

#include <array>

#include "collision/pairs/pairs.h"

namespace sinew {
namespace {

template <int n>
int up_to(const Model&, double) {
  return n;
}
int one_per_start(const Model& m, double) { return m.opt.sdf_initpoints; }

/// The first contact, and one for each rotation about its tangents.
int turned(const Model& m, double) { return m.opt.disabled(kDisableMulticcd) ? 1 : 5; }
/// Faces are clipped to a quadrilateral, which requires zero margin; otherwise as above.
int clipped(const Model& m, double margin) {
  const bool clips = !(margin > 0) && !m.opt.disabled(kDisableNativeccd);
  return clips && !m.opt.disabled(kDisableMulticcd) ? 4 : turned(m, margin);
}

using enum GeomType;
using enum ContactMotion;
using namespace rejections;
constexpr auto kField = up_to<kMaxContactsHfield>;
constexpr auto kByContacts = DistanceBy::Contacts, kByCcd = DistanceBy::Ccd;

// Pairs that are not listed do not collide. Rows are in ascending order of their types.
constexpr PairRow kRows[] = {
    {Plane, Sphere, collide_plane_sphere, kPlane, up_to<1>, Ccd::None, PlaneBall, kByContacts},
    {Plane, Capsule, collide_plane_capsule, kPlane, up_to<2>, Ccd::None, PlaneCapsule, kByContacts},
    {Plane, Ellipsoid, collide_plane_ellipsoid, kPlane, up_to<1>, Ccd::None, Differences, kByContacts},
    {Plane, Cylinder, collide_plane_cylinder, kPlane, up_to<4>, Ccd::None, Differences, kByContacts},
    {Plane, Box, collide_plane_box, kPlane, up_to<4>, Ccd::None, PlaneVertex, kByContacts},
    {Plane, Mesh, collide_plane_mesh, kPlaneMesh, up_to<3>, Ccd::None, PlaneVertex, kByContacts},
    {Plane, Sdf, collide_plane_mesh, kPlane, up_to<3>, Ccd::None, Differences, kByContacts},

    {Hfield, Sphere, collide_hfield, kSpheres, kField, Ccd::Exact, Differences, kByContacts},
    {Hfield, Capsule, collide_hfield, kSpheres, kField, Ccd::Exact, Differences, kByContacts},
    {Hfield, Ellipsoid, collide_hfield, kSpheres, kField, Ccd::Curved, Differences, kByContacts},
    {Hfield, Cylinder, collide_hfield, kSpheres, kField, Ccd::Curved, Differences, kByContacts},
    {Hfield, Box, collide_hfield, kSpheres, kField, Ccd::Exact, Differences, kByContacts},
    {Hfield, Mesh, collide_hfield, kSpheres, kField, Ccd::Exact, Differences, kByContacts},

    {Sphere, Sphere, collide_sphere_sphere, kSpheres, up_to<1>, Ccd::None, Rods, kByContacts},
    {Sphere, Capsule, collide_sphere_capsule, kSpheres, up_to<1>, Ccd::None, Rods, kByContacts},
    {Sphere, Ellipsoid, collide_convex, kConvex, up_to<1>, Ccd::Curved, NearestPoints, kByCcd},
    {Sphere, Cylinder, collide_sphere_cylinder, kSpheres, up_to<1>, Ccd::None, Differences, kByContacts},
    {Sphere, Box, collide_sphere_box, kSphereBox, up_to<1>, Ccd::None, SphereBox, kByContacts},
    {Sphere, Mesh, collide_convex, kConvex, up_to<1>, Ccd::Exact, NearestPoints, kByCcd},
    {Sphere, Sdf, collide_sdf, kDistanceField, one_per_start, Ccd::None, Differences, kByContacts},

    {Capsule, Capsule, collide_capsule_capsule, kCapsules, up_to<2>, Ccd::None, Rods, kByContacts},
    {Capsule, Ellipsoid, collide_convex, kConvex, up_to<1>, Ccd::Curved, NearestPoints, kByCcd},
    {Capsule, Cylinder, collide_convex, kConvex, turned, Ccd::Curved, NearestPoints, kByCcd},
    // two in fact; mj_maxContact returns four
    {Capsule, Box, collide_capsule_box, kSpheres, up_to<4>, Ccd::None, Differences, kByContacts},
    {Capsule, Mesh, collide_convex, kConvex, turned, Ccd::Exact, NearestPoints, kByCcd},
    {Capsule, Sdf, collide_sdf, kDistanceField, one_per_start, Ccd::None, Differences, kByContacts},

    {Ellipsoid, Ellipsoid, collide_convex, kConvex, up_to<1>, Ccd::Curved, NearestPoints, kByCcd},
    {Ellipsoid, Cylinder, collide_convex, kConvex, up_to<1>, Ccd::Curved, NearestPoints, kByCcd},
    {Ellipsoid, Box, collide_convex, kConvex, up_to<1>, Ccd::Curved, NearestPoints, kByCcd},
    {Ellipsoid, Mesh, collide_convex, kConvex, up_to<1>, Ccd::Curved, NearestPoints, kByCcd},
    {Ellipsoid, Sdf, collide_sdf, kDistanceField, one_per_start, Ccd::None, Differences, kByContacts},

    {Cylinder, Cylinder, collide_convex, kConvex, turned, Ccd::Curved, NearestPoints, kByCcd},
    {Cylinder, Box, collide_convex, kConvex, turned, Ccd::Curved, NearestPoints, kByCcd},
    {Cylinder, Mesh, collide_convex, kConvex, turned, Ccd::Curved, NearestPoints, kByCcd},
    {Cylinder, Sdf, collide_sdf, kDistanceField, one_per_start, Ccd::None, Differences, kByContacts},

    {Box, Box, collide_box_box, kBoxes, up_to<8>, Ccd::None, Differences, kByCcd},
    {Box, Mesh, collide_convex, kConvex, clipped, Ccd::Exact, Differences, kByCcd},
    {Box, Sdf, collide_sdf, kDistanceField, one_per_start, Ccd::None, Differences, kByContacts},

    {Mesh, Mesh, collide_convex, kConvex, clipped, Ccd::Exact, Differences, kByCcd},
    {Mesh, Sdf, collide_mesh_sdf, kDistanceField, kField, Ccd::None, Differences, kByContacts},

    {Sdf, Sdf, collide_sdf, kDistanceField, one_per_start, Ccd::None, Differences, kByContacts},
};

constexpr int index_of(GeomType first, GeomType second) {
  return kNumGeomType * static_cast<int>(first) + static_cast<int>(second);
}

constexpr bool rows_are_in_order() {
  for (std::size_t i = 0; i < std::size(kRows); ++i) {
    if (kRows[i].first > kRows[i].second) return false;
    if (i > 0 && index_of(kRows[i - 1].first, kRows[i - 1].second) >= index_of(kRows[i].first, kRows[i].second))
      return false;
  }
  return true;
}
static_assert(rows_are_in_order(), "each pair once, the lower type first");

constexpr auto kTable = [] {
  std::array<PairRow, kNumGeomType * kNumGeomType> table{};
  for (PairRow& row : table) row = {Plane, Plane, nullptr, kSpheres, up_to<0>, Ccd::None, Differences, kByContacts};
  for (const PairRow& row : kRows) table[static_cast<std::size_t>(index_of(row.first, row.second))] = row;
  return table;
}();

}  // namespace

const PairRow& pair_row(GeomType first, GeomType second) {
  return kTable[static_cast<std::size_t>(index_of(first, second))];
}

}  // namespace sinew
