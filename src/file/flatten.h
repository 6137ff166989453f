#pragma once

#include <filesystem>

#include "sinew/load.h"
#include "sinew/spec.h"

namespace sinew::compiling {

/// The tree as one model: without attached models that have settings of their own, with every number of its keyframes
/// and with asset files that are found from `folder`. It compiles to the same model.
Result<Spec> flatten(const Spec& spec, const std::filesystem::path& folder, const LoadOptions& options);

}  // namespace sinew::compiling
