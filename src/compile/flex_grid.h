#pragma once

// Interpolated flexes: the grid of nodes at rest, and its elasticity.

#include "compile/context.h"

namespace sinew::compiling {

/// The nodes of a grid at qpos0.
struct GridPoints {
  std::vector<Vec> node;                         // in the world
  std::vector<double> local_node, local_vertex;  // nodes and vertices in a frame along whose axes the cells lie
};

/// Which cells are empty, the axes of the grid, its nodes (flex_node0) and the vertices in it (flex_vert0). Returns
/// what is wrong, or nothing.
std::string place_in_grid(const spec::Flex& in, const GridPoints& points, FlexNode& out);

/// flex_stiffness and flex_bending of the cells, or of the faces of a shell. Empty cells have zeros.
void grid_elasticity(const spec::Flex& in, FlexNode& out);

}  // namespace sinew::compiling
