#pragma once

#include <string>

#include "base/limits.h"
#include "sinew/model.h"

namespace sinew::compiling {

/// Contacts of one pair are collected in room for so many: more would only fill memory.
inline constexpr int kMostSdfPoints = limits::kSdfPoints;

// What of a model follows from the rest, held against it. Each gives what is wrong, or nothing; the indices and sizes
// of the arrays must be in range already.

/// Which joints and dofs a body has, trees, sparsity patterns and the maps between them.
std::string check_derived_tree(const Model& m);
/// Bounding-volume trees, octrees, polygons and extremal vertices of meshes.
std::string check_derived_meshes(const Model& m);
/// Sizes of actuators and sensors, and what sensors are attached to.
std::string check_derived_sizes(const Model& m);

}  // namespace sinew::compiling
