#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <map>
#include <new>
#include <string>
#include <vector>

#include "command.h"
#include "report.h"
#include "sinew/version.h"

namespace {

using namespace sinew::tool;

constexpr const char* kExamples = R"(Examples:
  sinew new walker                                        a first model, with comments
  sinew run models/humanoid.xml --time 5 --record motion.csv --plot motion.svg
  sinew info models/humanoid.xml
  sinew check models/*.xml
  sinew help run                                          the same as sinew run --help

Exit codes:
  0    success
  1    invalid input: a model, a file, a value that does not fit the model
  2    invalid command line
  3    sinew diff: the models differ
  130  interrupted by Ctrl-C (128 + the number of the signal); files are complete up to there
Results go to standard output, everything else to standard error. NO_COLOR turns colors off.)";

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

/// What is wrong with the command line, with the nearest option or subcommand for one that does not exist.
int refuse_usage(CLI::App& app, const CLI::ParseError& error) {
  const std::vector<CLI::App*> chosen = app.get_subcommands();
  const CLI::App* const sub = chosen.empty() ? nullptr : chosen.front();
  std::string message = error.what();
  if (const std::vector<std::string> unknown = app.remaining(true); !unknown.empty()) {
    const std::string& word = unknown.front();
    std::vector<std::string> known;
    const bool option = word.starts_with("-");
    for (const CLI::App* level : {static_cast<const CLI::App*>(&app), sub}) {
      if (!option || !level) continue;
      for (const CLI::Option* each : level->get_options({}))
        for (const std::string& name : each->get_lnames()) known.push_back("--" + name);
    }
    if (!option && !sub)
      for (const CLI::App* each : app.get_subcommands({})) known.push_back(each->get_name());
    const std::string asked = word.substr(0, word.find('='));
    message = fmt::format("{} '{}'{}",
                          option ? "unknown option"
                          : sub  ? "unexpected argument"
                                 : "unknown subcommand",
                          asked, near_miss(asked, {known.begin(), known.end()}));
  }
  refuse(message);
  note("Try 'sinew{}{} --help'.", sub ? " " : "", sub ? sub->get_name() : "");
  return kUsage;
}

/// The arguments in CLI11's order, last first; "help X" becomes "X --help".
std::vector<std::string> arguments(int argc, char** argv) {
  std::vector<std::string> words(argv + 1, argv + argc);
  if (!words.empty() && words.front() == "help") {
    words.erase(words.begin());
    words.emplace_back("--help");
  }
  std::ranges::reverse(words);
  return words;
}

int run_command(int argc, char** argv) {
  CLI::App app{"sinew: physics for robots, creatures and machines, described in MJCF, URDF or SDFormat", "sinew"};
  app.set_version_flag("--version",
                       fmt::format("sinew {} (compatible with MuJoCo {})", sinew::kVersion, sinew::kMujocoVersion));
  app.footer(kExamples);
  app.require_subcommand(1);

  Action action;
  for (auto add :
       {add_run, add_info, add_check, add_new, add_convert, add_compile, add_diff, add_profile, add_contact, add_bench,
        add_derivatives, add_render, add_replay, add_scene, add_schema, add_completion, add_manual})
    add(app, action);
#ifdef SINEW_HAS_VIEW
  add_view(app, action);
#endif
  app.add_option("--memory-limit", memory_limit,
                 "memory limit for loading a model, such as 500M or 8G (4G); may also follow the subcommand")
      ->transform(CLI::AsSizeValue(false))
      ->check([](const std::string& text) {  // a negative size would wrap around
        return text.find('-') == std::string::npos ? std::string() : "a size is not negative";
      })
      ->type_name("SIZE");
  const std::map<std::string, Color> colors = {
      {"auto", Color::Auto}, {"always", Color::Always}, {"never", Color::Never}};
  app.add_option("--color", color, "colors and source lines in messages: auto, always, never (auto: on a terminal)")
      ->transform(CLI::Transformer(colors))
      ->type_name("WHEN");
  std::vector<std::string> packages;
  add_urdf_options(app, packages);
  for (CLI::App* sub : app.get_subcommands({})) sub->fallthrough();

  try {
    app.parse(arguments(argc, argv));
  } catch (const CLI::Success& e) {
    return app.exit(e);  // prints the help or the version
  } catch (const CLI::ParseError& e) {
    return refuse_usage(app, e);
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
    refuse("not enough memory");
  } catch (const std::exception& e) {
    refuse(e.what());
  }
  return kRefused;
}
