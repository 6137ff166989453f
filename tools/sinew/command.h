#pragma once

#include <CLI/CLI.hpp>
#include <functional>

namespace sinew::tool {

/// Exit codes of the command.
enum ExitCode : int {
  kDone = 0,
  kRefused = 1,     // invalid input: a model, a file, a value for the model
  kUsage = 2,       // invalid command line
  kDiffer = 3,      // sinew diff: the models differ
  kSignalled = 128  // + the number of the signal that interrupted the command, as in a shell
};

/// The work requested on the command line; returns the exit code.
using Action = std::function<int()>;

/// Each adds one subcommand to the command line; if it is selected, parsing stores its work in `action`.
void add_run(CLI::App& app, Action& action);
void add_info(CLI::App& app, Action& action);
void add_check(CLI::App& app, Action& action);
void add_compile(CLI::App& app, Action& action);
void add_replay(CLI::App& app, Action& action);
void add_bench(CLI::App& app, Action& action);
void add_derivatives(CLI::App& app, Action& action);
void add_render(CLI::App& app, Action& action);
void add_scene(CLI::App& app, Action& action);
void add_schema(CLI::App& app, Action& action);
void add_new(CLI::App& app, Action& action);
void add_profile(CLI::App& app, Action& action);
void add_convert(CLI::App& app, Action& action);
void add_contact(CLI::App& app, Action& action);
void add_diff(CLI::App& app, Action& action);
void add_completion(CLI::App& app, Action& action);
void add_manual(CLI::App& app, Action& action);
#ifdef SINEW_HAS_VIEW
void add_view(CLI::App& app, Action& action);
#endif

}  // namespace sinew::tool
