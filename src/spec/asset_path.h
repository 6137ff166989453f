#pragma once

#include <cstdint>
#include <string>

#include "base/files.h"
#include "sinew/spec.h"

namespace sinew {

enum class AssetKind { Mesh, Texture };  // height fields and flexes use the folder of the meshes

/// A file as named by an element of the tree.
struct AssetFile {
  AssetKind kind;
  const std::string& file;
  const spec::Origin& origin;
};

/// Path of an asset's file: in the folder named by the compiler's settings, relative to the main model's folder;
/// otherwise, for an element of an included file, in the folder of that file.
std::string asset_path(const Spec& spec, const Files& files, const AssetFile& asset);

}  // namespace sinew
