#pragma once

#include "collision/filter.h"
#include "collision/midphase.h"

namespace sinew {

class Scratch;

/// Two geoms that may collide, and their bodies.
struct NearPair {
  BodyPair bodies;
  GeomPair geoms;
};

struct NearPairs {
  const NearPair* pair = nullptr;
  int count = 0;
};

/// The short way to the pairs of geoms where few may collide at all: no boxes, no search, every bounding sphere against
/// all others. Pairs whose masks match, of bodies that may collide, whose spheres overlap, in the order of contacts.
/// False where the geoms are too many for this.
bool pairs_of_few_geoms(const Model& m, const Data& d, Scratch& scratch, NearPairs& out);

}  // namespace sinew
