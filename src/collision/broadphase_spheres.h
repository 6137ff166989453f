#pragma once

#include "collision/broadphase.h"
#include "collision/touching.h"

namespace sinew {

class Scratch;

/// The broadphase for few colliding geoms: every bounding sphere is compared with all others, without boxes or trees.
/// In the sweep, boxes affect which contacts are found, so here they are computed for pairs whose test is expensive or
/// whose contacts are so slight that the boxes might not overlap.
class SphereBroadphase {
 public:
  SphereBroadphase(const Model& m, const Data& d, Scratch& scratch)
      : m_(m), d_(d), scratch_(scratch), touching_(m, d) {}

  /// Compares the spheres. False if this broadphase does not apply: there are more than kFewGeoms geoms, one of them
  /// has mask bits that its body lacks, or the user filters pairs.
  bool find();

  template <class Bodies, class Geoms>
  void visit(Bodies&& bodies, Geoms&& geoms) {
    BodyPair last = {-1, -1};
    bool wanted = false;
    for (int i = 0; i < count_; ++i) {
      const NearPair& pair = near_[i];
      if (pair.bodies.first != last.first || pair.bodies.second != last.second) {
        last = pair.bodies;
        wanted = bodies(last);
      }
      if (wanted) geoms(ordered_by_type(m_, pair.geoms.first, pair.geoms.second));
    }
  }
  bool boxes_apart(const GeomPair& geoms, const PairRow& row) {
    return !row.rejection.finer_than_boxes && boxes_count(m_.geom_bodyid[geoms.first], m_.geom_bodyid[geoms.second]) &&
           !overlap(box_of(geoms.first), box_of(geoms.second));
  }
  bool boxes_agree(const GeomPair& geoms, std::span<const ContactPoint> found, double margin) {
    return clearly_meet(geoms, found, margin) || boxes_meet(geoms);
  }

 private:
  struct NearPair {
    BodyPair bodies;
    GeomPair geoms;
  };
  bool boxes_count(int a, int b) const;
  bool clearly_meet(const GeomPair& geoms, std::span<const ContactPoint> found, double margin) const;
  bool boxes_meet(const GeomPair& geoms);
  const Box& box_of(int geom);

  const Model& m_;
  const Data& d_;
  Scratch& scratch_;
  TouchingRule touching_;
  const NearPair* near_ = nullptr;  // in contact order
  int count_ = 0;
  Box* box_ = nullptr;  // per geom, computed on first use
  bool* box_known_ = nullptr;
};
static_assert(Broadphase<SphereBroadphase>);

}  // namespace sinew
