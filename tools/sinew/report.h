#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <cstdio>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "interruption.h"
#include "progress.h"
#include "sinew/load.h"
#include "sinew/urdf.h"

// Messages of the subcommands to the user: on standard error, except for those of `sinew check`.

namespace sinew::tool {

/// Standard error is a terminal.
bool on_terminal();

/// --color of the command line. Auto: on a terminal, unless the environment has NO_COLOR or TERM=dumb.
enum class Color : std::uint8_t { Auto, Always, Never };
inline Color color = Color::Auto;

/// How messages look on a stream.
struct Style {
  bool colored = false;
  bool excerpt = false;  // the line of the file follows, with a caret below what is wrong
};
Style style_of(std::FILE* stream);

/// One line on standard error.
template <class... Args>
void note(fmt::format_string<Args...> format, Args&&... args) {
  fmt::print(stderr, "{}\n", fmt::format(format, std::forward<Args>(args)...));
}

/// "sinew: error: …" on standard error; returns the exit code for invalid input.
int refuse(const std::string& message);

/// A problem as its text, in the style of the stream.
void report(const Problem& problem, std::FILE* stream = stderr);
/// The errors of a refusal on standard error; returns the exit code for invalid input.
int refuse(const Error& error);

/// " (did you mean 'run'?)", or nothing if none of the words is near.
std::string near_miss(std::string_view found, const std::vector<std::string_view>& words);

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
  Progress progress;
  options.memory_limit = memory_limit;
  options.urdf = &urdf_options;
  options.interrupt = [&] {
    progress.wait("loading");
    return interruption.signal() != 0;
  };
  auto result = load(options);
  progress.finish();
  if (interruption.signal()) throw Signalled{interruption.signal()};
  return result;
}

/// "12.3 kB".
std::string human_bytes(std::size_t bytes);

}  // namespace sinew::tool
