#include "spec/flex_shapes.h"

#include <algorithm>
#include <cmath>

#include "math/elementary.h"
#include "math/rigid.h"

namespace sinew::mjcf {
namespace {

using rigid::Vec;

/// Divides the first two components by their length, unless that is too small or already 1.
void unit_in_plane(Vec& v) {
  Vec flat = {v.x, v.y, 0};
  rigid::unit(flat);
  v.x = flat.x;
  v.y = flat.y;
}

class LatticeMaker {
 public:
  explicit LatticeMaker(const FlexLattice& lattice) : l_(lattice), n_(lattice.count) {
    for (std::size_t k = 0; k < 3; ++k) half_[static_cast<int>(k)] = 0.5 * l_.spacing[k] * (n_[k] - 1);
  }

  FlexPoints make() {
    if (is_box()) {
      box();
    } else if (l_.dim == 1 && l_.shape == FlexShape::Circle) {
      circle();
    } else if (l_.dim == 1) {
      line();
    } else if (l_.dim == 2) {
      surface();
    } else {
      volume();
    }
    return std::move(out_);
  }

 private:
  bool is_box() const {
    return l_.shape == FlexShape::Box || l_.shape == FlexShape::Cylinder || l_.shape == FlexShape::Ellipsoid;
  }

  void add_point(const Vec& p) { out_.point.insert(out_.point.end(), {p.x, p.y, p.z}); }
  void add_texcoord(int i, int ni, int j, int nj) {
    if (!l_.textured) return;
    out_.texcoord.push_back(static_cast<float>(i) / static_cast<float>(std::max(ni - 1, 1)));
    out_.texcoord.push_back(static_cast<float>(j) / static_cast<float>(std::max(nj - 1, 1)));
  }
  void add_element(std::initializer_list<int> vertices) {
    out_.element.insert(out_.element.end(), vertices.begin(), vertices.end());
  }
  double along(std::size_t axis, int i) const { return l_.spacing[axis] * (i - 0.5 * (n_[axis] - 1)); }

  void line() {
    for (int i = 0; i < n_[0]; ++i) add_point({along(0, i), 0, 0});
    for (int i = 0; i + 1 < n_[0]; ++i) add_element({i, i + 1});
  }

  void circle() {
    const int n = n_[0] - 1;
    const double angle = 2 * kPi / n, radius = l_.spacing[0] / elementary::sin(angle / 2) / 2;
    for (int i = 0; i < n; ++i) {
      add_point({radius * elementary::cos(angle * i), radius * elementary::sin(angle * i), 0});
      add_element({i, i + 1 == n ? 0 : i + 1});
    }
  }

  void surface() {
    const bool disc = l_.shape == FlexShape::Disc;
    const auto at = [&](int i, int j) { return i * n_[1] + j; };
    for (int i = 0; i < n_[0]; ++i) {
      for (int j = 0; j < n_[1]; ++j) {
        const Vec p = {along(0, i), along(1, j), 0};
        add_point(p);
        add_texcoord(i, n_[0], j, n_[1]);
        if (i + 1 == n_[0] || j + 1 == n_[1]) continue;
        const int q[4] = {at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)};
        // the diagonals of a disc point away from its center
        const bool flip =
            disc && ((p.x < -kCompileEps && p.y > -kCompileEps) || (p.x > -kCompileEps && p.y < -kCompileEps));
        if (flip) {
          add_element({q[0], q[1], q[3]});
          add_element({q[1], q[2], q[3]});
        } else {
          add_element({q[0], q[1], q[2]});
          add_element({q[0], q[2], q[3]});
        }
      }
    }
    if (!disc) return;
    // MuJoCo 3.12.0 scales by the distance in meters, so a disc of half size S has the radius S²
    for (std::size_t v = 0; v < out_.point.size(); v += 3) {
      Vec p = Vec::load(&out_.point[v]);
      const double reach = std::max(std::abs(p.x), std::abs(p.y));
      unit_in_plane(p);
      p.x *= half_.x * reach;
      p.y *= half_.y * reach;
      p.store(&out_.point[v]);
    }
  }

  /// Each cell is cut into six tetrahedra around its diagonal.
  void volume() {
    constexpr int kTetrahedra[6][4] = {{0, 3, 1, 7}, {0, 1, 4, 7}, {1, 3, 2, 7},
                                       {1, 2, 6, 7}, {1, 5, 4, 7}, {1, 6, 5, 7}};
    const auto at = [&](int i, int j, int k) { return (i * n_[1] + j) * n_[2] + k; };
    for (int i = 0; i < n_[0]; ++i) {
      for (int j = 0; j < n_[1]; ++j) {
        for (int k = 0; k < n_[2]; ++k) {
          add_point({along(0, i), along(1, j), along(2, k)});
          add_texcoord(i, n_[0], j, n_[1]);
          if (i + 1 == n_[0] || j + 1 == n_[1] || k + 1 == n_[2]) continue;
          const int corner[8] = {at(i, j, k),     at(i + 1, j, k),     at(i + 1, j + 1, k),     at(i, j + 1, k),
                                 at(i, j, k + 1), at(i + 1, j, k + 1), at(i + 1, j + 1, k + 1), at(i, j + 1, k + 1)};
          for (const auto& t : kTetrahedra) add_element({corner[t[0]], corner[t[1]], corner[t[2]], corner[t[3]]});
        }
      }
    }
  }

  /// A point of the surface of the lattice.
  Vec on_box(int i, int j, int k) const {
    Vec p = {2.0 * i / (n_[0] - 1) - 1, 2.0 * j / (n_[1] - 1) - 1, 2.0 * k / (n_[2] - 1) - 1};
    Vec size = half_;
    if (l_.shape == FlexShape::Cylinder) {
      const double reach = std::max(std::abs(p.x), std::abs(p.y));
      unit_in_plane(p);
      size.x *= reach;
      size.y *= reach;
    } else if (l_.shape == FlexShape::Ellipsoid) {
      rigid::unit(p);
    }
    return {p.x * size.x, p.y * size.y, p.z * size.z};
  }

  void add_box_point(int i, int j, int k) {
    const Vec p = on_box(i, j, k);
    place_[index(i, j, k)] = static_cast<int>(out_.point.size() / 3);
    add_point(p);
  }
  std::size_t index(int i, int j, int k) const {
    const auto wide = [](int x) { return static_cast<std::size_t>(x); };
    return (wide(i) * wide(n_[1]) + wide(j)) * wide(n_[2]) + wide(k);
  }
  int at(int i, int j, int k) const { return place_[index(i, j, k)]; }

  /// Points of the six faces; a surface (dim 2) has no top. A solid (dim 3) has its center as point 0.
  void box() {
    const bool solid = l_.dim == 3;
    const int top = n_[2] - 1, back = n_[1] - 1, right = n_[0] - 1, last = solid ? top : n_[2];
    place_.assign(index(right, back, top) + 1, -1);
    if (solid) {
      add_point({});
      if (l_.textured) out_.texcoord.insert(out_.texcoord.end(), {0, 0});
    }
    for (int k = 0; k <= (solid ? top : 0); k += top) {
      for (int i = 0; i <= right; ++i) {
        for (int j = 0; j <= back; ++j) {
          add_box_point(i, j, k);
          add_texcoord(i, n_[0], j, n_[1]);
        }
      }
    }
    for (int j = 0; j <= back; j += back) {
      for (int i = 0; i <= right; ++i) {
        for (int k = 1; k < last; ++k) {
          add_box_point(i, j, k);
          add_texcoord(i, n_[0], k, n_[2]);
        }
      }
    }
    for (int i = 0; i <= right; i += right) {
      for (int j = 1; j < back; ++j) {
        for (int k = 1; k < last; ++k) {
          add_box_point(i, j, k);
          add_texcoord(j, n_[1], k, n_[2]);
        }
      }
    }
    if (solid) {
      solid_elements();
    } else {
      surface_elements();
    }
  }

  void solid_elements() {
    const auto face = [&](int np, int nq, auto&& vertex) {
      for (int p = 0; p + 1 < np; ++p) {
        for (int q = 0; q + 1 < nq; ++q) {
          const int a = vertex(p, q), b = vertex(p + 1, q), c = vertex(p + 1, q + 1), d = vertex(p, q + 1);
          add_element({0, a, b, c});
          add_element({0, a, d, c});
        }
      }
    };
    for (const int k : {0, n_[2] - 1}) face(n_[0], n_[1], [&](int i, int j) { return at(i, j, k); });
    for (const int j : {0, n_[1] - 1}) face(n_[0], n_[2], [&](int i, int k) { return at(i, j, k); });
    for (const int i : {0, n_[0] - 1}) face(n_[1], n_[2], [&](int j, int k) { return at(i, j, k); });
  }

  /// Triangles that face outward.
  void surface_elements() {
    for (int i = 0; i + 1 < n_[0]; ++i) {
      for (int j = 0; j + 1 < n_[1]; ++j) {
        add_element({at(i, j, 0), at(i + 1, j + 1, 0), at(i + 1, j, 0)});
        add_element({at(i, j, 0), at(i, j + 1, 0), at(i + 1, j + 1, 0)});
      }
    }
    const auto wall = [&](int np, bool forward, auto&& vertex) {
      for (int p = 0; p + 1 < np; ++p) {
        const int a = forward ? p : p + 1, b = forward ? p + 1 : p;
        for (int k = 0; k + 1 < n_[2]; ++k) {
          add_element({vertex(a, k), vertex(b, k), vertex(b, k + 1)});
          add_element({vertex(a, k), vertex(b, k + 1), vertex(a, k + 1)});
        }
      }
    };
    wall(n_[0], true, [&](int i, int k) { return at(i, 0, k); });
    wall(n_[0], false, [&](int i, int k) { return at(i, n_[1] - 1, k); });
    wall(n_[1], false, [&](int j, int k) { return at(0, j, k); });
    wall(n_[1], true, [&](int j, int k) { return at(n_[0] - 1, j, k); });
  }

  const FlexLattice& l_;
  const std::array<int, 3>& n_;
  Vec half_;
  FlexPoints out_;
  std::vector<int> place_;  // point at each place of the lattice
};

}  // namespace

FlexCounts count_flex_points(const FlexLattice& l) {
  const double n0 = l.count[0], n1 = l.count[1], n2 = l.count[2];
  switch (l.shape) {
    case FlexShape::Box:
    case FlexShape::Cylinder:
    case FlexShape::Ellipsoid:
      return {n0 * n1 * n2, 4 * (n0 * n1 + n1 * n2 + n2 * n0)};  // the lattice is indexed whole
    case FlexShape::Mesh:
    case FlexShape::Gmsh:
    case FlexShape::Direct: return {0, 0};
    default: break;
  }
  if (l.dim == 1) return {n0, n0};
  if (l.dim == 2) return {n0 * n1, 2 * n0 * n1};
  return {n0 * n1 * n2, 6 * n0 * n1 * n2};
}

FlexPoints make_flex_points(const FlexLattice& lattice) { return LatticeMaker(lattice).make(); }

}  // namespace sinew::mjcf
