#include "geometry/octree.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "base/limits.h"

namespace sinew {
namespace {

using Vec = Vec3<double>;

constexpr double kRootScale = 1.1;  // the root extends slightly beyond the mesh

struct Corners {
  Vec a, b, c, normal;
};

/// Signed distance of a point to a triangle soup, by its bounding-volume tree.
class SurfaceDistance {
 public:
  explicit SurfaceDistance(const CompiledMesh& mesh) : bvh_(build_bvh(triangle_boxes(mesh.vertex, mesh.face))) {
    for (std::size_t i = 0; i < mesh.face.size(); i += 3) {
      auto at = [&](std::size_t k) { return Vec::load(&mesh.vertex[3 * static_cast<std::size_t>(mesh.face[i + k])]); };
      triangles_.push_back({at(0), at(1), at(2), cross(at(1) - at(0), at(2) - at(0))});
    }
  }
  const std::vector<Corners>& triangles() const { return triangles_; }

  double operator()(const Vec& p) const {
    Nearest best;
    search(p, 0, best);
    const Vec to_point = p - best.point;
    const Corners& t = triangles_[static_cast<std::size_t>(best.face)];
    const double distance = std::sqrt(best.squared);
    return dot(to_point, t.normal) > 1e-12 * norm(t.normal) * distance ? distance : -distance;
  }

 private:
  struct Nearest {
    double squared = std::numeric_limits<double>::infinity();
    Vec point;
    int face = 0;
  };

  static double squared_to_box(const Vec& p, const std::array<double, 6>& box) {
    double sum = 0;
    for (int k = 0; k < 3; ++k) {
      const double out = std::max(0.0, std::abs(p[k] - box[k]) - box[3 + k]);
      sum += out * out;
    }
    return sum;
  }

  void search(const Vec& p, int node, Nearest& best) const {
    const auto n = static_cast<std::size_t>(node);
    if (squared_to_box(p, bvh_.box[n]) >= best.squared) return;
    const int face = bvh_.element[n];
    if (face >= 0) {
      const Vec q = closest_point(p, triangles_[static_cast<std::size_t>(face)]);
      const double squared = dot(p - q, p - q);
      if (squared < best.squared) best = {squared, q, face};
      return;
    }
    search(p, bvh_.child[n][0], best);
    search(p, bvh_.child[n][1], best);
  }

  /// The nearest point of a triangle by the region that p projects into (vertex, edge or face).
  static Vec closest_point(const Vec& p, const Corners& t) {
    const Vec ab = t.b - t.a, ac = t.c - t.a, ap = p - t.a;
    const double d1 = dot(ab, ap), d2 = dot(ac, ap);
    if (d1 <= 0 && d2 <= 0) return t.a;
    const Vec bp = p - t.b;
    const double d3 = dot(ab, bp), d4 = dot(ac, bp);
    if (d3 >= 0 && d4 <= d3) return t.b;
    const double vc = d1 * d4 - d3 * d2;
    if (vc <= 0 && d1 >= 0 && d3 <= 0) return t.a + ab * (d1 / (d1 - d3));
    const Vec cp = p - t.c;
    const double d5 = dot(ab, cp), d6 = dot(ac, cp);
    if (d6 >= 0 && d5 <= d6) return t.c;
    const double vb = d5 * d2 - d1 * d6;
    if (vb <= 0 && d2 >= 0 && d6 <= 0) return t.a + ac * (d2 / (d2 - d6));
    const double va = d3 * d6 - d5 * d4;
    if (va <= 0 && d4 - d3 >= 0 && d5 - d6 >= 0) return t.b + (t.c - t.b) * ((d4 - d3) / ((d4 - d3) + (d5 - d6)));
    const double scale = 1 / (va + vb + vc);
    return t.a + ab * (vb * scale) + ac * (vc * scale);
  }

  Bvh bvh_;
  std::vector<Corners> triangles_;
};

/// Closed overlap of a triangle and an axis-aligned box: bounds, the triangle's plane, and its edges projected along
/// the three axes (Schwarz and Seidel 2010, "Fast parallel surface and solid voxelization").
bool overlaps(const Corners& t, const Vec& lo, const Vec& hi) {
  for (int k = 0; k < 3; ++k)
    if (std::min({t.a[k], t.b[k], t.c[k]}) > hi[k] || std::max({t.a[k], t.b[k], t.c[k]}) < lo[k]) return false;
  const Vec side = hi - lo;
  const Vec far = {t.normal.x > 0 ? side.x : 0, t.normal.y > 0 ? side.y : 0, t.normal.z > 0 ? side.z : 0};
  const double d1 = dot(t.normal, far - t.a), d2 = dot(t.normal, (side - far) - t.a);
  const double base = dot(t.normal, lo);
  if ((base + d1) * (base + d2) > 0) return false;
  const Vec corner[3] = {t.a, t.b, t.c};
  for (int axis = 0; axis < 3; ++axis) {
    const int u = (axis + 1) % 3, v = (axis + 2) % 3;
    const double sign = t.normal[axis] < 0 ? -1 : 1;
    for (int e = 0; e < 3; ++e) {
      const Vec edge = corner[(e + 1) % 3] - corner[e];
      const double nu = -edge[v] * sign, nv = edge[u] * sign;
      const double offset =
          -(nu * corner[e][u] + nv * corner[e][v]) + std::max(0.0, side[u] * nu) + std::max(0.0, side[v] * nv);
      if (nu * lo[u] + nv * lo[v] + offset < 0) return false;
    }
  }
  return true;
}

/// Position of a corner on the grid of the deepest level: equal corners of different nodes are equal.
using GridPoint = std::array<int, 3>;

class Builder {
 public:
  Builder(const CompiledMesh& mesh, Budget* budget) : distance_(mesh), budget_(budget) {
    const Vec center = (mesh.lo + mesh.hi) * 0.5, half = (mesh.hi - mesh.lo) * (0.5 * kRootScale);
    lo_ = center - half;
    hi_ = center + half;
    std::vector<int> all(distance_.triangles().size());
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<int>(i);
    add_node({lo_, hi_, {0, 0, 0}, 0, std::move(all)});
  }

  Octree build() {
    for (std::size_t i = 0; i < nodes_.size(); ++i) {  // breadth first: children are appended
      Node& node = nodes_[i];
      if (node.level < limits::kOctreeLevel && !node.touching.empty()) subdivide(static_cast<int>(i));
      nodes_[i].touching.clear();
    }
    balance();
    evaluate();
    return std::move(tree_);
  }

 private:
  struct Node {
    Vec lo, hi;
    GridPoint at;  // lower corner, in units of the deepest cells
    int level;
    std::vector<int> touching;
  };

  static constexpr double kUnknown = std::numeric_limits<double>::infinity();

  static int cells(int level) { return 1 << (limits::kOctreeLevel - level); }

  int add_node(Node node) {
    std::erase_if(node.touching, [&](int i) {
      return !overlaps(distance_.triangles()[static_cast<std::size_t>(i)], node.lo, node.hi);
    });
    tree_.depth.push_back(node.level);
    tree_.child.push_back({-1, -1, -1, -1, -1, -1, -1, -1});
    const Vec c = (node.lo + node.hi) * 0.5, h = (node.hi - node.lo) * 0.5;
    tree_.box.push_back({c.x, c.y, c.z, h.x, h.y, h.z});
    nodes_.push_back(std::move(node));
    return static_cast<int>(nodes_.size()) - 1;
  }

  void subdivide(int index) {
    go_on();
    const Node parent = nodes_[static_cast<std::size_t>(index)];
    const Vec mid = (parent.lo + parent.hi) * 0.5;
    const int half = cells(parent.level + 1);
    for (int k = 0; k < 8; ++k) {
      Node child{parent.lo, parent.hi, parent.at, parent.level + 1, parent.touching};
      for (int axis = 0; axis < 3; ++axis) {
        if (k >> axis & 1) {
          child.lo[axis] = mid[axis];
          child.at[static_cast<std::size_t>(axis)] += half;
        } else {
          child.hi[axis] = mid[axis];
        }
      }
      const int id = add_node(std::move(child));
      tree_.child[static_cast<std::size_t>(index)][static_cast<std::size_t>(k)] = id;
    }
  }

  bool is_leaf(int i) const { return tree_.child[static_cast<std::size_t>(i)][0] < 0; }

  /// The leaf that holds a cell of the deepest level; -1 outside.
  int leaf_at(const GridPoint& p) const {
    for (const int x : p)
      if (x < 0 || x >= cells(0)) return -1;
    int node = 0;
    // the bits of a coordinate, highest first, select the half of the node, level by level
    for (int bit = limits::kOctreeLevel - 1; !is_leaf(node); --bit) {
      const int k = (p[0] >> bit & 1) | (p[1] >> bit & 1) << 1 | (p[2] >> bit & 1) << 2;
      node = tree_.child[static_cast<std::size_t>(node)][static_cast<std::size_t>(k)];
    }
    return node;
  }

  /// Refines until neighboring leaves differ by at most one level.
  void balance() {
    for (bool changed = true; changed;) {
      changed = false;
      std::vector<int> marked;
      std::vector<char> is_marked(nodes_.size(), 0);
      for (int leaf = 0; leaf < static_cast<int>(nodes_.size()); ++leaf) {
        if (!is_leaf(leaf)) continue;
        const Node& n = nodes_[static_cast<std::size_t>(leaf)];
        for (int axis = 0; axis < 3; ++axis)
          for (const int step : {-1, cells(n.level)}) {
            GridPoint p = n.at;
            p[static_cast<std::size_t>(axis)] += step;
            const int other = leaf_at(p);
            if (other < 0) continue;
            const int coarser = nodes_[static_cast<std::size_t>(other)].level < n.level ? other : leaf;
            const int difference = std::abs(nodes_[static_cast<std::size_t>(other)].level - n.level);
            if (difference > 1 && !is_marked[static_cast<std::size_t>(coarser)]) {
              is_marked[static_cast<std::size_t>(coarser)] = 1;
              marked.push_back(coarser);
            }
          }
      }
      for (const int i : marked) subdivide(i);
      changed = !marked.empty();
    }
  }

  /// Halved as the boxes are, so that it is the corner of a box to the bit: where the nearest point of the mesh is on
  /// an edge, rounding decides which face it belongs to, and with it the sign.
  Vec position(const GridPoint& p) const {
    Vec out;
    for (int k = 0; k < 3; ++k) {
      double lo = lo_[k], hi = hi_[k];
      int first = 0, last = cells(0);
      const int at = p[static_cast<std::size_t>(k)];
      while (at != first && at != last) {
        const double mid = (lo + hi) * 0.5;
        const int middle = (first + last) / 2;
        (at < middle ? hi : lo) = mid;
        (at < middle ? last : first) = middle;
      }
      out[k] = at == first ? lo : hi;
    }
    return out;
  }

  /// A hanging corner lies on a face or an edge of a coarser leaf: its value is the mean of that leaf's corners (of the
  /// finest such leaf, if they differ), so that the field is continuous.
  double value_at(const GridPoint& p) {
    constexpr std::size_t kSide = (std::size_t{1} << limits::kOctreeLevel) + 1;
    const auto at = [](int x) { return static_cast<std::size_t>(x); };
    if (values_.empty()) values_.assign(kSide * kSide * kSide, kUnknown);
    double& known = values_[(at(p[0]) * kSide + at(p[1])) * kSide + at(p[2])];
    if (known != kUnknown) return known;
    double value = 0;
    if (const Support support = hanging_support(p); support.size > 0) {
      for (std::size_t i = 0; i < support.size; ++i)
        value += value_at(support.point[i]) / static_cast<double>(support.size);
    } else {
      value = distance_(position(p));
    }
    return known = value;
  }

  /// The corners whose mean is the value of a hanging corner.
  struct Support {
    std::array<GridPoint, 8> point;
    std::size_t size = 0;
  };

  Support hanging_support(const GridPoint& p) const {
    Support best;
    int best_level = -1;
    for (int k = 0; k < 8; ++k) {
      const GridPoint cell = {p[0] - (k & 1), p[1] - (k >> 1 & 1), p[2] - (k >> 2 & 1)};
      const int leaf = leaf_at(cell);
      if (leaf < 0) continue;
      const Node& n = nodes_[static_cast<std::size_t>(leaf)];
      const int size = cells(n.level);
      if (n.level <= best_level) continue;
      const auto inside = [&](std::size_t axis) { return p[axis] > n.at[axis] && p[axis] < n.at[axis] + size; };
      const bool hangs = inside(0) || inside(1) || inside(2);
      const std::size_t normal = !inside(0) ? 0 : !inside(1) ? 1 : 2;  // of the face; its corners in cyclic order
      Support support;
      support.point[support.size++] = n.at;
      for (const std::size_t axis : {normal, (normal + 1) % 3, (normal + 2) % 3}) {
        const std::size_t count = support.size;
        for (std::size_t s = 0; s < count; ++s) {
          if (p[axis] == n.at[axis] + size) support.point[s][axis] += size;
          if (inside(axis)) {
            support.point[support.size] = support.point[s];
            support.point[support.size++][axis] += size;
          }
        }
      }
      if (hangs) {
        best_level = n.level;
        best = support;
      }
    }
    return best;
  }

  void evaluate() {
    tree_.value.assign(nodes_.size(), {});
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      go_on();
      const Node& n = nodes_[i];
      const int size = cells(n.level);
      for (std::size_t k = 0; k < 8; ++k) {
        GridPoint p = n.at;
        for (std::size_t axis = 0; axis < 3; ++axis)
          if (k >> axis & 1) p[axis] += size;
        tree_.value[i][k] = value_at(p);
      }
    }
  }

  void go_on() {
    if (budget_) budget_->go_on();
  }

  SurfaceDistance distance_;
  Budget* budget_;
  Vec lo_, hi_;
  std::vector<Node> nodes_;
  std::vector<double> values_;  // at corners of the deepest level, if known
  Octree tree_;
};

}  // namespace

Octree build_octree(const CompiledMesh& mesh, Budget* budget) { return Builder(mesh, budget).build(); }

}  // namespace sinew
