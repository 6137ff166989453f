#include "geometry/bvh.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

namespace sinew {
namespace {

constexpr std::size_t kFew = 16;  // up to this many, insertion sort

template <class T, class Less>
void insertion_sort(std::span<T> list, Less&& less) {
  for (std::size_t i = 1; i < list.size(); ++i) {
    const T moving = list[i];
    std::size_t at = i;
    for (; at > 0 && less(moving, list[at - 1]); --at) list[at] = list[at - 1];
    list[at] = moving;
  }
}

double middle_of(double a, double b, double c) { return std::max(std::min(a, b), std::min(std::max(a, b), c)); }

/// An approximate median: the median of three medians of three.
double middle_of(std::span<const double> values) {
  const auto at = [&](std::size_t ninth) { return values[(2 * ninth + 1) * values.size() / 18]; };
  return middle_of(middle_of(at(0), at(3), at(6)), middle_of(at(1), at(4), at(7)), middle_of(at(2), at(5), at(8)));
}

/// The k-th smallest value. Overwrites both. The loops over many values do not branch on them, which makes it fast.
double value_at_rank(std::span<double> values, std::size_t k, std::span<double> room) {
  for (int round = 0; values.size() > kFew; ++round) {
    const std::size_t n = values.size();
    if (round == 64) {  // bad pivots: adversarial input
      std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(k), values.end());
      return values[k];
    }
    const double pivot = middle_of(values);
    std::size_t below = 0, above = 0;
    for (std::size_t i = 0; i < n; ++i) {
      const double x = values[i];
      values[below] = room[i - below] = x;
      below += x < pivot;
    }
    if (k < below) {
      values = values.first(below);
      continue;
    }
    for (std::size_t i = 0; i < n - below; ++i) {
      const double x = room[i];
      values[above] = x;
      above += x > pivot;
    }
    if (k < n - above) return pivot;
    k -= n - above;
    values = values.first(above);
  }
  insertion_sort(values, std::less<>());
  return values[k];
}

double Vec3<double>::*component(int axis) {
  return axis == 0 ? &Vec3<double>::x : axis == 1 ? &Vec3<double>::y : &Vec3<double>::z;
}

struct Box {
  Vec3<double> lo, hi;
};

class Builder {
 public:
  Builder(std::span<const BvhElement> elements, const BvhRoom& out)
      : elements_(elements),
        out_(out),
        order_(elements.size()),
        keys_(elements.size()),
        values_(elements.size()),
        room_(elements.size()),
        behind_(elements.size()) {
    std::iota(order_.begin(), order_.end(), 0);
  }

  void build() { node({0, elements_.size(), 0}, 0, 0); }

 private:
  /// A node's elements: this range of the order.
  struct Stretch {
    std::size_t first, size;
    int axis;  // along which it is split
  };

  void node(Stretch set, int self, int depth) {
    const Box box = bounds(set);
    const Vec3<double> side = write_node(self, box, depth);
    if (set.size == 1) {
      out_.element[self] = element(order_[set.first]).id;
      return;
    }
    set.axis = side.y >= side.x + kCompileEps ? 1 : 0;
    if (side.z >= side[set.axis] + kCompileEps) set.axis = 2;
    path_.push_back(set);
    halve(set);
    const std::size_t half = set.size / 2;
    const int left = self + 1, right = left + static_cast<int>(bvh_size(half));
    out_.child[2 * self] = left;
    out_.child[2 * self + 1] = right;
    node({set.first, half, 0}, left, depth + 1);
    merged_levels_ = std::min(merged_levels_, path_.size());
    node({set.first + half, set.size - half, 0}, right, depth + 1);
    path_.pop_back();
    merged_levels_ = std::min(merged_levels_, path_.size());
  }

  const BvhElement& element(int index) const { return elements_[static_cast<std::size_t>(index)]; }

  Box bounds(const Stretch& set) const {
    const int* index = &order_[set.first];
    Vec3<double> lo = element(*index).lo, hi = element(*index).hi;
    for (std::size_t i = 1; i < set.size; ++i) {
      const BvhElement& e = element(index[i]);
      lo = {std::min(e.lo.x, lo.x), std::min(e.lo.y, lo.y), std::min(e.lo.z, lo.z)};
      hi = {std::max(e.hi.x, hi.x), std::max(e.hi.y, hi.y), std::max(e.hi.z, hi.z)};
    }
    return {lo, hi};
  }

  /// Returns the sides of the box; a flat one is thickened slightly.
  Vec3<double> write_node(int self, Box box, int depth) {
    double* out = out_.box + 6 * self;
    for (int k = 0; k < 3; ++k) {
      if (box.hi[k] - box.lo[k] < kCompileEps) {
        box.lo[k] -= kCompileEps;
        box.hi[k] += kCompileEps;
      }
      out[k] = 0.5 * (box.hi[k] + box.lo[k]);
      out[3 + k] = 0.5 * (box.hi[k] - box.lo[k]);
    }
    out_.child[2 * self] = out_.child[2 * self + 1] = -1;
    out_.element[self] = -1;
    out_.depth[self] = depth;
    return box.hi - box.lo;
  }

  bool comes_before(int a, int b, int axis) const {
    const double difference = element(a).key[axis] - element(b).key[axis];
    return std::abs(difference) > kCompileEps ? difference < 0 : element(a).id < element(b).id;
  }

  /// Puts the elements of the left child into the first half of the range.
  void halve(const Stretch& set) {
    const std::span<int> order = std::span(order_).subspan(set.first, set.size);
    if (set.size == 2) {
      if (comes_before(order[1], order[0], set.axis)) std::swap(order[0], order[1]);
    } else if (set.size <= kFew ? !halve_few(order, set.axis) : !halve_at_middle(order, set.axis)) {
      merge_path();
      std::copy_n(merged_.begin() + static_cast<std::ptrdiff_t>(set.first), set.size, order.begin());
    }
  }

  /// Splits at the median value, ties by id. Fails if the halves depend on the order of keys that agree within
  /// kCompileEps: if one is close to the median without being equal.
  bool halve_at_middle(std::span<int> order, int axis) {
    const std::size_t n = order.size(), half = n / 2;
    const auto along = component(axis);
    for (std::size_t i = 0; i < n; ++i) values_[i] = keys_[i] = element(order[i]).key.*along;
    const double middle = value_at_rank(std::span(values_).first(n), half, room_);
    std::size_t below = 0, clearly_below = 0;
    for (std::size_t i = 0; i < n; ++i) {
      const double distance = keys_[i] - middle;
      order[below] = behind_[i - below] = order[i];
      below += distance < 0;
      clearly_below += distance < -kCompileEps;
    }
    std::copy_n(behind_.begin(), n - below, order.begin() + static_cast<std::ptrdiff_t>(below));
    return clearly_below == below && (below == half || share_equals(order.subspan(below), half - below, axis));
  }

  /// The same for a few.
  bool halve_few(std::span<int> order, int axis) {
    struct Entry {
      double key;
      int id, index;
    };
    std::array<Entry, kFew> room;
    const std::span<Entry> entries = std::span(room).first(order.size());
    const auto along = component(axis);
    for (std::size_t i = 0; i < order.size(); ++i) {
      const BvhElement& e = element(order[i]);
      entries[i] = {e.key.*along, e.id, order[i]};
    }
    insertion_sort(entries,
                   [](const Entry& a, const Entry& b) { return a.key != b.key ? a.key < b.key : a.id < b.id; });
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = entries[i].index;
    const std::size_t half = order.size() / 2;
    const double last = entries[half - 1].key, first = entries[half].key;
    if (first - last > kCompileEps) return true;
    return first == last && std::none_of(entries.begin(), entries.end(), [&](const Entry& e) {
             return e.key != first && std::abs(e.key - first) <= kCompileEps;
           });
  }

  /// Of elements from a key upward, puts so many of exactly that key first, by id. Fails if other keys are close to it.
  bool share_equals(std::span<int> order, std::size_t count, int axis) {
    const auto first = order.begin() + static_cast<std::ptrdiff_t>(count);
    std::nth_element(order.begin(), first, order.end(), [&](int a, int b) {
      const double x = element(a).key[axis], y = element(b).key[axis];
      return x != y ? x < y : element(a).id < element(b).id;
    });
    const double key = element(*first).key[axis];
    return std::none_of(first, order.end(), [&](int index) {
      const double distance = element(index).key[axis] - key;
      return distance > 0 && distance <= kCompileEps;
    });
  }

  /// MuJoCo 3.12.0 orders by id if keys agree within kCompileEps. That is not transitive, so the result depends on the
  /// algorithm: a stable merge sort applied to the order left by the parents' sorts, which are done here if they were
  /// skipped so far.
  void merge_path() {
    merged_.resize(elements_.size());
    for (; merged_levels_ < path_.size(); ++merged_levels_) {
      const Stretch& set = path_[merged_levels_];
      const auto from = merged_.begin() + static_cast<std::ptrdiff_t>(set.first);
      if (merged_levels_ == 0) std::iota(merged_.begin(), merged_.end(), 0);
      std::stable_sort(from, from + static_cast<std::ptrdiff_t>(set.size),
                       [&](int a, int b) { return comes_before(a, b, set.axis); });
    }
  }

  std::span<const BvhElement> elements_;
  BvhRoom out_;
  std::vector<int> order_;
  std::vector<double> keys_, values_, room_;  // while a node is split
  std::vector<int> behind_;
  std::vector<Stretch> path_;  // from the root to the node being split
  std::vector<int> merged_;    // elements in the order of the merge sorts of the first merged_levels_ of the path
  std::size_t merged_levels_ = 0;
};

}  // namespace

void build_bvh(std::vector<BvhElement> elements, const BvhRoom& out) {
  // a NaN key (degenerate triangle) would break the order: such elements are sorted by their box
  for (BvhElement& e : elements)
    if (!std::isfinite(e.key.x) || !std::isfinite(e.key.y) || !std::isfinite(e.key.z)) e.key = (e.lo + e.hi) * 0.5;
  if (!elements.empty()) Builder(elements, out).build();
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
