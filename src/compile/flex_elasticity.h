#pragma once

// Elastic constants of flexes (flex_stiffness, flex_bending), from the shape at rest.

#include <span>
#include <vector>

#include "geometry/flex_topology.h"
#include "math/rigid.h"
#include "sinew/spec.h"

namespace sinew::compiling {

/// Stiffness of triangles or tetrahedra with St. Venant-Kirchhoff's law: 21 numbers per element, the upper triangle of
/// a symmetric matrix over the edges. With S_e = -(G_a G_bᵀ + G_b G_aᵀ)/2 for the edge (a, b), G the gradients of the
/// linear shape functions, k_ef = μ tr(S_e S_f) + λ tr S_e tr S_f.
std::vector<double> element_stiffness(const spec::Flex& in, std::span<const rigid::Vec> vertex,
                                      std::span<const int> element);

/// Bending stiffness of the edges of a surface, 17 numbers each: a 4 x 4 matrix over the vertices of the two triangles,
/// and a coefficient of the volume that they span.
std::vector<double> edge_bending(const spec::Flex& in, std::span<const rigid::Vec> vertex,
                                 const FlexTopology& topology);

}  // namespace sinew::compiling
