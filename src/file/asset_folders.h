#pragma once

#include <filesystem>

#include "base/files.h"
#include "sinew/spec.h"

namespace sinew::compiling {

/// Makes all asset files be found from the settings of the model itself, with its text in `folder`: by another folder
/// in the settings where one holds all of them under the names that they have, else by other names.
void unify_folders(Spec& spec, const std::filesystem::path& folder, const Files& files);

}  // namespace sinew::compiling
