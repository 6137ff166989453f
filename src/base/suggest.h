#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace sinew {

/// "did you mean 'condim'?" for the nearest of the allowed words; if none is near, the list of them if it is short.
std::string suggest(std::string_view found, const std::vector<std::string_view>& allowed);

}  // namespace sinew
