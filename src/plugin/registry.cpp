#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdlib>

#include "plugin/first_party.h"

namespace sinew {

std::string_view PluginConfig::text(std::string_view attribute) const {
  const auto at = std::find(attributes_.begin(), attributes_.end(), attribute);
  if (at == attributes_.end()) return {};
  const auto i = static_cast<std::size_t>(at - attributes_.begin());
  return i < values_.size() ? std::string_view(values_[i]) : std::string_view();
}

Result<double> PluginConfig::number(std::string_view attribute, double otherwise) const {
  std::string word(text(attribute));
  std::erase_if(word, [](char c) { return c == ' ' || (c >= '\t' && c <= '\r'); });
  if (word.empty()) return otherwise;
  char* end = nullptr;
  const double value = std::strtod(word.c_str(), &end);
  if (*end == '\0' && std::isfinite(value)) return value;
  return Error::message("config '" + std::string(attribute) + "': '" + word.substr(0, 40) + "' is not a number");
}

PluginConfig plugin_config(const Model& m, int instance) {
  const auto i = static_cast<std::size_t>(instance);
  std::vector<std::string> attributes = m.plugins->plugin[i]->attributes(), values;
  std::size_t at = static_cast<std::size_t>(std::max(0, m.plugin_attradr[i]));  // beyond the end: no values
  for (std::size_t k = 0; k < attributes.size() && at < m.plugin_attr.size(); ++k) {
    const auto start = m.plugin_attr.begin() + static_cast<std::ptrdiff_t>(at);
    const auto end = std::find(start, m.plugin_attr.end(), '\0');
    values.emplace_back(start, end);
    at += values.back().size() + 1;
  }
  return {std::move(attributes), std::move(values)};
}

std::span<double> plugin_state(const Model& m, Data& d, int instance) {
  const auto i = static_cast<std::size_t>(instance);
  return d.plugin_state.subspan(static_cast<std::size_t>(m.plugin_stateadr[i]),
                                static_cast<std::size_t>(m.plugin_statenum[i]));
}

void SignedDistance::gradient(const double x[3], double gradient[3]) const {
  constexpr double kStep = 1e-8;
  const double here = distance(x);
  for (int k = 0; k < 3; ++k) {
    double beside[3] = {x[0], x[1], x[2]};
    beside[k] += kStep;
    gradient[k] = (distance(beside) - here) / kStep;
  }
}

Result<std::unique_ptr<PluginInstance>> Plugin::make(const Model&, int) const {
  return std::unique_ptr<PluginInstance>();
}

Result<std::unique_ptr<SignedDistance>> Plugin::shape(const PluginConfig&) const {
  return std::unique_ptr<SignedDistance>();
}

PluginRegistry::PluginRegistry() {
  plugins_ = {cable_plugin(), pid_plugin()};
  for (const auto& plugin : sdf_plugins()) plugins_.push_back(plugin);
  plugins_.push_back(touch_grid_plugin());
}

Result<bool> PluginRegistry::add(std::shared_ptr<const Plugin> plugin) {
  if (!plugin) return Error::message("there is no plugin to register");
  const std::string name = plugin->name();
  if (name.empty()) return Error::message("a plugin needs a name");
  if (find(name) >= 0) return Error::message("the plugin '" + name + "' is already registered");
  plugins_.push_back(std::move(plugin));
  return true;
}

int PluginRegistry::find(std::string_view name) const {
  for (std::size_t i = 0; i < plugins_.size(); ++i)
    if (plugins_[i]->name() == name) return static_cast<int>(i);
  return -1;
}

}  // namespace sinew
