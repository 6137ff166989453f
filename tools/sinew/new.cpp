#include <filesystem>
#include <memory>

#include "base/files.h"
#include "command.h"
#include "report.h"

namespace sinew::tool {
namespace {

struct Starter {
  std::string_view name;
  std::string_view text;
};
// written by CMake from tools/sinew/starters
constexpr Starter kStarters[] = {
#include "starters.inc"
};

/// The state to start from, and options worth trying.
std::string_view first_run(std::string_view name) {
  if (name == "arm") return "--key home --ctrl shoulder=0.8 elbow=-1.2 --plot arm.svg";
  if (name == "walker") return "--key stand --plot walker.svg";
  if (name == "gripper") return "--key grasp --ctrl grip=25 lift=0.2 --plot gripper.svg";
  return "--time 2";
}

int write_starter(const std::string& kind, std::string path, bool force) {
  for (const Starter& starter : kStarters) {
    if (starter.name != kind) continue;
    if (path.empty()) path = kind + ".xml";
    if (!force && std::filesystem::exists(path)) return refuse(fmt::format("{} exists (--force replaces it)", path));
    if (const Result<bool> done = replace_file(path, starter.text); !done) return refuse(done.error());
    note("wrote {}; try\n  sinew run {} {}", path, path, first_run(kind));
    return kDone;
  }
  std::vector<std::string_view> names;
  for (const Starter& starter : kStarters) names.push_back(starter.name);
  return refuse(
      fmt::format("no starting model '{}'{}: there are {}", kind, near_miss(kind, names), fmt::join(names, ", ")));
}

}  // namespace

void add_new(CLI::App& app, Action& action) {
  struct Options {
    std::string kind, path;
    bool force = false;
  };
  CLI::App* sub = app.add_subcommand("new", "Write a commented model to start from: arm, walker, gripper or cloth");
  const auto options = std::make_shared<Options>();
  sub->add_option("KIND", options->kind, "arm, walker, gripper or cloth")->required();
  sub->add_option("FILE", options->path, "file to write (KIND.xml)");
  sub->add_flag("--force", options->force, "replace an existing file");
  sub->footer("Examples:\n  sinew new arm\n  sinew new walker robot.xml");
  sub->callback([&action, options] {
    action = [options] { return write_starter(options->kind, options->path, options->force); };
  });
}

}  // namespace sinew::tool
