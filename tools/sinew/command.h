#pragma once

#include <CLI/CLI.hpp>
#include <functional>

namespace sinew::tool {

/// Exit codes of the command.
enum ExitCode : int {
  kDone = 0,
  kRefused = 1,     // the input is wrong: a model, a file, a value for the model
  kUsage = 2,       // the command line is wrong
  kSignalled = 128  // + the number of the signal that ended the work early, as a shell says it
};

/// What the parsed command line asks for; returns the exit code.
using Action = std::function<int()>;

/// Each adds one subcommand to the command line; when it is chosen, parsing leaves its work in `action`.
void add_run(CLI::App& app, Action& action);
void add_info(CLI::App& app, Action& action);
void add_check(CLI::App& app, Action& action);
void add_compile(CLI::App& app, Action& action);
void add_replay(CLI::App& app, Action& action);
void add_bench(CLI::App& app, Action& action);
void add_derivatives(CLI::App& app, Action& action);
void add_schema(CLI::App& app, Action& action);

}  // namespace sinew::tool
