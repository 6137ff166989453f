#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/budget.h"
#include "sinew/error.h"

namespace sinew {

/// A surface as read from its source: float32 positions, triangles, and for each corner its normal and texture
/// coordinate.
struct MeshSource {
  std::vector<float> vertex;       // 3 per vertex
  std::vector<float> normal;       // 3 per normal
  std::vector<float> texcoord;     // 2 per texture coordinate
  std::vector<int> face;           // 3 vertex indices per triangle; empty: the triangles of the convex hull
  std::vector<int> face_normal;    // 3 per triangle, or empty: as face
  std::vector<int> face_texcoord;  // 3 per triangle, or empty: as face
  bool keeps_winding = false;      // MSH: a mirroring scale does not flip the triangles
};

enum class MeshFormat { Unknown, Stl, Obj, Msh, Collada };

/// From content_type ("model/stl"; a ;parameter tail is ignored), or else from the file name extension.
MeshFormat mesh_format(std::string_view filename, std::string_view content_type);

/// Whether an STL file is text. "solid" may begin a binary header too: it is text only if the size is not that of a
/// binary file.
bool is_ascii_stl(std::span<const std::byte> bytes);

/// Reads binary or ASCII STL. Corners with the same bits are one vertex, numbered by first occurrence.
Result<MeshSource> read_stl(std::span<const std::byte> bytes);
/// Reads OBJ: all vertices of the file, the faces of its first group that has any, polygons triangulated.
Result<MeshSource> read_obj(std::span<const std::byte> bytes);
/// Reads MuJoCo's binary MSH.
Result<MeshSource> read_msh(std::span<const std::byte> bytes);

/// The text that COLLADA needs in memory is charged to the budget.
Result<MeshSource> read_mesh(std::span<const std::byte> bytes, MeshFormat format, Budget& budget);

}  // namespace sinew
