#pragma once

#include <cstddef>

#include "collision/bounds.h"

namespace sinew {

struct GeomPair {
  int first, second;  // in the order of the contact: the lower type first
};

/// The two geoms in the order of a contact: the lower type first, else as given.
inline GeomPair ordered_by_type(const Model& m, int a, int b) {
  return m.geom_type[a] > m.geom_type[b] ? GeomPair{b, a} : GeomPair{a, b};
}

/// The body's geoms that may reach into the box, by its tree where it has many geoms. Returns their number;
/// out has room for body_geomnum.
int geoms_in_box(const Model& m, const Data& d, const Bounds& bounds, int body, const Box& box, int* out);

}  // namespace sinew
