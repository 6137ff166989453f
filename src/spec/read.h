#pragma once

#include <optional>
#include <string>

#include "sinew/load.h"

namespace sinew::mjcf {

/// The result of reading: despite errors, the tree is read to the end of the file.
struct Reading {
  std::optional<Spec> spec;
  std::optional<Error> error;
};

Reading read_file(const std::string& path, const LoadOptions& options);
Reading read_string(std::string_view text, const LoadOptions& options);

}  // namespace sinew::mjcf
