#pragma once

#include "collision/shape.h"

namespace sinew {

inline constexpr int kNumGeomType = 9;
inline constexpr int kMaxContactsHfield = 50;

/// The function for shapes of these types, `a` not above `b`; null: the two do not collide.
PairFunction pair_function(GeomType a, GeomType b);

/// How many contacts the function may give; m: detection margin.
int max_contacts(const Model& m, GeomType a, GeomType b, double margin);

}  // namespace sinew
