#pragma once

#include <array>
#include <span>
#include <vector>

namespace sinew {

/// The edges of one element as pairs of its corners: of a segment, a triangle and a tetrahedron.
std::span<const std::array<int, 2>> element_edges(int dim);

/// How the elements of a flex are connected.
struct FlexTopology {
  std::vector<std::array<int, 2>> edge;    // lower vertex first; numbered by first occurrence
  std::vector<int> elemedge;               // edges of each element
  std::vector<std::array<int, 4>> flap;    // triangles: the edge as in the first triangle that has it, and the vertices
                                           // opposite to it; -1: none
  std::vector<int> shell;                  // fragments (ends, edges, faces) of only one element, dim vertices each
  std::vector<int> layer;                  // tetrahedra: distance from the surface; else 0
  std::vector<std::array<int, 2>> evpair;  // element and vertex of neighbors at the border; dim 1 and 2
};

FlexTopology connect_elements(std::span<const int> element, int dim);

}  // namespace sinew
