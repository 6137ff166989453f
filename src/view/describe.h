#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sinew/error.h"
#include "sinew/scene.h"
#include "view/assets.h"
#include "view/wire.h"

// The messages that say what a model is and how it is drawn, as JSON texts.

namespace sinew::view {

/// JSON as text; bytes that are not UTF-8 are replaced.
std::string text_of(const Json& json);

struct ModelFacts {
  int generation = 0;
  std::string file;
  int worlds = 1;
  double spacing = 0;  // m
};
Json describe_model(const Model& m, const Data& d, const AssetNames& assets, const ModelFacts& facts);

struct Drawing {
  SceneOption option;
  RenderFlags flags = default_render_flags();
  int focus = 0;
  bool overlay = false;
};
Json describe_settings(const Model& m, const Drawing& drawing);
Json describe_lights(const Scene& scene);
Json describe_problems(const std::string& title, const std::vector<Problem>& problems);

/// Assigns a number or array to "group.field" of vis, or a field of opt. Null: done; else what is wrong.
std::optional<std::string> assign_visual(Visual& vis, std::string_view path, const Json& value);
std::optional<std::string> assign_option(Option& opt, std::string_view path, const Json& value);

}  // namespace sinew::view
