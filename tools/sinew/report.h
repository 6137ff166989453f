#pragma once

#include <fmt/format.h>

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "interruption.h"
#include "sinew/load.h"

// What the subcommands tell the person in front of them: always on standard error.

namespace sinew::tool {

/// Standard error is a terminal.
bool on_terminal();

/// One line on standard error.
template <class... Args>
void note(fmt::format_string<Args...> format, Args&&... args) {
  fmt::print(stderr, "{}\n", fmt::format(format, std::forward<Args>(args)...));
}

/// "sinew: error: …" on standard error; returns the exit code of refused input.
int refuse(const std::string& message);

/// Binary models, as `sinew compile` writes them, end with this.
inline constexpr std::string_view kBinaryEnding = ".snw";

/// The model of a file, MJCF or binary. Its problems go to standard error, except for warnings where `warnings` is
/// given; no value where the model was refused.
std::optional<Model> load_and_report(const std::string& path, std::vector<Problem>* warnings = nullptr);

/// How much memory a loading may take, in bytes: --memory-limit of the command line.
inline std::uint64_t memory_limit = LoadOptions::kDefaultMemoryLimit;

/// load(options) with the limit of the command line, ended early by Ctrl-C: then Signalled is thrown.
template <class Load>
auto interruptible(LoadOptions options, Load&& load) {
  const Interruption interruption;
  options.memory_limit = memory_limit;
  options.interrupt = [&] { return interruption.signal() != 0; };
  auto result = load(options);
  if (interruption.signal()) throw Signalled{interruption.signal()};
  return result;
}

/// "12.3 kB".
std::string human_bytes(std::size_t bytes);

}  // namespace sinew::tool
