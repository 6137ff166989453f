#pragma once

#include "dynamics/flex_grid.h"
#include "math/quat.h"

// The elastic elements of an interpolated flex: the cells of its grid, or in shell mode the quads of the grid's faces.

namespace sinew {

struct FlexCell {
  static constexpr int kMostNodes = 27;
  int order = 1;
  int n = 0;                  // nodes, the last index fastest
  int node[kMostNodes] = {};  // in the grid
  int axis = -1;              // of a face: its normal; -1: a cell

  /// Numbers of its stiffness matrix.
  int matrix_size() const { return 9 * n * n; }
};

/// Number of elements.
inline int cell_count(const FlexGrid& g) {
  const int* c = g.cells;
  return g.shell ? 2 * (c[1] * c[2] + c[0] * c[2] + c[0] * c[1]) : c[0] * c[1] * c[2];
}

/// Nodes of every element.
inline int nodes_per_cell(const FlexGrid& g) {
  return g.shell ? (g.order + 1) * (g.order + 1) : (g.order + 1) * (g.order + 1) * (g.order + 1);
}

/// Cells are numbered with the last axis fastest. Faces: x = 0, x = max, y = 0 …; a face with normal axis a has the
/// slow axis a + 1 and the fast axis a + 2, cyclic.
inline FlexCell cell_at(const FlexGrid& g, int index) {
  FlexCell cell;
  cell.order = g.order;
  if (!g.shell) {
    const int i = index / (g.cells[1] * g.cells[2]), j = index / g.cells[2] % g.cells[1], k = index % g.cells[2];
    for (int a = 0; a <= g.order; ++a)
      for (int b = 0; b <= g.order; ++b)
        for (int c = 0; c <= g.order; ++c)
          cell.node[cell.n++] = g.node(i * g.order + a, j * g.order + b, k * g.order + c);
    return cell;
  }
  int face = 0, quads = 0;
  const auto quads_of = [&](int f) { return g.cells[(f / 2 + 1) % 3] * g.cells[(f / 2 + 2) % 3]; };
  while (index >= (quads = quads_of(face))) {
    index -= quads;
    ++face;
  }
  cell.axis = face / 2;
  const int slow = (cell.axis + 1) % 3, fast = (cell.axis + 2) % 3;
  int at[3];
  at[cell.axis] = face % 2 == 0 ? 0 : g.nodes[cell.axis] - 1;
  for (int a = 0; a <= g.order; ++a) {
    for (int b = 0; b <= g.order; ++b) {
      at[slow] = index / g.cells[fast] * g.order + a;
      at[fast] = index % g.cells[fast] * g.order + b;
      cell.node[cell.n++] = g.node(at[0], at[1], at[2]);
    }
  }
  return cell;
}

/// Shape functions of a face's nodes differentiated along its slow and fast axis, and their sums over the nodes x.
struct FaceTangents {
  double slope[2][9];
  Vec3<double> t[2];

  FaceTangents(const FlexCell& face, double slow, double fast, const Vec3<double>* x) {
    const ShapeAxis s(face.order, slow), f(face.order, fast);
    for (int a = 0, n = 0; a <= face.order; ++a) {
      for (int b = 0; b <= face.order; ++b, ++n) {
        slope[0][n] = s.slope[a] * f.value[b];
        slope[1][n] = s.value[a] * f.slope[b];
        t[0] += x[face.node[n]] * slope[0][n];
        t[1] += x[face.node[n]] * slope[1][n];
      }
    }
  }
};

/// The rotation nearest to F (Müller et al. 2016): R turns until its columns are parallel to the torque-free
/// orientation Σ R_k × F_k = 0.
Quat<double> nearest_rotation(const Mat3<double>& F);

/// The rotation of an element from its rest shape, with nodes of the grid at x: that of the deformation gradient at its
/// center, for a face completed by the normal.
Quat<double> cell_rotation(const FlexCell& cell, const Vec3<double>* x);

/// The element that a flexstrain equality names; -1: none.
inline int strain_cell(const Model& m, const FlexGrid& g, int eq) {
  const double* data = &m.eq_data[kNumEqData * eq];
  const auto inside = [](double value, int n) { return value >= 0 && value < n; };
  if (g.shell) return inside(data[0], cell_count(g)) ? static_cast<int>(data[0]) : -1;
  for (int k = 0; k < 3; ++k)
    if (!inside(data[k], g.cells[k])) return -1;
  return (static_cast<int>(data[0]) * g.cells[1] + static_cast<int>(data[1])) * g.cells[2] + static_cast<int>(data[2]);
}

}  // namespace sinew
