#include <charconv>
#include <cmath>
#include <fstream>
#include <limits>
#include <memory>

#include "command.h"
#include "plot.h"
#include "progress.h"
#include "recording.h"
#include "report.h"
#include "sinew/step.h"

namespace sinew::tool {
namespace {

struct RunOptions {
  std::string model;
  double time = 5;                // s
  std::int64_t steps = -1;        // instead of time, where given
  std::string key;                // name or number of a keyframe
  std::vector<std::string> ctrl;  // NAME=VALUE[,VALUE…]
  std::string record, plot;       // files
};

/// A value on the command line that does not fit the model.
struct BadValue : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The object that `text` names, by its name or its number.
int object_id(const Model& m, ObjType type, const char* what, const std::string& text) {
  if (const int id = m.id(type, text); id >= 0) return id;
  int number = -1;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error == std::errc() && end == text.data() + text.size() && number >= 0 && number < m.count(type)) return number;
  std::string names;
  for (std::int64_t i = 0; i < m.count(type) && names.size() < 200; ++i)
    if (!m.name(type, i).empty()) names += fmt::format("{}{}", names.empty() ? "" : ", ", m.name(type, i));
  throw BadValue(
      fmt::format("no {} \"{}\": the model has {}{}{}", what, text, m.count(type), names.empty() ? "" : ": ", names));
}

/// One "NAME=VALUE[,VALUE…]": the controls of an actuator.
void set_control(const Model& m, Data& d, const std::string& assignment) {
  const std::size_t equals = assignment.rfind('=');
  if (equals == std::string::npos) throw BadValue(fmt::format("--ctrl {}: has no =, needs NAME=VALUE", assignment));
  const int actuator = object_id(m, ObjType::Actuator, "actuator", assignment.substr(0, equals));
  const char* next = assignment.data() + equals + 1;
  const char* const end = assignment.data() + assignment.size();
  std::vector<double> values;
  while (next < end) {
    double value = 0;
    const auto [stop, error] = std::from_chars(next, end, value);
    if (error != std::errc() || !std::isfinite(value) || (stop != end && *stop != ','))
      throw BadValue(fmt::format("--ctrl {}: \"{}\" is not a number", assignment, std::string(next, end)));
    values.push_back(value);
    next = stop == end ? end : stop + 1;
  }
  const auto needed = static_cast<std::size_t>(m.actuator_ctrlnum[actuator]);
  if (values.size() != needed)
    throw BadValue(
        fmt::format("--ctrl {}: {} values, the actuator has {} controls", assignment, values.size(), needed));
  std::ranges::copy(values, d.ctrl.begin() + m.actuator_ctrladr[actuator]);
}

/// Opens the file for writing before the work is done, so that a bad path costs nothing.
std::ofstream open_output(const std::string& path) {
  std::ofstream file(path, std::ios::binary);
  if (!file) throw BadValue(fmt::format("cannot write {}", path));
  return file;
}

bool ends_with(const std::string& path, std::string_view ending) { return std::string_view(path).ends_with(ending); }

void check_formats(const RunOptions& options) {
  if (ends_with(options.record, ".npz"))
    throw BadValue("--record: .npz is not part of this version; use .csv or .json");
  if (!options.record.empty() && !ends_with(options.record, ".csv") && !ends_with(options.record, ".json"))
    throw BadValue(fmt::format("--record {}: the ending must be .csv or .json", options.record));
  if (!options.plot.empty() && !ends_with(options.plot, ".svg"))
    throw BadValue(fmt::format("--plot {}: the ending must be .svg", options.plot));
}

/// Notes each kind of counted warning once, when it first occurs.
class WarningWatch {
 public:
  void look(const Model& m, const Data& d, double time_before) {
    static constexpr const char* kWhat[kNumWarning] = {"the inertia matrix is singular at dof",
                                                       "contacts are full at",
                                                       "constraint rows are full at",
                                                       "qpos is bad at index",
                                                       "qvel is bad at index",
                                                       "qacc is bad at index",
                                                       "ctrl is bad at index"};
    for (std::size_t i = 0; i < d.warning.size(); ++i) {
      if (d.warning[i].number == 0 || seen_[i]) continue;
      seen_[i] = true;
      const bool was_reset = d.time < time_before + 0.5 * m.opt.timestep;
      note("warning: at time {:.6g}: {} {}{}", time_before, kWhat[i], d.warning[i].lastinfo,
           was_reset ? "; the world starts again from its initial state" : "");
    }
  }

 private:
  std::array<bool, kNumWarning> seen_{};
};

/// Simulates, and samples every state including the last where there is a recording.
void simulate(const Model& m, Data& d, std::int64_t steps, Recording* recording) {
  Progress progress;
  WarningWatch watch;
  const auto sample = [&] {
    if (!recording) return;
    forward(m, d);  // what belongs to this very state: after a step, forces are those of its start
    recording->sample(d);
  };
  sample();
  for (std::int64_t i = 0; i < steps; ++i) {
    const double time_before = d.time;
    step(m, d);
    watch.look(m, d, time_before);
    sample();
    if (i % 16 == 0)
      progress.update(static_cast<double>(i) / static_cast<double>(steps), fmt::format("{:.2f} s simulated", d.time));
  }
  progress.finish();
  const double wall = progress.elapsed(), simulated = static_cast<double>(steps) * m.opt.timestep;
  note("{} steps, {:.6g} s simulated in {:.3g} s: {:.1f} times real time", steps, simulated, wall,
       simulated / std::max(wall, 1e-9));
}

int run_model(const RunOptions& options) {
  check_formats(options);
  std::optional<Model> model = load_and_report(options.model);
  if (!model) return kRefused;
  Model& m = *model;

  Data d(m);
  reset_to_keyframe(m, d, options.key.empty() ? -1 : object_id(m, ObjType::Key, "keyframe", options.key));
  for (const std::string& assignment : options.ctrl) set_control(m, d, assignment);

  std::ofstream record_file, plot_file;
  if (!options.record.empty()) record_file = open_output(options.record);
  if (!options.plot.empty()) plot_file = open_output(options.plot);
  std::unique_ptr<Recording> recording;
  if (!options.record.empty() || !options.plot.empty()) {
    m.opt.enableflags |= kEnableEnergy;  // energy is recorded; it has no influence on the motion
    recording = std::make_unique<Recording>(m);
  }

  const double wanted = std::round(options.time / m.opt.timestep);
  if (options.steps < 0 && wanted > 1e15) throw BadValue(fmt::format("--time {}: too many steps", options.time));
  simulate(m, d, options.steps >= 0 ? options.steps : static_cast<std::int64_t>(wanted), recording.get());

  const auto write = [](std::ofstream& file, const std::string& path, const std::string& text) {
    file << text << std::flush;
    if (!file) throw BadValue(fmt::format("cannot write {}", path));
    note("wrote {}", path);
  };
  if (!options.record.empty())
    write(record_file, options.record, ends_with(options.record, ".csv") ? recording->csv() : recording->json());
  if (!options.plot.empty()) write(plot_file, options.plot, plot_svg(*recording, options.model));
  return kDone;
}

int run(const RunOptions& options) {
  try {
    return run_model(options);
  } catch (const BadValue& e) {
    return refuse(e.what());
  }
}

}  // namespace

void add_run(CLI::App& app, Action& action) {
  CLI::App* sub = app.add_subcommand("run", "Simulate a model; record and plot its motion");
  const auto options = std::make_shared<RunOptions>();
  sub->add_option("MODEL", options->model, "MJCF file")->required();
  auto* time = sub->add_option("--time", options->time, "seconds to simulate (5)")->check(CLI::NonNegativeNumber);
  sub->add_option("--steps", options->steps, "steps to simulate, instead of --time")
      ->check(CLI::NonNegativeNumber)
      ->excludes(time);
  sub->add_option("--key", options->key, "start from this keyframe (name or number), not from qpos0");
  sub->add_option("--ctrl", options->ctrl, "NAME=VALUE: constant control of an actuator; several: NAME=A,B,C");
  sub->add_option("--record", options->record, "write qpos, qvel, energy, actuator forces, sensors: .csv or .json");
  sub->add_option("--plot", options->plot, "draw the same over time: .svg");
  sub->footer(
      "Examples:\n"
      "  sinew run models/humanoid.xml --time 2\n"
      "  sinew run models/arm.xml --key home --ctrl shoulder=0.5 elbow=-1 --plot arm.svg\n"
      "  sinew run models/car.xml --steps 1000 --record car.csv");
  sub->callback([&action, options] { action = [options] { return run(*options); }; });
}

}  // namespace sinew::tool
