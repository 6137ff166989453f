#pragma once

#include <span>
#include <string_view>

#include "geometry/mesh_file.h"

namespace sinew {

/// The meshes that <mesh builtin="…" params="…"/> names: sphere, hemisphere, supersphere, supertorus, cone, wedge,
/// plate.
Result<MeshSource> make_builtin_mesh(std::string_view kind, std::span<const double> params);

/// Upper bound on its number of vertices; 0 if the parameters are invalid.
std::size_t builtin_vertices(std::string_view kind, std::span<const double> params);

}  // namespace sinew
