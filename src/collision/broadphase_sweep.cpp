#include "collision/broadphase_sweep.h"

#include <cstdint>
#include <cstring>

#include "base/arena.h"
#include "collision/touching.h"

// Sweep and prune in the columns of a grid. The sweep runs along the axis in which the bodies are spread most; the
// other two axes are divided into cells about two bodies wide, and each column of cells is swept separately. A body
// belongs to every column that its box touches; a pair found in several columns is reported by the one that contains
// the larger of the two lower corners. So the work is linear in the number of bodies at constant density. The few
// bodies that would touch many columns are compared with all others.

namespace sinew {
namespace {

/// Up to this number all pairs of bodies are compared, without a grid. Measured with boxes that do not touch, the grid
/// is as fast at 64 bodies (2.7 µs) and faster at 128 (5.5 against 7.7 µs); in a heap, with many pairs, it is slower up
/// to 300 (128 bodies: 87 against 83 µs).
constexpr int kComparedBodies = 128;
/// Up to this number bodies are sorted by comparison, otherwise by radix sort. Measured for the stage with boxes that
/// do not touch: 200 of them 9.5 against 11.2 µs, 1,000 equal, 3,000 of them 164 against 153, 10,000 of them 1.09
/// against 0.72 ms.
constexpr int kSortedByComparing = 1000;
/// A body in more cells than this is compared with all others: only a few bodies are that large.
constexpr int kManyCells = 16;

/// Pairs as they are found, in chunks of doubling size; the filters are applied immediately.
class PairCollector {
 public:
  PairCollector(const Model& m, const Data& d, const Bounds& bounds, Scratch& scratch)
      : m_(m), sleep_(sleep_view(m, d)), touching_(m, d), bounds_(bounds), scratch_(scratch) {
    capacity_ = 4 * static_cast<std::size_t>(m.nbody) + 16;
    pair_ = scratch.take<BodyPair>(capacity_);
    filter_ = scratch.take<BodyFilter>(m.nbody);
    for (int b = 0; b < m.nbody; ++b) filter_[b] = BodyFilter(m, sleep_, b);
  }

  /// Adds two bodies if their boxes overlap. Overlaps no larger than rounding and the slack of the boxes are rare:
  /// hair_ is an upper bound of these.
  void add_near(int a, int b) {
    const double depth = overlap_depth(bounds_.body[a], bounds_.body[b]);
    if (!(depth >= 0) || !bodies_may_collide(filter_[a], filter_[b])) return;
    if (a > b) std::swap(a, b);
    if (depth <= hair_ && touching_.drops({a, b}, bounds_.body[a], bounds_.body[b])) return;
    push(a, b);
  }
  /// Registers a body that will be passed to add_near().
  void prepare(int body) {
    const Box& box = bounds_.body[body];
    for (int k = 0; k < 3; ++k) hair_ = std::max(hair_, 2 * TouchingRule::kHairs * std::max(-box.lo[k], box.hi[k]));
  }
  void add(int a, int b) {
    if (!bodies_may_collide(filter_[a], filter_[b])) return;
    push(std::min(a, b), std::max(a, b));
  }
  std::size_t count() const { return count_; }
  const BodyPair* pairs() const { return pair_; }

 private:
  void push(int first, int second) {
    if (count_ == capacity_) grow();
    pair_[count_++] = {first, second};
  }
  void grow() {
    BodyPair* larger = scratch_.take<BodyPair>(2 * capacity_);
    std::memcpy(larger, pair_, count_ * sizeof(BodyPair));
    pair_ = larger;
    capacity_ *= 2;
  }

  const Model& m_;
  SleepView sleep_;
  TouchingRule touching_;
  const Bounds& bounds_;
  Scratch& scratch_;
  double hair_ = 0;
  BodyFilter* filter_ = nullptr;
  std::size_t capacity_ = 0, count_ = 0;
  BodyPair* pair_ = nullptr;
};

/// Ascending by key; keys are the bits of floats, mapped to be monotonic. Three passes of eleven bits.
void radix_sort(std::uint32_t* key, int* value, int n, Scratch& scratch) {
  constexpr int kBits = 11, kBuckets = 1 << kBits;
  std::uint32_t* other_key = scratch.take<std::uint32_t>(n);
  int* other_value = scratch.take<int>(n);
  for (int pass = 0; pass < 3; ++pass) {
    int start[kBuckets + 1] = {};
    const int shift = kBits * pass;
    for (int i = 0; i < n; ++i) ++start[(key[i] >> shift & (kBuckets - 1)) + 1];
    for (int b = 0; b < kBuckets; ++b) start[b + 1] += start[b];
    for (int i = 0; i < n; ++i) {
      const int to = start[key[i] >> shift & (kBuckets - 1)]++;
      other_key[to] = key[i];
      other_value[to] = value[i];
    }
    std::swap(key, other_key);
    std::swap(value, other_value);
  }
  // an odd number of passes: the result is in the other arrays
  std::memcpy(other_value, value, n * sizeof(int));
}

/// The bits of x, rounded to float, mapped so that unsigned comparison gives numeric order.
std::uint32_t ordered_bits(double x) {
  const float f = static_cast<float>(x);
  std::uint32_t u;
  std::memcpy(&u, &f, sizeof u);
  return u & 0x80000000u ? ~u : u | 0x80000000u;
}

/// The grid perpendicular to the sweep axis.
struct Columns {
  int axis[3];  // sweep axis, then the two grid axes
  double origin[2], inverse_width[2];
  int count[2];

  int cell(int k, double x) const {
    const double c = (x - origin[k]) * inverse_width[k];
    return c <= 0 ? 0 : c >= count[k] - 1 ? count[k] - 1 : static_cast<int>(c);
  }
  /// The column that reports two overlapping boxes.
  int column_of(const Box& a, const Box& b) const {
    return cell(0, std::max(a.lo[axis[1]], b.lo[axis[1]])) * count[1] + cell(1, std::max(a.lo[axis[2]], b.lo[axis[2]]));
  }
};

/// About one column per body, at least twice the mean width of a body.
Columns make_columns(const Box* box, const int* body, int n) {
  double lo[3], hi[3], width[3] = {}, mean[3] = {}, spread[3] = {};
  for (int k = 0; k < 3; ++k) {
    lo[k] = 1e300;
    hi[k] = -1e300;
  }
  for (int i = 0; i < n; ++i) {
    const Box& b = box[body[i]];
    for (int k = 0; k < 3; ++k) {
      lo[k] = std::min(lo[k], b.lo[k]);
      hi[k] = std::max(hi[k], b.hi[k]);
      width[k] += b.hi[k] - b.lo[k];
      mean[k] += b.lo[k] + b.hi[k];
    }
  }
  for (int k = 0; k < 3; ++k) {
    width[k] /= n;
    mean[k] /= 2 * n;
  }
  for (int i = 0; i < n; ++i)
    for (int k = 0; k < 3; ++k) {
      const double offset = 0.5 * (box[body[i]].lo[k] + box[body[i]].hi[k]) - mean[k];
      spread[k] += offset * offset;
    }
  Columns c;
  c.axis[0] = spread[0] >= spread[1] && spread[0] >= spread[2] ? 0 : spread[1] >= spread[2] ? 1 : 2;
  c.axis[1] = (c.axis[0] + 1) % 3;
  c.axis[2] = (c.axis[0] + 2) % 3;
  const double most = std::max(1.0, std::sqrt(static_cast<double>(n)));
  for (int k = 0; k < 2; ++k) {
    const int axis = c.axis[k + 1];
    const double extent = hi[axis] - lo[axis];
    const double cells = std::min(most, extent / (2 * width[axis]));
    c.count[k] = cells > 1 ? static_cast<int>(cells) : 1;
    c.origin[k] = lo[axis];
    c.inverse_width[k] = extent > 0 ? c.count[k] / extent : 0;
  }
  return c;
}

/// The cells of one body: [lo, hi] in both grid axes.
struct CellRange {
  int lo[2], hi[2];
  int number() const { return (hi[0] - lo[0] + 1) * (hi[1] - lo[1] + 1); }
};

CellRange cells_of(const Columns& c, const Box& b) {
  CellRange r;
  for (int k = 0; k < 2; ++k) {
    r.lo[k] = c.cell(k, b.lo[c.axis[k + 1]]);
    r.hi[k] = c.cell(k, b.hi[c.axis[k + 1]]);
  }
  return r;
}

/// Boxes in contiguous arrays, in single precision and rounded outwards.
struct FlatBoxes {
  float *lo[3], *hi[3];

  FlatBoxes(int n, Scratch& scratch) {
    for (int k = 0; k < 3; ++k) {
      lo[k] = scratch.take<float>(n);
      hi[k] = scratch.take<float>(n);
    }
  }
  void set(int i, const int axis[3], const Box& b) const {
    for (int k = 0; k < 3; ++k) {
      lo[k][i] = below(b.lo[axis[k]]);
      hi[k][i] = above(b.hi[axis[k]]);
    }
  }
  /// The boxes of [begin, end) that overlap box i in the axes from `first` on. Branchless: most of them miss.
  template <int first>
  int meet(int i, int begin, int end, int* found) const {
    using Floats = float __attribute__((vector_size(16)));
    using Masks = int __attribute__((vector_size(16)));
    const auto load = [](const float* p) {
      Floats v;
      std::memcpy(&v, p, sizeof v);
      return v;
    };
    int count = 0, j = begin;
    for (; j + 4 <= end; j += 4) {
      Masks meets = load(lo[first] + j) <= hi[first][i];
      meets &= load(hi[first] + j) >= lo[first][i];
      for (int k = first + 1; k < 3; ++k) meets &= (load(lo[k] + j) <= hi[k][i]) & (load(hi[k] + j) >= lo[k][i]);
      int lane[4];
      std::memcpy(lane, &meets, sizeof lane);
      for (int k = 0; k < 4; ++k) {
        found[count] = j + k;
        count -= lane[k];  // a lane that is true is -1
      }
    }
    for (; j < end; ++j) {
      int meets = 1;
      for (int k = first; k < 3; ++k) meets &= (lo[k][j] <= hi[k][i]) & (hi[k][j] >= lo[k][i]);
      found[count] = j;
      count += meets;
    }
    return count;
  }
  static float below(double x) { return static_cast<float>(x - kFloatStep * std::abs(x)); }
  static float above(double x) { return static_cast<float>(x + kFloatStep * std::abs(x)); }
  static constexpr double kFloatStep = 1.2e-7;
};

/// Sweeps one column, whose bodies are in ascending order of their lower bounds.
void sweep(const Columns& c, const Box* box, const int* body, int n, int column, const FlatBoxes& f, int* near,
           PairCollector& out) {
  for (int i = 0; i < n; ++i) f.set(i, c.axis, box[body[i]]);
  for (int i = 0; i < n; ++i) {
    int end = i + 1;
    while (end < n && f.lo[0][end] <= f.hi[0][i]) ++end;
    const int count = f.meet<1>(i, i + 1, end, near);
    const Box& a = box[body[i]];
    for (int k = 0; k < count; ++k) {
      const Box& b = box[body[near[k]]];
      if (c.column_of(a, b) == column) out.add_near(body[i], body[near[k]]);
    }
  }
}

/// Bodies in ascending order of their lower bound along the axis.
void sort_along(const Box* box, int axis, int* body, int n, Scratch& scratch) {
  if (n <= kSortedByComparing) {
    std::uint64_t* item = scratch.take<std::uint64_t>(n);
    for (int i = 0; i < n; ++i) {
      const std::uint64_t key = ordered_bits(box[body[i]].lo[axis]);
      item[i] = key << 32 | static_cast<std::uint32_t>(body[i]);
    }
    std::sort(item, item + n);
    for (int i = 0; i < n; ++i) body[i] = static_cast<int>(item[i] & 0xffffffffu);
    return;
  }
  std::uint32_t* key = scratch.take<std::uint32_t>(n);
  for (int i = 0; i < n; ++i) key[i] = ordered_bits(box[body[i]].lo[axis]);
  radix_sort(key, body, n, scratch);
}

/// All pairs of a few bodies.
void compare_all(const Box* box, const int* body, int n, Scratch& scratch, PairCollector& out) {
  constexpr int kAxes[3] = {0, 1, 2};
  const FlatBoxes f(n, scratch);
  int* near = scratch.take<int>(n + 1);
  for (int i = 0; i < n; ++i) f.set(i, kAxes, box[body[i]]);
  for (int i = 0; i < n; ++i) {
    const int count = f.meet<0>(i, i + 1, n, near);
    for (int k = 0; k < count; ++k) out.add_near(body[i], body[near[k]]);
  }
}

void sweep_columns(const Box* box, int* body, int n, Scratch& scratch, PairCollector& out) {
  if (n <= kComparedBodies) return compare_all(box, body, n, scratch, out);
  const Columns c = make_columns(box, body, n);
  sort_along(box, c.axis[0], body, n, scratch);

  const int columns = c.count[0] * c.count[1];
  int* start = scratch.zeros<int>(columns + 2);
  int* large = scratch.take<int>(n);
  CellRange* range = scratch.take<CellRange>(n);
  int nlarge = 0, entries = 0;
  for (int i = 0; i < n; ++i) {
    range[i] = cells_of(c, box[body[i]]);
    if (range[i].number() > kManyCells) {
      large[nlarge++] = i;
      continue;
    }
    entries += range[i].number();
    for (int y = range[i].lo[0]; y <= range[i].hi[0]; ++y)
      for (int z = range[i].lo[1]; z <= range[i].hi[1]; ++z) ++start[y * c.count[1] + z + 2];
  }
  for (int k = 0; k <= columns; ++k) start[k + 1] += start[k];
  int* member = scratch.take<int>(entries);
  for (int i = 0; i < n; ++i) {
    if (range[i].number() > kManyCells) continue;
    for (int y = range[i].lo[0]; y <= range[i].hi[0]; ++y)
      for (int z = range[i].lo[1]; z <= range[i].hi[1]; ++z) member[start[y * c.count[1] + z + 1]++] = body[i];
  }
  const FlatBoxes boxes(n, scratch);
  int* near = scratch.take<int>(n + 1);
  for (int k = 0; k < columns; ++k) sweep(c, box, member + start[k], start[k + 1] - start[k], k, boxes, near, out);
  for (int l = 0; l < nlarge; ++l) {
    const int i = large[l];
    for (int j = 0; j < n; ++j) {
      const bool also_large = range[j].number() > kManyCells;
      if (j == i || (also_large && j < i)) continue;
      out.add_near(body[i], body[j]);
    }
  }
}

/// Ascending by (first, second): counting sort by the first, then small insertion sorts.
BodyPairs sorted(const Model& m, const PairCollector& found, Scratch& scratch) {
  const auto before = [](const BodyPair& x, const BodyPair& y) {
    return x.first != y.first ? x.first < y.first : x.second < y.second;
  };
  if (std::is_sorted(found.pairs(), found.pairs() + found.count(), before)) return {found.pairs(), found.count()};
  BodyPair* pair = scratch.take<BodyPair>(found.count());
  int* start = scratch.zeros<int>(m.nbody + 1);
  for (std::size_t i = 0; i < found.count(); ++i) ++start[found.pairs()[i].first + 1];
  for (int b = 0; b < m.nbody; ++b) start[b + 1] += start[b];
  int* fill = scratch.take<int>(m.nbody);
  std::memcpy(fill, start, m.nbody * sizeof(int));
  for (std::size_t i = 0; i < found.count(); ++i) pair[fill[found.pairs()[i].first]++] = found.pairs()[i];
  for (int b = 0; b < m.nbody; ++b)
    if (start[b + 1] - start[b] > 1) std::sort(pair + start[b], pair + start[b + 1], before);
  return {pair, found.count()};
}

}  // namespace

BodyPairs body_pairs(const Model& m, const Data& d, const Bounds& bounds, Scratch& scratch) {
  const int nbody = static_cast<int>(m.nbody);
  PairCollector found(m, d, bounds, scratch);
  int* body = scratch.take<int>(nbody);
  int* everywhere = scratch.take<int>(nbody);
  int n = 0, neverywhere = 0;
  for (int b = 0; b < nbody; ++b) {
    if (!body_is_collidable(m, b)) continue;
    if (meets_every_body(m, b)) {
      everywhere[neverywhere++] = b;
    } else if (bounds.body[b].finite()) {
      body[n++] = b;
      found.prepare(b);
    }
  }
  for (int e = 0; e < neverywhere; ++e) {
    for (int i = 0; i < n; ++i) found.add(everywhere[e], body[i]);
    for (int f = e + 1; f < neverywhere; ++f) found.add(everywhere[e], everywhere[f]);
  }
  sweep_columns(bounds.body, body, n, scratch, found);
  return sorted(m, found, scratch);
}

}  // namespace sinew
