#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "sinew/error.h"

namespace sinew {

/// Simplices of one dimension: segments, triangles or tetrahedra.
struct GmshMesh {
  int dim = 0;
  std::vector<double> point;  // 3 each
  std::vector<int> element;   // dim + 1 points each, counted from 0
};

/// Reads a GMSH file of version 2.2 or 4.1, ASCII or binary (little-endian): one block of nodes with consecutive tags,
/// and elements of one type.
Result<GmshMesh> read_gmsh(std::span<const std::byte> bytes);

}  // namespace sinew
