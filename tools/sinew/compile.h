#pragma once

#include <string>

namespace sinew::tool {

/// Writes the model of a file as MJCF (.xml) or binary (.snw); returns the exit code.
int compile_model(const std::string& path, const std::string& out, bool keep_includes);

}  // namespace sinew::tool
