#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>

#include "math/vec3.h"
#include "sinew/data.h"

// The grid of nodes from which the vertices of an interpolated flex follow: trilinear or quadratic in each cell. A flex
// in shell mode is elastic on the faces of its grid only.

namespace sinew {

/// An axis of a cell at a local coordinate: values and derivatives of its shape functions.
struct ShapeAxis {
  std::array<double, 3> value = {}, slope = {};

  ShapeAxis(int order, double s) {
    if (order == 1) {
      value = {1 - s, s, 0};
      slope = {-1, 1, 0};
    } else {
      value = {2 * s * s - 3 * s + 1, 4 * (s - s * s), 2 * s * s - s};
      slope = {4 * s - 3, 4 - 8 * s, 4 * s - 1};
    }
  }
};

struct FlexGrid {
  int order = 0;  // of the shape functions, 1 or 2
  bool shell = false;
  int cells[3] = {};
  int nodes[3] = {};  // along each axis
  int first = 0;      // node

  FlexGrid(const Model& m, int flex)
      : order(std::abs(m.flex_interp[flex])), shell(m.flex_interp[flex] < 0), first(m.flex_nodeadr[flex]) {
    for (int k = 0; k < 3; ++k) {
      cells[k] = m.flex_cellnum[3 * flex + k];
      nodes[k] = cells[k] * order + 1;
    }
  }

  int size() const { return nodes[0] * nodes[1] * nodes[2]; }
  int node(int i, int j, int k) const { return (i * nodes[1] + j) * nodes[2] + k; }

  /// Nodes inside a shell do not move by themselves: they follow the faces.
  bool follows(int i, int j, int k) const {
    const auto inside = [](int index, int n) { return index > 0 && index < n - 1; };
    return shell && inside(i, nodes[0]) && inside(j, nodes[1]) && inside(k, nodes[2]);
  }

  /// visit(node, weight) for the nodes on the faces, edges and corners that the inner node (i, j, k) follows:
  /// transfinite interpolation, faces minus edges plus corners.
  template <class Visit>
  void for_each_leader(int i, int j, int k, Visit&& visit) const {
    const int index[3] = {i, j, k};
    for (int choice = 1; choice < 27; ++choice) {  // of each axis: 0 its index, 1 the first node, 2 the last
      const int pick[3] = {choice % 3, choice / 3 % 3, choice / 9};
      double weight = -1;
      int at[3];
      for (int a = 0; a < 3; ++a) {
        const double s = static_cast<double>(index[a]) / (nodes[a] - 1);
        at[a] = pick[a] == 0 ? index[a] : pick[a] == 1 ? 0 : nodes[a] - 1;
        if (pick[a] != 0) weight *= pick[a] == 1 ? -(1 - s) : -s;
      }
      visit(node(at[0], at[1], at[2]), weight);
    }
  }

  /// Replaces the values at the nodes inside a shell by those that follow from the faces.
  void fill_inside(Vec3<double>* x) const {
    if (!shell) return;
    for (int i = 1; i < nodes[0] - 1; ++i) {
      for (int j = 1; j < nodes[1] - 1; ++j) {
        for (int k = 1; k < nodes[2] - 1; ++k) {
          Vec3<double> sum;
          for_each_leader(i, j, k, [&](int leader, double weight) { sum += x[leader] * weight; });
          x[node(i, j, k)] = sum;
        }
      }
    }
  }

  /// visit(node, weight) for the nodes of the cell that holds a point, given in the grid's box scaled to 0..1.
  template <class Visit>
  void for_each_support(const double* point, Visit&& visit) const {
    int base[3];
    double local[3];
    for (int a = 0; a < 3; ++a) {
      const double scaled = point[a] * cells[a];
      const int cell = scaled > 0 ? static_cast<int>(std::min(std::floor(scaled), cells[a] - 1.0)) : 0;  // 0 for NaN
      local[a] = std::clamp(scaled - cell, 0.0, 1.0);
      base[a] = cell * order;
    }
    const ShapeAxis x(order, local[0]), y(order, local[1]), z(order, local[2]);
    for (int i = 0; i <= order; ++i)
      for (int j = 0; j <= order; ++j)
        for (int k = 0; k <= order; ++k)
          visit(node(base[0] + i, base[1] + j, base[2] + k), x.value[i] * y.value[j] * z.value[k]);
  }
};

/// A node at its place in its body.
inline Vec3<double> node_position(const Model& m, const Data& d, int node) {
  const int body = m.flex_nodebodyid[node];
  const double *R = &d.xmat[9 * body], *p = &m.flex_node[3 * node];
  Vec3<double> x = Vec3<double>::load(&d.xpos[3 * body]);
  for (int r = 0; r < 3; ++r) x[r] += R[3 * r] * p[0] + R[3 * r + 1] * p[1] + R[3 * r + 2] * p[2];
  return x;
}

}  // namespace sinew
