#pragma once

#include <string>

#include "recording.h"

namespace sinew::tool {

/// The recording as a picture: one panel per quantity that has columns, over time, with axes, units and a legend. SVG.
std::string plot_svg(const Recording& recording, const std::string& title);

}  // namespace sinew::tool
