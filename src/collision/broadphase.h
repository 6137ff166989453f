#pragma once

#include <cstddef>

#include "collision/bounds.h"
#include "collision/filter.h"

namespace sinew {

struct BodyPair {
  int first, second;  // first < second
};

struct BodyPairs {
  const BodyPair* pair = nullptr;
  std::size_t count = 0;
};

/// All pairs of different bodies that may collide and whose boxes overlap, in ascending order of (first, second).
/// Bodies that hold a plane and do not move, and the world, are paired with every other one.
BodyPairs body_pairs(const Model& m, const Data& d, const Bounds& bounds, Scratch& scratch);

}  // namespace sinew
