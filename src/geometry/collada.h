#pragma once

#include <cstddef>
#include <span>

#include "base/budget.h"
#include "geometry/mesh_file.h"

namespace sinew {

/// Reads the triangles of a COLLADA file (.dae) as an STL file with the same triangles would be read: those of the
/// scene in the order of the file, transformed by its nodes, in meters; polygons as fans from their first corner.
/// up_axis, materials, normals, texture coordinates and skins are not used.
Result<MeshSource> read_collada(std::span<const std::byte> bytes, Budget& budget);

}  // namespace sinew
