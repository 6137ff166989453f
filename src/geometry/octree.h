#pragma once

#include <array>
#include <vector>

#include "base/budget.h"
#include "geometry/mesh.h"

namespace sinew {

/// A signed distance field on a balanced octree around a mesh: refined at the surface, to a fixed depth.
struct Octree {
  std::vector<int> depth;
  std::vector<std::array<int, 8>> child;     // -1 for a leaf; bit 0: upper x, bit 1: upper y, bit 2: upper z
  std::vector<std::array<double, 6>> box;    // center, half sizes
  std::vector<std::array<double, 8>> value;  // signed distance at the corners, numbered like the children
};

/// The field of a compiled mesh, in the mesh's frame; neighboring leaves differ by at most one level. Throws
/// Interrupted if the budget is interrupted.
Octree build_octree(const CompiledMesh& mesh, Budget* budget = nullptr);

}  // namespace sinew
