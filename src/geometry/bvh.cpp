#include "geometry/bvh.h"

#include <algorithm>

namespace sinew {
namespace {

struct Builder {
  Bvh tree;

  int node(std::span<BvhElement> set, int depth) {
    Vec3<double> lo = set[0].lo, hi = set[0].hi;
    for (const BvhElement& e : set)
      for (int k = 0; k < 3; ++k) {
        lo[k] = std::min(lo[k], e.lo[k]);
        hi[k] = std::max(hi[k], e.hi[k]);
      }
    Vec3<double> side = hi - lo;
    for (int k = 0; k < 3; ++k)
      if (side[k] < kCompileEps) {
        lo[k] -= kCompileEps;
        hi[k] += kCompileEps;
      }
    side = hi - lo;

    const int self = static_cast<int>(tree.box.size());
    tree.box.push_back({0.5 * (hi.x + lo.x), 0.5 * (hi.y + lo.y), 0.5 * (hi.z + lo.z), 0.5 * (hi.x - lo.x),
                        0.5 * (hi.y - lo.y), 0.5 * (hi.z - lo.z)});
    tree.child.push_back({-1, -1});
    tree.element.push_back(set.size() == 1 ? set[0].id : -1);
    tree.depth.push_back(depth);
    if (set.size() == 1) return self;

    int axis = 0;
    if (side.y >= side.x + kCompileEps) axis = 1;
    if (side.z >= side[axis] + kCompileEps) axis = 2;
    // by id where the keys agree to kCompileEps; that order is not transitive, which only a merge sort endures
    std::stable_sort(set.begin(), set.end(), [axis](const BvhElement& a, const BvhElement& b) {
      const double difference = a.key[axis] - b.key[axis];
      return std::abs(difference) > kCompileEps ? difference < 0 : a.id < b.id;
    });
    const std::size_t half = set.size() / 2;
    const int left = node(set.first(half), depth + 1);
    const int right = node(set.subspan(half), depth + 1);
    tree.child[static_cast<std::size_t>(self)] = {left, right};
    return self;
  }
};

}  // namespace

Bvh build_bvh(std::vector<BvhElement> elements) {
  // a key that is not a number (degenerate triangle) would break the order of the sort: such elements go by their box
  for (BvhElement& e : elements)
    if (!std::isfinite(e.key.x) || !std::isfinite(e.key.y) || !std::isfinite(e.key.z)) e.key = (e.lo + e.hi) * 0.5;
  Builder builder;
  if (!elements.empty()) builder.node(elements, 0);
  return std::move(builder.tree);
}

}  // namespace sinew
