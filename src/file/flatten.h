#pragma once

#include <filesystem>

#include "sinew/load.h"
#include "sinew/spec.h"

namespace sinew::compiling {

/// The tree as one model: without attached models with separate settings, with complete keyframes and with asset files
/// reachable from `folder`. It compiles to the same model.
Result<Spec> flatten(const Spec& spec, const std::filesystem::path& folder, const LoadOptions& options,
                     bool like_mujoco = false);

}  // namespace sinew::compiling
