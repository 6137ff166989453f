#ifdef SINEW_HAS_VIEW

#include "sinew/view.h"

#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <memory>

#include "command.h"
#include "interruption.h"
#include "report.h"
#include "values.h"

namespace sinew::tool {
namespace {

struct ViewCommand {
  std::vector<std::string> models;
  std::string key;
  std::string play;
  ViewOptions options;
  bool open = false, no_open = false;
};

/// Whether a browser on this machine would be seen by the user.
bool has_display() {
  if (std::getenv("SSH_CONNECTION")) return false;
  return std::getenv("DISPLAY") || std::getenv("WAYLAND_DISPLAY");
}

/// Starts the desktop's browser, whose messages are not ours.
void open_browser(const std::string& address) {
  const pid_t child = fork();
  if (child == 0) {
    if (fork() == 0) {  // a grandchild, so that nobody has to wait for it
      if (!std::freopen("/dev/null", "w", stdout) || !std::freopen("/dev/null", "w", stderr)) _exit(1);
      execlp("xdg-open", "xdg-open", address.c_str(), static_cast<char*>(nullptr));
    }
    _exit(0);
  }
  if (child > 0) waitpid(child, nullptr, 0);
}

std::string host_name() {
  char name[256] = {};
  return gethostname(name, sizeof name - 1) == 0 && name[0] ? name : "HOST";
}

int view_models(const ViewCommand& command) {
  ViewOptions options = command.options;
  if (!command.key.empty()) {
    if (command.models.empty()) return refuse("--key needs a model");
    const std::optional<Model> model = load_and_report(command.models.front());
    if (!model) return kRefused;
    options.key = object_id(*model, ObjType::Key, "keyframe", command.key);
  }
  if (!command.play.empty() && command.models.size() != 1)
    return refuse("--play needs the one model that was recorded");
  LoadOptions load;
  load.memory_limit = memory_limit;
  load.urdf = &urdf_options;

  // one viewer per model, each with its own port
  std::vector<std::unique_ptr<Viewer>> viewers;
  const std::size_t count = std::max<std::size_t>(1, command.models.size());
  for (std::size_t i = 0; i < count; ++i) {
    viewers.push_back(std::make_unique<Viewer>(options));
    Viewer& viewer = *viewers.back();
    if (options.port != 0 && viewer.port() != options.port && i == 0)
      note("port {} is taken: this is {}", options.port, viewer.port());
    if (options.port != 0) options.port = viewer.port() + 1;
    if (i < command.models.size()) {
      const Result<bool> opened = viewer.open(command.models[i], load);
      if (!opened) refuse(opened.error());  // shown by the page too, which waits for a better file
      if (!opened && !options.watch) return kRefused;
    }
    if (!command.play.empty())
      if (const Result<bool> played = viewer.play(command.play); !played) return refuse(played.error());
    fmt::print("{}{}\n", viewer.address(), count > 1 ? "  " + command.models[i] : "");
    std::fflush(stdout);
    if (std::getenv("SSH_CONNECTION") || !has_display())
      note("from another machine: ssh -L {0}:127.0.0.1:{0} {1}", viewer.port(), host_name());
    if (!command.no_open && (command.open || has_display())) open_browser(viewer.address());
  }
  if (options.host != "127.0.0.1" && options.host != "localhost" && options.host != "::1")
    note("warning: other machines can reach this page, and the line is not encrypted; ssh -L is safer");

  const Interruption interruption;
  while (!interruption.signal()) {
    bool any = false;
    for (const auto& viewer : viewers) any = any || viewer->is_running();
    if (!any) return kDone;
    usleep(50'000);
  }
  return kSignalled + interruption.signal();
}

int run(const ViewCommand& command) {
  try {
    return view_models(command);
  } catch (const BadValue& e) {
    return refuse(e.what());
  } catch (const Exception& e) {
    return refuse(e.error().first().message);
  }
}

}  // namespace

void add_view(CLI::App& app, Action& action) {
  CLI::App* sub = app.add_subcommand("view", "Show a running simulation in a browser, here or through ssh");
  const auto c = std::make_shared<ViewCommand>();
  ViewOptions& o = c->options;
  sub->add_option("MODEL", c->models, "MJCF, URDF, SDFormat or binary files; none: the page asks for one");
  sub->add_option("--port", o.port, "port (7077, or the next free one); 0: any")->check(CLI::Range(0, 65535));
  sub->add_option("--host", o.host, "address to listen at (127.0.0.1: this machine only)");
  sub->add_option("--token", o.token, "secret in the address instead of a random one");
  auto* no_token = sub->add_flag_callback(
      "--no-token", [c] { c->options.with_token = false; }, "no secret: everyone on this machine may watch");
  no_token->excludes("--token");
  sub->add_option("--key", c->key, "keyframe (name or number) instead of qpos0, also after a reset");
  sub->add_option("--speed", o.speed, "simulated seconds per second (1); 0: as fast as possible")
      ->check(CLI::Range(0.0, 100.0));
  sub->add_flag("--paused", o.paused, "start without running");
  sub->add_option("--fps", o.fps, "frames per second at most (60)")->check(CLI::Range(1.0, 240.0));
  sub->add_option("--play", c->play, "show this recording (.npz of sinew run --record, or of the page) of the model");
  sub->add_option("--worlds", o.worlds, "this many worlds of the model")->check(CLI::Range(1, 100000));
  sub->add_flag("--read-only", o.read_only, "pages can only watch");
  sub->add_flag_callback(
      "--no-watch", [c] { c->options.watch = false; }, "do not load again when a file changes");
  auto* open = sub->add_flag("--open", c->open, "open a browser (as is done where there is a desktop)");
  sub->add_flag("--no-open", c->no_open, "open no browser")->excludes(open);
  sub->footer(
      "Examples:\n"
      "  sinew view models/humanoid.xml\n"
      "  sinew view models/arm_muscles.xml --paused --speed 0.1\n"
      "  sinew run models/car.xml --record car.npz --signals qpos qvel ctrl; sinew view models/car.xml --play car.npz\n"
      "On another machine: ssh -L 7077:127.0.0.1:7077 HOST, then open the printed address there.");
  sub->callback([&action, c] { action = [c] { return run(*c); }; });
}

}  // namespace sinew::tool

#endif
