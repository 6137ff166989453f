#pragma once

#include <array>
#include <string>
#include <vector>

#include "spec/schema.h"

namespace sinew::mjcf {

enum class FlexShape { Grid, Box, Cylinder, Ellipsoid, Square, Disc, Circle, Mesh, Gmsh, Direct };

/// A lattice of points in its own frame, and what it is bent to.
struct FlexLattice {
  FlexShape shape = FlexShape::Grid;
  int dim = 2;
  std::array<int, 3> count = {10, 10, 10};
  std::array<double, 3> spacing = {0.02, 0.02, 0.02};
  bool textured = false;  // texture coordinates are wanted
};

/// Vertices and elements of a flex before they are placed.
struct FlexPoints {
  std::vector<double> point;      // 3 each
  std::vector<int> element;       // dim + 1 vertices each
  std::vector<float> texcoord;    // 2 each; empty: none
  std::vector<int> elemtexcoord;  // texture coordinates of the corners; empty: those of the vertices
};

/// Number of points and elements that make_flex_points would make; doubles, because they may be huge.
struct FlexCounts {
  double points, elements;
};
FlexCounts count_flex_points(const FlexLattice& lattice);

/// grid, square, disc, circle, box, cylinder, ellipsoid. The counts are at least 1, and at least 2 for a closed box.
FlexPoints make_flex_points(const FlexLattice& lattice);

}  // namespace sinew::mjcf
