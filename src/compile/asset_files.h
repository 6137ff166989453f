#pragma once

#include <string>

#include "compile/context.h"
#include "spec/asset_path.h"

namespace sinew::compiling {

/// The content of an asset's file, read once; null after an error was reported.
const std::string* read_asset(Context& context, AssetKind kind, const Place& where, const std::string& file);

}  // namespace sinew::compiling
