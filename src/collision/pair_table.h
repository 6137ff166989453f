#pragma once

#include <algorithm>
#include <cstdint>

#include "collision/rejection.h"
#include "collision/shape.h"

// All properties of a pair of geom types are in one row of the table in pair_table.cpp.

namespace sinew {

inline constexpr int kNumGeomType = 9;
/// Maximum number of contacts of a height field, or of a mesh against a distance field.
inline constexpr int kMaxContactsHfield = 50;

/// Whether the pair function iterates by GJK and EPA (or portal refinement), and how it terminates.
enum class Ccd : std::uint8_t {
  None,    // a closed form, or a descent in a distance field
  Exact,   // terminates at features of hulls, balls and segments
  Curved,  // terminates at a tolerance: one of the shapes is an ellipsoid or a cylinder
};

/// The equations for the motion of a contact with its geoms (derivative/contact_geometry.h).
enum class ContactMotion : std::uint8_t {
  Differences,    // none: finite differences of the pair function
  PlaneVertex,    // a plane and a point fixed to the second geom
  PlaneBall,      // a plane and the center of a ball
  PlaneCapsule,   // the same at the ends of a capsule, whose axis is the tangent
  Rods,           // the closest points of two segments with a radius each
  SphereBox,      // a center and the point of the box closest to it
  NearestPoints,  // of two convex shapes, at least one of them round
};

/// How geom_distance measures.
enum class DistanceBy : std::uint8_t {
  Contacts,  // the pair function: the deepest contact
  Ccd,       // GJK and EPA, if the flag nativeccd is on
};

struct PairRow {
  GeomType first, second;  // first <= second
  PairFunction contacts;   // null: the two do not collide
  Rejection rejection;
  int (*most)(const Model& m, double margin);  // maximum number of contacts within this margin
  Ccd ccd;
  ContactMotion motion;
  DistanceBy distance;
};

/// The row of two types, first <= second.
const PairRow& pair_row(GeomType first, GeomType second);

inline const PairRow& pair_row(const Model& m, const GeomPair& geoms) {
  return pair_row(static_cast<GeomType>(m.geom_type[geoms.first]), static_cast<GeomType>(m.geom_type[geoms.second]));
}

/// Maximum over all pair functions.
inline int most_contacts_of_a_pair(const Model& m) { return std::max(m.opt.sdf_initpoints, kMaxContactsHfield); }

}  // namespace sinew
