#include <cmath>
#include <memory>

#include "command.h"
#include "interruption.h"
#include "number.h"
#include "progress.h"
#include "report.h"
#include "sinew/record.h"
#include "sinew/step.h"
#include "values.h"
#include "video.h"

namespace sinew::tool {
namespace {

struct RunOptions {
  std::string model;
  double time = 5;                  // s
  std::int64_t steps = -1;          // instead of time, if given
  std::string key;                  // name or number of a keyframe
  std::vector<std::string> ctrl;    // NAME=VALUE[,VALUE…]
  std::vector<std::string> record;  // files
  std::string plot;                 // .svg
  std::vector<std::string> signals;
  int every = 1;      // steps between rows
  std::string video;  // file
  PictureOptions picture;
};

/// The files that a run writes.
class Recordings {
 public:
  Recordings(const Model& m, const RunOptions& options) {
    RecordOptions record;
    record.signals = options.signals;
    record.every = options.every;
    record.title = options.model;
    std::vector<std::string> paths = options.record;
    if (!options.plot.empty()) {
      if (!options.plot.ends_with(".svg"))
        throw BadValue(fmt::format("--plot {}: the extension must be .svg", options.plot));
      paths.push_back(options.plot);
    }
    for (const std::string& path : paths) {
      Result<Recorder> recorder = Recorder::open(m, path, record);
      if (!recorder) throw BadValue(plain(recorder.error()));
      files_.push_back({path, std::move(*recorder)});
    }
  }

  bool empty() const { return files_.empty(); }
  /// Whether the next sample produces a row.
  bool due() const { return !empty() && files_.front().recorder.due(); }

  /// Forces and accelerations in `d` must match its state if a row is due.
  void sample(const Model& m, Data& d) {
    for (File& file : files_) {
      if (file.recorder.due()) file.recorder.complete(m, d);
      file.recorder.sample(d);
    }
  }

  void close() {
    for (File& file : files_) {
      const Result<bool> done = file.recorder.close();
      if (!done) throw BadValue(plain(done.error()));
      note("wrote {} ({} rows)", file.path, file.recorder.rows());
    }
  }

 private:
  struct File {
    std::string path;
    Recorder recorder;
  };
  std::vector<File> files_;
};

/// Simulates, and samples every state including the last. Returns the signal that ended it early, or 0.
int simulate(const Model& m, Data& d, std::int64_t steps, Recordings& recordings, Video* video) {
  Progress progress;
  WarningLog warnings;
  const Interruption interruption;
  std::int64_t done = 0;
  for (; done < steps && !interruption.signal(); ++done) {
    const double time_before = d.time;
    begin_step(m, d);
    recordings.sample(m, d);
    if (video) video->look(d);
    finish_step(m, d);
    warnings.look(d, time_before);
    if (!warnings.news().empty()) note("warning: {}", warnings.news());
    if (done % 16 == 0)
      progress.update(static_cast<double>(done) / static_cast<double>(steps),
                      fmt::format("{:.2f} s simulated", d.time));
  }
  if (recordings.due() || video) forward(m, d);
  recordings.sample(m, d);
  if (video) video->look(d);
  progress.finish();
  const double wall = progress.elapsed(), simulated = static_cast<double>(done) * m.opt.timestep;
  if (interruption.signal()) note("interrupted after {} of {} steps", done, steps);
  note("{} steps, {:.6g} s simulated in {:.3g} s: {:.1f} times real time", done, simulated, wall,
       simulated / std::max(wall, 1e-9));
  if (!warnings.empty()) note("warnings:");
  for (const std::string& line : warnings.lines()) note("  {}", line);
  return interruption.signal();
}

int run_model(const RunOptions& options) {
  std::optional<Model> model = load_and_report(options.model);
  if (!model) return kRefused;
  Model& m = *model;

  Data d(m);
  reset_to_keyframe(m, d, options.key.empty() ? -1 : object_id(m, ObjType::Key, "keyframe", options.key));
  for (const std::string& assignment : options.ctrl) set_control(m, d, assignment);

  const double wanted = std::round(options.time / m.opt.timestep);
  if (options.steps < 0 && wanted > 1e15) throw BadValue(fmt::format("--time {}: too many steps", options.time));
  Recordings recordings(m, options);
  if (recordings.empty() && !options.signals.empty())
    throw BadValue("--signals: says what to record, which needs --record or --plot");
  if (!recordings.empty()) m.opt.enableflags |= kEnableEnergy;  // recorded; it does not affect the motion
  std::optional<Video> video;
  if (!options.video.empty()) video.emplace(m, options.picture, options.video);
  const int signal = simulate(m, d, options.steps >= 0 ? options.steps : static_cast<std::int64_t>(wanted), recordings,
                              video ? &*video : nullptr);
  recordings.close();
  if (video) video->close();
  return signal ? kSignalled + signal : kDone;
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
  sub->add_option("MODEL", options->model, "MJCF, URDF or SDFormat file")->required();
  auto* time = sub->add_option("--time", options->time, "seconds to simulate (5)")->check(not_negative<double>());
  sub->add_option("--steps", options->steps, "steps to simulate, instead of --time")
      ->check(not_negative<std::int64_t>())
      ->excludes(time);
  sub->add_option("--key", options->key, "start from this keyframe (name or number) instead of qpos0");
  sub->add_option("--ctrl", options->ctrl, "NAME=VALUE: constant control of an actuator; NAME=A,B,C for several");
  sub->add_option("--record", options->record, "write signals over time: .csv, .jsonl, .json, .npz or .svg files");
  sub->add_option("--plot", options->plot, "draw the same over time: .svg");
  sub->add_option(
      "--signals", options->signals,
      "what to record (qpos qvel energy actuator_force sensordata): quantities, or those of single objects,\n"
      "such as qpos, xpos.chest, \"sensordata.left_*\", ncon");
  sub->add_option("--every", options->every, "record every N-th state only")->check(positive<int>());
  sub->add_option("--video", options->video, "film it: .mp4, .webm, .gif (with ffmpeg) or frame_%06d.png");
  add_picture_options(*sub, options->picture);
  sub->footer(
      "Examples:\n"
      "  sinew run models/humanoid.xml --time 2\n"
      "  sinew run models/gripper.xml --ctrl grip=0.04 --plot grip.svg\n"
      "  sinew run models/car.xml --steps 1000 --record car.csv\n"
      "  sinew run models/humanoid.xml --record motion.npz --signals qpos xpos.chest ncon --every 10");
  sub->callback([&action, options] { action = [options] { return run(*options); }; });
}

}  // namespace sinew::tool
