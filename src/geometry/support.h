#pragma once

#include "math/mat3.h"
#include "math/vec3.h"
#include "sinew/model.h"

namespace sinew {

/// Meshes with fewer vertices are scanned exhaustively instead of by hill climbing.
inline constexpr int kClimbFrom = 10;

/// The convex hull of a mesh: its vertices, and the graph of those on the hull as in mesh_graph (nvert, nface, edge
/// addresses, vertex ids, edge lists terminated by -1, faces).
struct HullView {
  const float* vert = nullptr;  // all vertices of the mesh, in the mesh frame
  int nvert = 0;
  const int* graph = nullptr;    // null: no hull
  int graph_size = 0;            // ints from graph to the end of the model's array
  const int* ids = nullptr;      // of the graph: mesh vertex of each hull index
  const int* edges = nullptr;    // of the graph: lists of neighbors
  const int* extrema = nullptr;  // hull index of the extreme vertex for each of 27 sign triples

  Vec3<double> vertex(int i) const { return {vert[3 * i], vert[3 * i + 1], vert[3 * i + 2]}; }
  double along(const Vec3<double>& dir, int i) const {
    return dir.x * vert[3 * i] + dir.y * vert[3 * i + 1] + dir.z * vert[3 * i + 2];
  }
  int hull_size() const { return graph[0]; }
  /// The mesh vertex of a hull index; -1 outside the graph.
  int global_id(int hull_index) const {
    const int at = 2 + hull_size() + hull_index;
    return at >= 0 && at < graph_size ? graph[at] : -1;
  }
  /// Hull indices of the neighbors, terminated by -1.
  const int* neighbours(int hull_index) const { return edges + graph[2 + hull_index]; }
  bool inside(const int* entry) const { return entry >= graph && entry < graph + graph_size; }

  /// The vertex farthest along dir, starting from the first one or from `start` if given (replaced only by a strictly
  /// better vertex); -1 for a mesh without vertices.
  int scan(const Vec3<double>& dir, int start) const;
  /// The hull index farthest along dir, by hill climbing from the extreme vertex of the direction's sign triple, or
  /// from hull index `last` (-1: none) if that is as far.
  int climb(const Vec3<double>& dir, int last) const;
  /// The same from hull index `start`.
  int climb_from(const Vec3<double>& dir, int start) const;
};

HullView hull_of(const Model& m, int mesh);

}  // namespace sinew
