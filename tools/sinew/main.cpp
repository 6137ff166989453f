#include <fmt/format.h>

#include <exception>
#include <new>

#include "command.h"
#include "report.h"
#include "sinew/version.h"

namespace {

using namespace sinew::tool;

constexpr const char* kExamples = R"(Examples:
  sinew run models/humanoid.xml --time 5 --record motion.csv --plot motion.svg
  sinew info models/humanoid.xml
  sinew check models/*.xml

Exit codes: 0 success, 1 invalid input, 2 usage error.
Results go to standard output, everything else to standard error.)";

int run_command(int argc, char** argv) {
  CLI::App app{"sinew: physics for robots, creatures and machines, described in MJCF", "sinew"};
  app.set_version_flag("--version",
                       fmt::format("sinew {} (compatible with MuJoCo {})", sinew::kVersion, sinew::kMujocoVersion));
  app.footer(kExamples);
  app.require_subcommand(1);

  Action action;
  for (auto add :
       {add_run, add_info, add_check, add_compile, add_replay, add_bench, add_derivatives, add_render, add_scene, add_schema})
    add(app, action);
  app.add_option("--memory-limit", memory_limit,
                 "memory limit for loading a model, such as 500M or 8G (4G); may also follow the subcommand")
      ->transform(CLI::AsSizeValue(false));
  for (CLI::App* sub : app.get_subcommands({})) sub->fallthrough();

  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& e) {
    const int code = app.exit(e);  // prints the help, the version or the error
    return code == 0 ? kDone : kUsage;
  }
  return action();
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run_command(argc, argv);
  } catch (const Signalled& ended) {
    fmt::print(stderr, "interrupted while loading\n");
    return kSignalled + ended.signal;
  } catch (const std::bad_alloc&) {
    fmt::print(stderr, "sinew: error: not enough memory\n");
  } catch (const std::exception& e) {
    fmt::print(stderr, "sinew: error: {}\n", e.what());
  }
  return kRefused;
}
