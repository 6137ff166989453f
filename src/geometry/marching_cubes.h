#pragma once

#include "geometry/mesh_file.h"
#include "sinew/plugin.h"

namespace sinew {

/// The surface of a distance field inside its box, by marching cubes on a grid with 300 cells along its three sides
/// together. Field and vertices are float32, as in MuJoCo. Vertices are numbered cell by cell, x fastest, in a cell
/// those on edges along x first, then y, then z.
MeshSource triangulate(const SignedDistance& shape);

/// Triangles of a cell with these inside corners (bits): three letters each, which number the cut edges by axis and
/// then by corner.
const char* cell_triangles(unsigned inside);

}  // namespace sinew
