#include <chrono>
#include <map>
#include <memory>

#include "command.h"
#include "json.h"
#include "number.h"
#include "report.h"
#include "sinew/step.h"
#include "stage_times.h"

namespace sinew::tool {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

/// Steps per second from the first keyframe (or qpos0) with zero controls, after a warm-up of a tenth as many.
double steps_per_second(const Model& m, std::int64_t steps) {
  Data d(m);
  reset_to_keyframe(m, d, 0);
  for (std::int64_t i = 0; i < steps / 10 + 1; ++i) step(m, d);
  const Clock::time_point start = Clock::now();
  for (std::int64_t i = 0; i < steps; ++i) step(m, d);
  return static_cast<double>(steps) / seconds_since(start);
}

/// Time of each stage over a run.
std::vector<StageTime> stage_times(const Model& m, std::int64_t steps) {
  std::vector<StageTime> stages;
  Data d(m);
  reset_to_keyframe(m, d, 0);
  for (std::int64_t i = 0; i < steps; ++i) timed_step(m, d, stages);
  return stages;
}

struct BenchOptions {
  std::vector<std::string> models;
  std::int64_t steps = 1000;
  bool stages = false, json = false;
};

void print_row(const std::string& path, const Model& m, double rate, const std::vector<StageTime>& stages,
               std::int64_t steps) {
  fmt::print("{:<40} {:>12.0f} {:>10.2f} {:>12.1f}\n", path, rate, 1e6 / rate, rate * m.opt.timestep);
  double total = 0;
  for (const StageTime& stage : stages) total += stage.seconds;
  for (const StageTime& stage : stages)
    fmt::print("  {:<38} {:>12} {:>10.3f} {:>10.1f} %\n", stage.name, "",
               1e6 * stage.seconds / static_cast<double>(steps), 100 * stage.seconds / total);
}

Json row(const std::string& path, const Model& m, double rate, const std::vector<StageTime>& stages,
         std::int64_t steps) {
  Json out = {{"model", path}, {"steps_per_second", rate}, {"real_time_factor", rate * m.opt.timestep}};
  for (const StageTime& stage : stages)
    out["stages"].push_back({{"name", stage.name}, {"us_per_step", 1e6 * stage.seconds / static_cast<double>(steps)}});
  return out;
}

int bench(const BenchOptions& options) {
  int code = kDone;
  Json rows = Json::array();
  if (!options.json) fmt::print("{:<40} {:>12} {:>10} {:>12}\n", "model", "steps/s", "us/step", "x real time");
  for (const std::string& path : options.models) {
    const std::optional<Model> model = load_and_report(path);
    if (!model) {
      code = kRefused;
      continue;
    }
    const double rate = steps_per_second(*model, options.steps);
    const std::vector<StageTime> stages =
        options.stages ? stage_times(*model, options.steps) : std::vector<StageTime>{};
    if (options.json)
      rows.push_back(row(path, *model, rate, stages, options.steps));
    else
      print_row(path, *model, rate, stages, options.steps);
  }
  if (options.json) fmt::print("{}\n", rows.dump(2, ' ', false, Json::error_handler_t::replace));
  return code;
}

}  // namespace

void add_bench(CLI::App& app, Action& action) {
  CLI::App* sub = app.add_subcommand("bench", "Time the simulation of models");
  const auto options = std::make_shared<BenchOptions>();
  sub->add_option("MODEL", options->models, "MJCF, URDF or SDFormat files")->required();
  sub->add_option("--steps", options->steps, "steps to time (1000)")->check(positive<std::int64_t>());
  sub->add_flag("--stages", options->stages, "also the time of each stage of a step");
  sub->add_flag("--json", options->json, "as JSON");
  sub->footer("Examples:\n  sinew bench models/*.xml --steps 5000 --stages\n  sinew bench --json models/car.xml");
  sub->callback([&action, options] { action = [options] { return bench(*options); }; });
}

}  // namespace sinew::tool
