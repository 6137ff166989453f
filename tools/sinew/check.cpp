#include <cstdio>
#include <memory>

#include "command.h"
#include "report.h"
#include "sinew/load.h"

namespace sinew::tool {
namespace {

struct Count {
  std::size_t errors = 0;
  std::size_t warnings = 0;
};

/// Prints all problems of one model to standard output, as a linter does.
Count check_model(const std::string& path) {
  std::vector<Problem> warnings;
  LoadOptions options;
  options.collect_all = true;
  options.warnings = &warnings;
  Count count;
  const auto print = [&](const Problem& problem) {
    report(problem, stdout);
    ++(problem.severity == Severity::Error ? count.errors : count.warnings);
  };

  const Result<Model> model = interruptible(options, [&](const LoadOptions& o) { return load(path, o); });
  for (const Problem& problem : warnings) print(problem);
  if (!model)
    for (const Problem& problem : model.error().problems())
      if (problem.severity == Severity::Error) print(problem);
  return count;
}

int check(const std::vector<std::string>& paths) {
  Count total;
  std::size_t refused = 0;
  for (const std::string& path : paths) {
    const Count count = check_model(path);
    total.errors += count.errors;
    total.warnings += count.warnings;
    refused += count.errors > 0;
  }
  std::fflush(stdout);
  const auto plural = [](std::size_t n, const char* what) {
    return fmt::format("{} {}{}", n, what, n == 1 ? "" : "s");
  };
  note("{} checked, {} rejected: {}, {}", plural(paths.size(), "model"), refused, plural(total.errors, "error"),
       plural(total.warnings, "warning"));
  return refused ? kRefused : kDone;
}

}  // namespace

void add_check(CLI::App& app, Action& action) {
  CLI::App* sub = app.add_subcommand("check", "List all problems of the models, with file and line");
  const auto paths = std::make_shared<std::vector<std::string>>();
  sub->add_option("MODEL", *paths, "MJCF, URDF or SDFormat files")->required();
  sub->footer("Example:\n  sinew check models/arm.xml models/hand.xml\n\nExit code 1 if a model has an error.");
  sub->callback([&action, paths] { action = [paths] { return check(*paths); }; });
}

}  // namespace sinew::tool
