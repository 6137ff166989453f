#pragma once

#include <array>
#include <span>
#include <vector>

#include "math/vec3.h"

namespace sinew {

/// One thing that a bounding-volume tree holds: its box, and the position by which siblings are told apart.
struct BvhElement {
  Vec3<double> lo, hi;
  Vec3<double> key;
  int id = -1;
};

/// A binary tree of boxes, numbered pre-order; a leaf holds one element.
struct Bvh {
  std::vector<std::array<double, 6>> box;  // centre, half sizes
  std::vector<std::array<int, 2>> child;   // -1 -1 for a leaf
  std::vector<int> element;                // id of the leaf's element, -1 inside
  std::vector<int> depth;
};

/// Splits at the median of the keys along the longest side.
Bvh build_bvh(std::vector<BvhElement> elements);

}  // namespace sinew
