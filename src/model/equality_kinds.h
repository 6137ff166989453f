#pragma once

#include <cstdint>
#include <string_view>

#include "model/kind_table.h"
#include "model/objects.h"

// The kinds of equality constraints. Their rows are built in constraint/equality.cpp.

namespace sinew {

/// The types of the two objects of an equality.
enum class EqualityObjects : std::uint8_t {
  Frames,   // bodies or sites, see eq_objtype
  Joints,   // with one coordinate; the second one is optional
  Tendons,  // the second one is optional
  Flexes    // one flex
};

struct EqualityKind {
  EqualityType type;
  std::string_view element;  // in MJCF
  EqualityObjects objects;
  int rows;      // of the constraint: translations, then rotations
  int reserved;  // rows that nemax counts, as in MuJoCo 3.12.0

  constexpr bool holds_frames() const { return objects == EqualityObjects::Frames; }
  /// In addition to the two points, the orientations of the two frames coincide.
  constexpr bool holds_orientation() const { return holds_frames() && rows > 3; }
};

inline constexpr EqualityKind kEqualityKinds[] = {
    {EqualityType::Connect, "connect", EqualityObjects::Frames, 3, 3},
    {EqualityType::Weld, "weld", EqualityObjects::Frames, 6, 7},
    {EqualityType::Joint, "joint", EqualityObjects::Joints, 1, 1},
    {EqualityType::Tendon, "tendon", EqualityObjects::Tendons, 1, 1},
    {EqualityType::Flex, "flex", EqualityObjects::Flexes, 0, 1},
    {EqualityType::FlexVert, "flexvert", EqualityObjects::Flexes, 0, 1},
    {EqualityType::FlexStrain, "flexstrain", EqualityObjects::Flexes, 0, 1},
};
static_assert(rows_stand_at_their_type(kEqualityKinds));

constexpr const EqualityKind& equality_kind(EqualityType type) {
  return kEqualityKinds[static_cast<std::size_t>(type)];
}
inline const EqualityKind& equality_kind(const Model& m, int eq) {
  return kEqualityKinds[static_cast<std::size_t>(m.eq_type[eq])];
}

/// The type of the two objects. eq_objtype holds it only if there is a choice.
inline ObjType equality_object(const Model& m, int eq) {
  switch (equality_kind(m, eq).objects) {
    case EqualityObjects::Frames: return static_cast<ObjType>(m.eq_objtype[eq]);
    case EqualityObjects::Joints: return ObjType::Joint;
    case EqualityObjects::Tendons: return ObjType::Tendon;
    case EqualityObjects::Flexes: return ObjType::Flex;
  }
  return ObjType::Unknown;
}

/// The body constrained through the first (0) or second (1) object; -1: a tendon, or there is no such object.
inline int equality_body(const Model& m, int eq, int side) {
  const int id = side == 0 ? m.eq_obj1id[eq] : m.eq_obj2id[eq];
  return id < 0 ? -1 : body_of(m, equality_object(m, eq), id);
}

}  // namespace sinew
