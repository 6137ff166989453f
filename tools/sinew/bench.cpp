#include <chrono>
#include <map>
#include <memory>

#include "command.h"
#include "report.h"
#include "sinew/step.h"
#include "stage_times.h"

namespace sinew::tool {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

/// Whole steps from the first keyframe (or qpos0) with zero controls, after a warm-up of a tenth as many.
void bench_steps(const std::string& path, const Model& m, std::int64_t steps) {
  Data d(m);
  reset_to_keyframe(m, d, 0);
  for (std::int64_t i = 0; i < steps / 10 + 1; ++i) step(m, d);
  const Clock::time_point start = Clock::now();
  for (std::int64_t i = 0; i < steps; ++i) step(m, d);
  const double wall = seconds_since(start), per_second = static_cast<double>(steps) / wall;
  fmt::print("{:<40} {:>12.0f} {:>10.2f} {:>12.1f}\n", path, per_second, 1e6 / per_second, per_second * m.opt.timestep);
}

/// Time of each stage over a run.
void bench_stages(const Model& m, std::int64_t steps) {
  std::vector<StageTime> stages;
  Data d(m);
  reset_to_keyframe(m, d, 0);
  for (std::int64_t i = 0; i < steps; ++i) timed_step(m, d, stages);
  double total = 0;
  for (const StageTime& stage : stages) total += stage.seconds;
  for (const StageTime& stage : stages)
    fmt::print("  {:<38} {:>12} {:>10.3f} {:>10.1f} %\n", stage.name, "",
               1e6 * stage.seconds / static_cast<double>(steps), 100 * stage.seconds / total);
}

int bench(const std::vector<std::string>& paths, std::int64_t steps, bool stages) {
  int code = kDone;
  fmt::print("{:<40} {:>12} {:>10} {:>12}\n", "model", "steps/s", "us/step", "x real time");
  for (const std::string& path : paths) {
    const std::optional<Model> model = load_and_report(path);
    if (!model) {
      code = kRefused;
      continue;
    }
    bench_steps(path, *model, steps);
    if (stages) bench_stages(*model, steps);
  }
  return code;
}

}  // namespace

void add_bench(CLI::App& app, Action& action) {
  struct Options {
    std::vector<std::string> models;
    std::int64_t steps = 1000;
    bool stages = false;
  };
  CLI::App* sub = app.add_subcommand("bench", "Time the simulation of models");
  const auto options = std::make_shared<Options>();
  sub->add_option("MODEL", options->models, "MJCF, URDF or SDFormat files")->required();
  sub->add_option("--steps", options->steps, "steps to time (1000)")->check(CLI::PositiveNumber);
  sub->add_flag("--stages", options->stages, "also the time of each stage of a step");
  sub->footer("Example:\n  sinew bench models/*.xml --steps 5000 --stages");
  sub->callback(
      [&action, options] { action = [options] { return bench(options->models, options->steps, options->stages); }; });
}

}  // namespace sinew::tool
