#pragma once

#include <fmt/format.h>

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "interruption.h"
#include "sinew/load.h"
#include "sinew/urdf.h"

// Messages of the subcommands to the user: always on standard error.

namespace sinew::tool {

/// Standard error is a terminal.
bool on_terminal();

/// One line on standard error.
template <class... Args>
void note(fmt::format_string<Args...> format, Args&&... args) {
  fmt::print(stderr, "{}\n", fmt::format(format, std::forward<Args>(args)...));
}

/// "sinew: error: …" on standard error; returns the exit code for invalid input.
int refuse(const std::string& message);

/// File extension of the binary models written by `sinew compile`.
inline constexpr std::string_view kBinaryEnding = ".snw";

/// The model of a file: MJCF, URDF, SDFormat or binary. Its problems go to standard error, except for warnings if
/// `warnings` is given; no value if the model is invalid.
std::optional<Model> load_and_report(const std::string& path, std::vector<Problem>* warnings = nullptr);

/// Memory limit for loading, in bytes: --memory-limit of the command line.
inline std::uint64_t memory_limit = LoadOptions::kDefaultMemoryLimit;

/// How URDF and SDFormat are read: --package, --floating, … of the command line.
inline UrdfOptions urdf_options;

/// load(options) with the limit of the command line; throws Signalled if interrupted by Ctrl-C.
template <class Load>
auto interruptible(LoadOptions options, Load&& load) {
  const Interruption interruption;
  options.memory_limit = memory_limit;
  options.urdf = &urdf_options;
  options.interrupt = [&] { return interruption.signal() != 0; };
  auto result = load(options);
  if (interruption.signal()) throw Signalled{interruption.signal()};
  return result;
}

/// "12.3 kB".
std::string human_bytes(std::size_t bytes);

}  // namespace sinew::tool
