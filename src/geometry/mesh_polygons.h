#pragma once

#include <span>
#include <vector>

namespace sinew {

/// Faces of a convex hull as polygons: triangles whose normals agree are merged.
struct MeshPolygons {
  std::vector<int> vertex;     // vertex indices of all polygons, concatenated
  std::vector<int> start;      // first entry of each polygon in `vertex`
  std::vector<int> count;      // number of its vertices
  std::vector<int> map_start;  // for each vertex of the mesh, where its polygons begin in `map`; and the end
  std::vector<int> map;        // the polygons of each vertex, ascending
};

/// vertices: raw positions (3 each); faces: the hull's triangles in Qhull order.
MeshPolygons join_polygons(std::span<const double> vertices, std::span<const int> faces);

}  // namespace sinew
