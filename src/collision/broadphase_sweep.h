#pragma once

#include <cstddef>

#include "collision/bounds.h"
#include "collision/broadphase.h"
#include "collision/midphase.h"

namespace sinew {

struct BodyPairs {
  const BodyPair* pair = nullptr;
  std::size_t count = 0;
};

/// All pairs of different bodies that may collide and whose boxes overlap, in ascending order of (first, second).
/// A body for which meets_every_body() is true is paired with all others.
BodyPairs body_pairs(const Model& m, const Data& d, const Bounds& bounds, Scratch& scratch);

/// The broadphase for any number of geoms: world boxes of all geoms and bodies, a sweep over the bodies, then the
/// midphase. Boxes are compared before a pair is visited.
class SweepBroadphase {
 public:
  SweepBroadphase(const Model& m, Data& d, Scratch& scratch)
      : bounds_(compute_bounds(m, d, scratch)),
        bodies_(body_pairs(m, d, bounds_, scratch)),
        midphase_(m, d, bounds_, scratch) {}

  template <class Bodies, class Geoms>
  void visit(Bodies&& bodies, Geoms&& geoms) {
    for (std::size_t i = 0; i < bodies_.count; ++i)
      if (bodies(bodies_.pair[i])) midphase_.visit(bodies_.pair[i], geoms);
  }
  bool boxes_apart(const GeomPair&, const PairRow&) const { return false; }
  bool boxes_agree(const GeomPair&, std::span<const ContactPoint>, double) const { return true; }

 private:
  const Bounds bounds_;
  const BodyPairs bodies_;
  Midphase midphase_;
};
static_assert(Broadphase<SweepBroadphase>);

}  // namespace sinew
