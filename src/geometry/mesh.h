#pragma once

#include <array>
#include <string>
#include <vector>

#include "geometry/bvh.h"
#include "geometry/mesh_file.h"
#include "geometry/mesh_polygons.h"
#include "math/quat.h"
#include "sinew/spec.h"

namespace sinew {

/// How a mesh is made from its source: the attributes of <mesh>, and what its geoms need.
struct MeshSettings {
  spec::MeshInertia inertia = spec::MeshInertia::Legacy;
  std::array<double, 3> scale = {1, 1, 1};
  std::array<double, 3> refpos = {0, 0, 0};
  std::array<double, 4> refquat = {1, 0, 0, 0};
  bool smoothnormal = false;
  int maxhullvert = -1;
  bool needs_hull = false;
  int threads = 1;  // that may work on this one mesh
  /// The surface of a plugin's field: it stays in the frame of the field. As in MuJoCo the moments of inertia are then
  /// used as if the principal axes were x, y, z in descending order and the center of mass were the origin.
  bool keeps_frame = false;
};

/// A mesh ready for the model: centered at its center of mass, rotated into its principal axes.
struct CompiledMesh {
  std::vector<double> vertex;  // 3 each, final frame; the model keeps them as float32
  std::vector<float> normal;
  std::vector<float> texcoord;
  std::vector<int> face;
  std::vector<int> face_normal, face_texcoord;  // empty: as face
  std::vector<int> graph;                       // of the convex hull; empty if no geom needs one
  std::vector<int> extrema;  // 27 hull vertices, extremal in the directions of a sign grid: starts of support searches
  MeshPolygons polygons;     // of the convex hull
  std::vector<double> polygon_normal;  // 3 each
  Bvh tree;                            // of the triangles, if a second thread had time to build it
  Vec3<double> pos;                    // of the final frame in the source's frame (after reference transform and scale)
  Quat<double> quat;
  double volume = 0;    // m^3; area in m^2 for a shell
  Vec3<double> box;     // half sizes of the box with the same inertia and volume
  Vec3<double> lo, hi;  // bounds of all vertices, final frame
};

/// Input vertices are float32; everything after that is double, summed in face order.
Result<CompiledMesh> compile_mesh(MeshSource source, const MeshSettings& settings);

/// The triangles of a mesh as elements of a bounding-volume tree, split by their circumcenters.
std::vector<BvhElement> triangle_boxes(std::span<const double> vertex, std::span<const int> face);

}  // namespace sinew
