#pragma once

#include <cstdint>
#include <string>

#include "compile/context.h"

namespace sinew::compiling {

enum class AssetKind { Mesh, Texture };  // height fields lie with the meshes

/// A file as an element of the tree names it.
struct AssetFile {
  AssetKind kind;
  const std::string& file;
  const spec::Origin& origin;
};

/// Where an asset's file is: in the folder that the compiler's settings name, below the main model's folder; or else,
/// for an element of an included file, in that file's own folder.
std::string asset_path(const Spec& spec, const Files& files, const AssetFile& asset);

/// Its content, read once; null after an error has been reported.
const std::string* read_asset(Context& context, AssetKind kind, const Place& where, const std::string& file);

}  // namespace sinew::compiling
