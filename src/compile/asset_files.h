#pragma once

#include <cstdint>
#include <string>

#include "compile/context.h"

namespace sinew::compiling {

enum class AssetKind { Mesh, Texture };  // height fields use the folder of the meshes

/// A file as named by an element of the tree.
struct AssetFile {
  AssetKind kind;
  const std::string& file;
  const spec::Origin& origin;
};

/// Path of an asset's file: in the folder named by the compiler's settings, relative to the main model's folder;
/// otherwise, for an element of an included file, in the folder of that file.
std::string asset_path(const Spec& spec, const Files& files, const AssetFile& asset);

/// Its content, read once; null after an error was reported.
const std::string* read_asset(Context& context, AssetKind kind, const Place& where, const std::string& file);

}  // namespace sinew::compiling
