#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "math/vec3.h"

namespace sinew {

/// An element of a bounding-volume tree: its box, and the position by which siblings are split.
struct BvhElement {
  Vec3<double> lo, hi;
  Vec3<double> key;
  int id = -1;
};

/// A binary tree of boxes, numbered pre-order; a leaf holds one element.
struct Bvh {
  std::vector<std::array<double, 6>> box;  // center, half sizes
  std::vector<std::array<int, 2>> child;   // -1 -1 for a leaf
  std::vector<int> element;                // id of the leaf's element, -1: inner node
  std::vector<int> depth;
};

/// Where the nodes of a tree are written: room for 2n - 1 of them.
struct BvhRoom {
  double* box;  // 6 each
  int* child;   // 2 each
  int* element;
  int* depth;
};

constexpr std::size_t bvh_size(std::size_t elements) { return elements == 0 ? 0 : 2 * elements - 1; }

/// Splits at the median of the keys along the longest side.
void build_bvh(std::vector<BvhElement> elements, const BvhRoom& out);
Bvh build_bvh(std::vector<BvhElement> elements);

}  // namespace sinew
