#pragma once

#include <optional>
#include <string>

#include "sinew/load.h"
#include "spec/reader.h"

namespace sinew::mjcf {

/// The result of reading: despite errors, the tree is read to the end of the file.
struct Reading {
  std::optional<Spec> spec;
  std::optional<Error> error;
};

/// Reader::Session::read_other.
using OtherReader = bool (*)(const XmlNode& root, Spec& spec, Report& report, Reader::Session& session);

Reading read_file(const std::string& path, const LoadOptions& options, OtherReader other = nullptr);
Reading read_string(std::string_view text, const LoadOptions& options, OtherReader other = nullptr);

/// The tree, or what is wrong with it.
Result<Spec> whole(Reading reading);

}  // namespace sinew::mjcf
