#pragma once

#include <algorithm>
#include <cstdint>

#include "collision/rejection.h"
#include "collision/shape.h"

// All that is known of two geom types together is one row of the table in pair_table.cpp.

namespace sinew {

inline constexpr int kNumGeomType = 9;
/// A height field, or a mesh against a distance field, gives no more contacts than this.
inline constexpr int kMaxContactsHfield = 50;

/// Whether the pair function iterates by GJK and EPA (or portal refinement), and how well it ends.
enum class Ccd : std::uint8_t {
  None,    // a closed form, or a descent in a distance field
  Exact,   // it ends at features of hulls, balls and segments
  Curved,  // it ends at a tolerance: one of the shapes is an ellipsoid or a cylinder
};

/// Which equations tell how a contact moves when its geoms do (derivative/contact_geometry.h).
enum class ContactMotion : std::uint8_t {
  Differences,    // none: differences of the pair function
  PlaneVertex,    // a plane and a point that is fixed to the second geom
  PlaneBall,      // a plane and the center of a ball
  PlaneCapsule,   // the same at the ends of a capsule, whose axis is the tangent
  Rods,           // the nearest points of two segments with a radius each
  SphereBox,      // a center and the point of the box that is nearest to it
  NearestPoints,  // of two convex shapes, one of them round at least
};

/// What geom_distance asks.
enum class DistanceBy : std::uint8_t {
  Contacts,  // the pair function: the deepest contact
  Ccd,       // GJK and EPA, where the flag nativeccd is on
};

struct PairRow {
  GeomType first, second;  // first <= second
  PairFunction contacts;   // null: the two do not collide
  Rejection rejection;
  int (*most)(const Model& m, double margin);  // contacts that the pair function may give within this margin
  Ccd ccd;
  ContactMotion motion;
  DistanceBy distance;
};

/// The row of two types, `first` not above `second`.
const PairRow& pair_row(GeomType first, GeomType second);

inline const PairRow& pair_row(const Model& m, const GeomPair& geoms) {
  return pair_row(static_cast<GeomType>(m.geom_type[geoms.first]), static_cast<GeomType>(m.geom_type[geoms.second]));
}

/// What any pair function may give.
inline int most_contacts_of_a_pair(const Model& m) { return std::max(m.opt.sdf_initpoints, kMaxContactsHfield); }

}  // namespace sinew
