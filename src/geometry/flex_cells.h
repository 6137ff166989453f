#pragma once

#include <array>
#include <span>
#include <vector>

#include "math/vec3.h"

namespace sinew {

/// The elements of a flex, and the box that a grid divides into cells.
struct FlexMesh {
  std::span<const double> point;
  std::span<const int> element;
  int dim = 2;
  Vec3<double> lo, hi;
};

/// The box around points.
void bound_points(FlexMesh& mesh);

/// Which cells of a grid over the box hold nothing; cell (i, j, k) is (i n1 + j) n2 + k. A cell has content if the box
/// of an element reaches into it; cells that a surface encloses have content too.
std::vector<bool> empty_cells(const FlexMesh& mesh, const std::array<int, 3>& cells);

}  // namespace sinew
