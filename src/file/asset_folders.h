#pragma once

#include <filesystem>

#include "base/files.h"
#include "sinew/spec.h"

namespace sinew::compiling {

/// Makes all asset files reachable through the model's own settings, with its text in `folder`: by changing the folder
/// in the settings if one holds all of them under their present names, else by renaming them.
void unify_folders(Spec& spec, const std::filesystem::path& folder, const Files& files);

}  // namespace sinew::compiling
