#pragma once

#include "sinew/plugin.h"

namespace sinew {

/// visit(instance, its number) for the plugin instances of a world that can do this.
template <class Visit>
void for_each_plugin(const Model& m, Data& d, PluginCapability capability, Visit&& visit) {
  for (std::size_t i = 0; i < d.plugin_data.size(); ++i)
    if (d.plugin_data[i] && (m.plugins->capabilities[i] & capability)) visit(*d.plugin_data[i], static_cast<int>(i));
}

}  // namespace sinew
