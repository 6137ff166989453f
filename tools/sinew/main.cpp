#include <fmt/format.h>

#include <exception>
#include <new>
#include <string>
#include <vector>

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

/// Options for robot descriptions, which every subcommand with a MODEL takes.
void add_urdf_options(CLI::App& app, std::vector<std::string>& packages) {
  const std::string group = "URDF and SDFormat (may also follow the subcommand)";
  app.add_option("--package", packages, "NAME=DIR: folder of the package NAME; or DIR: a folder of packages")
      ->group(group)
      ->each([](const std::string& text) {
        const std::size_t equal = text.find('=');
        if (equal == std::string::npos)
          urdf_options.package_folders.push_back(text);
        else
          urdf_options.packages[text.substr(0, equal)] = text.substr(equal + 1);
      });
  using Base = sinew::UrdfOptions::Base;
  CLI::Option* floating = app.add_flag_callback(
      "--floating", [] { urdf_options.base = Base::Floating; }, "the base can move: it gets a free joint");
  CLI::Option* fixed = app.add_flag_callback(
      "--fixed", [] { urdf_options.base = Base::Fixed; },
      "the base does not move, as is the default, without a warning");
  floating->group(group)->excludes(fixed);
  fixed->group(group);
  app.add_flag("--keep-fixed", urdf_options.keep_fixed, "links on fixed joints stay bodies")->group(group);
  app.add_flag("--visuals", urdf_options.visuals, "keep visual geoms")->group(group);
  app.add_flag("--frames", urdf_options.frames, "links that are fused leave a site")->group(group);
  app.add_flag("--strict", urdf_options.strict, "warnings about the file's contents are errors")->group(group);
}

int run_command(int argc, char** argv) {
  CLI::App app{"sinew: physics for robots, creatures and machines, described in MJCF, URDF or SDFormat", "sinew"};
  app.set_version_flag("--version",
                       fmt::format("sinew {} (compatible with MuJoCo {})", sinew::kVersion, sinew::kMujocoVersion));
  app.footer(kExamples);
  app.require_subcommand(1);

  Action action;
  for (auto add : {add_run, add_info, add_check, add_compile, add_replay, add_bench, add_derivatives, add_render,
                   add_scene, add_schema})
    add(app, action);
  app.add_option("--memory-limit", memory_limit,
                 "memory limit for loading a model, such as 500M or 8G (4G); may also follow the subcommand")
      ->transform(CLI::AsSizeValue(false));
  std::vector<std::string> packages;
  add_urdf_options(app, packages);
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
