#include <cstdio>
#include <memory>

#include "command.h"
#include "json.h"
#include "report.h"
#include "sinew/load.h"

namespace sinew::tool {
namespace {

struct Count {
  std::size_t errors = 0;
  std::size_t warnings = 0;
};

Json as_json(const Problem& problem) {
  return {{"severity", problem.severity == Severity::Error ? "error" : "warning"},
          {"file", problem.file},
          {"line", problem.line},
          {"element", problem.element},
          {"name", problem.name},
          {"attribute", problem.attribute},
          {"message", problem.message},
          {"hint", problem.hint},
          {"included_from", problem.included_from}};
}

/// Prints all problems of one model to standard output, as a linter does; or adds them to `collected`.
Count check_model(const std::string& path, Json* collected) {
  std::vector<Problem> warnings;
  LoadOptions options;
  options.collect_all = true;
  options.warnings = &warnings;
  Count count;
  const auto print = [&](const Problem& problem) {
    if (collected)
      collected->push_back(as_json(problem));
    else
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

int check(const std::vector<std::string>& paths, bool json) {
  Count total;
  std::size_t refused = 0;
  Json models = Json::array();
  for (const std::string& path : paths) {
    Json problems = Json::array();
    const Count count = check_model(path, json ? &problems : nullptr);
    if (json) models.push_back({{"model", path}, {"valid", count.errors == 0}, {"problems", std::move(problems)}});
    total.errors += count.errors;
    total.warnings += count.warnings;
    refused += count.errors > 0;
  }
  if (json) fmt::print("{}\n", models.dump(2, ' ', false, Json::error_handler_t::replace));
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
  struct Options {
    std::vector<std::string> paths;
    bool json = false;
  };
  const auto options = std::make_shared<Options>();
  sub->add_option("MODEL", options->paths, "MJCF, URDF or SDFormat files")->required();
  sub->add_flag("--json", options->json, "as JSON: a list of models with their problems");
  sub->footer(
      "Examples:\n  sinew check models/humanoid.xml models/car.xml\n  sinew check --json models/*.xml\n\n"
      "Exit code 1 if a model has an error.");
  sub->callback([&action, options] { action = [options] { return check(options->paths, options->json); }; });
}

}  // namespace sinew::tool
