#pragma once

#include <concepts>
#include <span>

#include "collision/filter.h"
#include "collision/pair_table.h"

namespace sinew {

/// Finds the pairs of geoms that need a collision test. Two classes implement it, with bitwise identical contacts:
/// SphereBroadphase if few geoms may collide, SweepBroadphase otherwise.
///
/// visit(bodies, geoms) calls bodies(BodyPair) for candidate bodies, in ascending order, and if that returns true,
/// geoms(GeomPair) for those of their geoms that may touch, in contact order. Bodies and geoms have passed filter.h;
/// exclusions and explicit pairs are handled by the caller.
///
/// Box tests that a broadphase has skipped are done during the test of a pair: boxes_apart() before the pair's own
/// rejection, boxes_agree() for contacts found within the margin.
template <class B>
concept Broadphase = requires(B b, const GeomPair& pair, const PairRow& row, std::span<const ContactPoint> found) {
  b.visit([](const BodyPair&) { return true; }, [](const GeomPair&) {});
  { b.boxes_apart(pair, row) } -> std::same_as<bool>;
  { b.boxes_agree(pair, found, 0.0) } -> std::same_as<bool>;
};

}  // namespace sinew
