#pragma once

#include "collision/broadphase.h"
#include "collision/touching.h"

namespace sinew {

class Scratch;

/// The broadphase where few geoms may collide at all: every bounding sphere is compared with all others, no box is made
/// and nothing is searched. Boxes decide about contacts in the sweep, so here they are made for the pairs whose test
/// is costly or whose contacts are so slight that the boxes might not overlap.
class SphereBroadphase {
 public:
  SphereBroadphase(const Model& m, const Data& d, Scratch& scratch)
      : m_(m), d_(d), scratch_(scratch), touching_(m, d) {}

  /// Compares the spheres. False where this broadphase does not serve: the geoms are more than kFewGeoms, one of them
  /// has a mask that its body does not know of, or the user filters pairs.
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
  const NearPair* near_ = nullptr;  // in the order of contacts
  int count_ = 0;
  Box* box_ = nullptr;  // of geoms, made when first asked for
  bool* box_known_ = nullptr;
};
static_assert(Broadphase<SphereBroadphase>);

}  // namespace sinew
