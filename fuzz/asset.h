#pragma once

// Loads an asset file as part of a model: the result is a model, or an error that names the element and the file.

#include <map>
#include <string>
#include <string_view>

#include "driver.h"
#include "sinew/load.h"

namespace fuzz {

/// Loads `model`, which uses `content` under the name `file` in an asset called "thing".
inline void load_with(std::string_view model, const std::string& file, std::string_view content) {
  const std::map<std::string, std::string> files = {{file, std::string(content)}};
  sinew::LoadOptions options;
  options.files = &files;
  const sinew::Result<sinew::Model> loaded = sinew::load_string(model, options);
  if (loaded) return;
  const std::string text = loaded.error().text();
  const bool about_asset = text.find("thing") != std::string::npos && text.find(file) != std::string::npos;
  const bool about_use = text.find("<geom") != std::string::npos || text.find("<body") != std::string::npos ||
                         text.find("<flex") != std::string::npos;
  if (about_asset || about_use) return;
  std::fprintf(stderr, "error without a location: %s\n", text.c_str());
  std::abort();
}

}  // namespace fuzz
