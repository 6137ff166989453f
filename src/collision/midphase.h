#pragma once

#include "base/arena.h"
#include "collision/bounds.h"
#include "collision/filter.h"

namespace sinew {

/// Up to this number the boxes of a body's geoms are tested one by one. Measured with eight bodies that touch each
/// other: with 64 geoms each 42 µs against 64 by the tree, with 128 each 100 against 140, with 256 each 369 against
/// 279.
inline constexpr int kScannedGeoms = 128;

/// Finds the geoms of two bodies that may touch: the masks match, or the user's filter accepts them, and their world
/// boxes overlap. A body with more than kScannedGeoms geoms is searched by its tree.
class Midphase {
 public:
  Midphase(const Model& m, Data& d, const Bounds& bounds, Scratch& scratch);

  /// geoms(GeomPair) for each pair, in contact order: ascending in the order of the contact's geoms; with the midphase
  /// disabled ascending by id, without box tests. Boxes are also skipped for bodies with a single geom each, which the
  /// broadphase has compared.
  template <class Geoms>
  void visit(const BodyPair& bodies, Geoms&& geoms) {
    const int a = bodies.first, b = bodies.second;
    const int geom_a = m_.body_geomadr[a], geom_b = m_.body_geomadr[b];
    const int count_a = m_.body_geomnum[a], count_b = m_.body_geomnum[b];
    if (only_as_bodies(m_, a, b)) {
      for (int i = geom_a; i < geom_a + count_a; ++i)
        for (int j = geom_b; j < geom_b + count_b; ++j)
          if (may_collide(i, j)) geoms(ordered_by_type(m_, i, j));
    } else {
      const int near_b = geoms_near(b, a, near_[1]);
      const int near_a = near_b == 0 ? 0 : geoms_near(a, b, near_[0]);
      if (near_a == 0) return;
      Scratch scratch(d_.scratch());
      GeomPair* pair = scratch.take<GeomPair>(static_cast<std::size_t>(near_a) * static_cast<std::size_t>(near_b));
      const int count = overlapping_pairs(near_a, near_b, pair);
      for (int i = 0; i < count; ++i) geoms(pair[i]);
    }
  }

 private:
  bool may_collide(int a, int b) const;
  int geoms_near(int body, int other, int* out) const;
  bool boxes_overlap(int a, int b) const;
  int overlapping_pairs(int near_a, int near_b, GeomPair* out) const;

  const Model& m_;
  Data& d_;
  const Bounds& bounds_;
  int* near_[2];  // geoms of the two bodies
};

}  // namespace sinew
