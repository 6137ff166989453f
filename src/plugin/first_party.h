#pragma once

#include <memory>
#include <vector>

#include "sinew/plugin.h"

namespace sinew {

// MuJoCo's own plugins.
std::shared_ptr<const Plugin> cable_plugin();
std::shared_ptr<const Plugin> pid_plugin();
std::shared_ptr<const Plugin> touch_grid_plugin();
/// bolt, bowl, gear, nut, torus.
std::vector<std::shared_ptr<const Plugin>> sdf_plugins();

}  // namespace sinew
