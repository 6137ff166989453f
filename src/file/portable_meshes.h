#pragma once

#include <filesystem>

#include "base/files.h"
#include "sinew/spec.h"

namespace sinew {

/// Writes the meshes of COLLADA and ASCII STL files, which MuJoCo does not read, as binary STL files to the folder
/// NAME_assets beside the model NAME.xml at `path`, and names these in the tree instead. The tree's folders are
/// relative to that of `path`. False if there was nothing to convert.
Result<bool> make_meshes_portable(Spec& spec, const std::filesystem::path& path, const Files& files);

}  // namespace sinew
