#pragma once

#include <string>

#include "sinew/model.h"

namespace sinew::compiling {

// What of a model follows from the rest, held against it. Each gives what is wrong, or nothing; the indices and sizes
// of the arrays must be in range already.

/// Which joints and dofs a body has, trees, sparsity patterns and the maps between them.
std::string check_derived_tree(const Model& m);
/// Trees of the boxes of a body's geoms, and what geoms need of meshes and height fields.
std::string check_shapes(const Model& m);
/// Bounding-volume trees, octrees, polygons and extremal vertices of meshes. Takes as long as the meshes are large.
std::string check_meshes_in_detail(const Model& m);
/// Sizes of actuators and sensors, and what sensors are attached to.
std::string check_derived_sizes(const Model& m);

/// All of these, and whether every index is in range: what is wrong with a model, or nothing. Without `assets`, what is
/// large and was checked before is left out.
std::string find_problem(const Model& m, bool assets);

}  // namespace sinew::compiling
