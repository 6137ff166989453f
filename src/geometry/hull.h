#pragma once

#include <span>
#include <vector>

#include "sinew/error.h"

namespace sinew {

/// The convex hull of a point set, in the order in which Qhull lists it.
struct Hull {
  std::vector<int> vertex;      // index of each hull vertex in the point set
  std::vector<int> edge_start;  // for each hull vertex, where its neighbors begin in `edge`
  std::vector<int> edge;        // neighbors as hull indices, each list ends with -1
  std::vector<int> face;        // 3 point indices per triangle, counter-clockwise seen from outside

  /// MuJoCo's mesh_graph: numvert, numface, edgeadr, globalid, edges, faces.
  std::vector<int> graph() const;
};

inline constexpr int kFewestHullVertices = 4;

/// points: 3 numbers each; Qhull reads them through a non-const pointer but does not modify them. max_vertices >=
/// kFewestHullVertices bounds the number of hull vertices, -1: no bound. Colocated, collinear and coplanar points are
/// refused.
Result<Hull> convex_hull(std::span<double> points, int max_vertices);

}  // namespace sinew
