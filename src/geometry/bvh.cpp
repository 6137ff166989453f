#include "geometry/bvh.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace sinew {
namespace {

/// An element while its siblings are put in order along one axis.
struct Entry {
  double key;
  int id;
  int index;
};

/// By id where the keys agree to kCompileEps, as MuJoCo 3.12.0 has it. That order is not transitive, so the outcome is
/// that of one way to sort: a stable merge sort.
bool comes_before(const Entry& a, const Entry& b) {
  const double difference = a.key - b.key;
  return std::abs(difference) > kCompileEps ? difference < 0 : a.id < b.id;
}

bool comes_exactly_before(const Entry& a, const Entry& b) { return a.key != b.key ? a.key < b.key : a.id < b.id; }

class Builder {
 public:
  /// The quick way only finds which half an element belongs to; it fails where keys next to the middle are almost
  /// equal, so that the order within them would matter.
  enum class Way { Quick, Sorting };

  Builder(std::span<const BvhElement> elements, const BvhRoom& out, Way way)
      : elements_(elements), out_(out), way_(way), order_(elements.size()), room_(elements.size()) {
    std::iota(order_.begin(), order_.end(), 0);
  }

  /// Whether it did not fail.
  bool build() {
    node(order_, 0);
    return !failed_;
  }

 private:
  int node(std::span<int> set, int depth) {
    const int self = count_++;
    const Vec3<double> side = write_node(self, set, depth);
    if (set.size() == 1 || failed_) return self;
    int axis = 0;
    if (side.y >= side.x + kCompileEps) axis = 1;
    if (side.z >= side[axis] + kCompileEps) axis = 2;
    halve(set, axis);
    const std::size_t half = set.size() / 2;
    const int left = node(set.first(half), depth + 1);
    const int right = node(set.subspan(half), depth + 1);
    out_.child[2 * self] = left;
    out_.child[2 * self + 1] = right;
    return self;
  }

  const BvhElement& element(int index) const { return elements_[static_cast<std::size_t>(index)]; }

  /// Gives the sides of the box around the set.
  Vec3<double> write_node(int self, std::span<const int> set, int depth) {
    Vec3<double> lo = element(set[0]).lo, hi = element(set[0]).hi;
    for (const int index : set) {
      const BvhElement& e = element(index);
      for (int k = 0; k < 3; ++k) {
        lo[k] = std::min(lo[k], e.lo[k]);
        hi[k] = std::max(hi[k], e.hi[k]);
      }
    }
    const Vec3<double> side = hi - lo;
    for (int k = 0; k < 3; ++k)
      if (side[k] < kCompileEps) {
        lo[k] -= kCompileEps;
        hi[k] += kCompileEps;
      }
    double* box = out_.box + 6 * self;
    for (int k = 0; k < 3; ++k) {
      box[k] = 0.5 * (hi[k] + lo[k]);
      box[3 + k] = 0.5 * (hi[k] - lo[k]);
    }
    out_.child[2 * self] = out_.child[2 * self + 1] = -1;
    out_.element[self] = set.size() == 1 ? element(set[0]).id : -1;
    out_.depth[self] = depth;
    return hi - lo;
  }

  void halve(std::span<int> set, int axis) {
    const std::span<Entry> entries = std::span(room_).first(set.size());
    for (std::size_t i = 0; i < set.size(); ++i) entries[i] = {element(set[i]).key[axis], element(set[i]).id, set[i]};
    if (set.size() == 2) {
      if (comes_before(entries[1], entries[0])) std::swap(set[0], set[1]);
      return;
    }
    if (way_ == Way::Sorting) {
      std::stable_sort(entries.begin(), entries.end(), comes_before);
    } else {
      const auto middle = entries.begin() + static_cast<std::ptrdiff_t>(set.size() / 2);
      std::nth_element(entries.begin(), middle, entries.end(), comes_exactly_before);
      failed_ = failed_ || is_close_to_middle(entries);
    }
    for (std::size_t i = 0; i < set.size(); ++i) set[i] = entries[i].index;
  }

  /// Whether a key is almost, but not exactly, that of an element at the border between the halves.
  static bool is_close_to_middle(std::span<const Entry> entries) {
    const std::size_t half = entries.size() / 2;
    double last = entries[0].key;
    for (std::size_t i = 1; i < half; ++i) last = std::max(last, entries[i].key);
    const double first = entries[half].key;
    if (first - last > kCompileEps) return false;
    if (first != last) return true;
    bool close = false;
    for (const Entry& e : entries) {
      const double distance = std::abs(e.key - first);
      close |= distance > 0 && distance <= kCompileEps;
    }
    return close;
  }

  std::span<const BvhElement> elements_;
  BvhRoom out_;
  Way way_;
  std::vector<int> order_;
  std::vector<Entry> room_;
  int count_ = 0;
  bool failed_ = false;
};

}  // namespace

void build_bvh(std::vector<BvhElement> elements, const BvhRoom& out) {
  // a key that is not a number (degenerate triangle) would break the order of the sort: such elements go by their box
  for (BvhElement& e : elements)
    if (!std::isfinite(e.key.x) || !std::isfinite(e.key.y) || !std::isfinite(e.key.z)) e.key = (e.lo + e.hi) * 0.5;
  if (elements.empty() || Builder(elements, out, Builder::Way::Quick).build()) return;
  Builder(elements, out, Builder::Way::Sorting).build();
}

Bvh build_bvh(std::vector<BvhElement> elements) {
  Bvh tree;
  const std::size_t nodes = bvh_size(elements.size());
  if (nodes == 0) return tree;
  tree.box.resize(nodes);
  tree.child.resize(nodes);
  tree.element.resize(nodes);
  tree.depth.resize(nodes);
  build_bvh(std::move(elements), {tree.box[0].data(), tree.child[0].data(), tree.element.data(), tree.depth.data()});
  return tree;
}

}  // namespace sinew
