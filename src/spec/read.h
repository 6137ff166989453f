#pragma once

#include <optional>
#include <string>

#include "sinew/load.h"

namespace sinew::mjcf {

/// What reading gave: with errors, the tree as far as it was read to the end of the file all the same.
struct Reading {
  std::optional<Spec> spec;
  std::optional<Error> error;
};

Reading read_file(const std::string& path, const LoadOptions& options);
Reading read_string(std::string_view text, const LoadOptions& options);

}  // namespace sinew::mjcf
