#pragma once

#include <cstddef>

#include "collision/bounds.h"
#include "collision/filter.h"

namespace sinew {

struct BodyPairs {
  const BodyPair* pair = nullptr;
  std::size_t count = 0;
};

/// The world, and bodies that hold a plane and do not move: no box of theirs is asked.
bool meets_every_body(const Model& m, int body);

/// All pairs of different bodies that may collide and whose boxes overlap, in ascending order of (first, second).
/// One that meets every body is paired with all others.
BodyPairs body_pairs(const Model& m, const Data& d, const Bounds& bounds, Scratch& scratch);

}  // namespace sinew
