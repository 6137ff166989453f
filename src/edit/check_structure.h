#pragma once

#include <string>

#include "sinew/model.h"

namespace sinew::compiling {

// Consistency checks of derived model fields. Each returns what is wrong, or nothing; indices and array sizes must
// already be in range.

/// Joints and dofs of bodies, trees, sparsity patterns and the maps between them.
std::string check_derived_tree(const Model& m);
/// Bounding-volume trees of bodies, and what geoms need from meshes and height fields.
std::string check_shapes(const Model& m);
/// Bounding-volume trees, octrees, polygons and extremal vertices of meshes. Takes time proportional to the mesh sizes.
std::string check_meshes_in_detail(const Model& m);
/// Addresses, indices, patterns and bounding-volume trees of flexes.
std::string check_flexes(const Model& m);
/// Sizes of actuators and sensors, and what sensors are attached to.
std::string check_derived_sizes(const Model& m);

/// A bounding-volume tree: children come after their parent, leaves refer to an element.
std::string check_bvh(const Model& m, int adr, int num, int first_element, int elements);

/// All of these, and whether every index is in range: what is wrong with a model, or nothing. Without `assets`, large
/// tables that were checked before are skipped.
std::string find_problem(const Model& m, bool assets);

}  // namespace sinew::compiling
