#pragma once

#include <concepts>
#include <span>

#include "collision/filter.h"
#include "collision/pair_table.h"

namespace sinew {

/// The way from all geoms of a world to the pairs that are worth their test. Two classes do it, and the contacts are
/// the same bit for bit: SphereBroadphase where few geoms may collide, SweepBroadphase elsewhere.
///
/// visit(bodies, geoms) calls bodies(BodyPair) for candidate bodies, in ascending order, and where that returns true,
/// geoms(GeomPair) for those of their geoms that may touch, in the order of contacts. Bodies and geoms have passed
/// filter.h; exclusions and explicit pairs are the caller's.
///
/// What a broadphase has not yet asked of the world boxes it is asked around the test of a pair: boxes_apart() before
/// the pair's own rejection, boxes_agree() about contacts that were found within the margin.
template <class B>
concept Broadphase = requires(B b, const GeomPair& pair, const PairRow& row, std::span<const ContactPoint> found) {
  b.visit([](const BodyPair&) { return true; }, [](const GeomPair&) {});
  { b.boxes_apart(pair, row) } -> std::same_as<bool>;
  { b.boxes_agree(pair, found, 0.0) } -> std::same_as<bool>;
};

}  // namespace sinew
