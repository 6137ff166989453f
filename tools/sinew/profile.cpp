#include <algorithm>
#include <memory>

#include "base/files.h"
#include "command.h"
#include "interruption.h"
#include "json.h"
#include "number.h"
#include "progress.h"
#include "report.h"
#include "sinew/step.h"
#include "stage_times.h"
#include "values.h"

namespace sinew::tool {
namespace {

struct ProfileOptions {
  std::string model, key, plot;
  std::int64_t steps = 1000;
  bool json = false;
};

struct Profile {
  std::vector<StageTime> stages;
  std::int64_t steps = 0;
  double total() const {
    double sum = 0;
    for (const StageTime& stage : stages) sum += stage.seconds;
    return sum;
  }
  double share(const StageTime& stage) const { return stage.seconds / std::max(total(), 1e-300); }
  double mean(double seconds) const { return 1e6 * seconds / static_cast<double>(std::max<std::int64_t>(steps, 1)); }
};

void print_profile(const Profile& profile) {
  fmt::print("{:<13} {:<28} {:>10} {:>8} {:>12}\n", "level", "stage", "us/step", "share", "longest us");
  for (const StageTime& stage : profile.stages)
    fmt::print("{:<13} {:<28} {:>10.3f} {:>6.1f} % {:>12.1f}\n", stage.level, stage.name, profile.mean(stage.seconds),
               100 * profile.share(stage), 1e6 * stage.longest);
  fmt::print("{:<13} {:<28} {:>10.3f}   over {} steps\n", "total", "", profile.mean(profile.total()), profile.steps);
}

Json profile_json(const std::string& path, const Profile& profile) {
  Json out = {{"file", path}, {"steps", profile.steps}, {"us_per_step", profile.mean(profile.total())}};
  out["stages"] = Json::array();
  for (const StageTime& stage : profile.stages)
    out["stages"].push_back({{"level", stage.level},
                             {"stage", stage.name},
                             {"us_per_step", profile.mean(stage.seconds)},
                             {"share", profile.share(stage)},
                             {"longest_us", 1e6 * stage.longest}});
  return out;
}

std::string xml_escaped(const std::string& text) {
  std::string out;
  for (const char c : text) out += c == '&' ? "&amp;" : c == '<' ? "&lt;" : std::string(1, c);
  return out;
}

/// One bar per stage, longest possible bar for the slowest; the color tells the level.
std::string profile_picture(const std::string& title, const Profile& profile) {
  constexpr int kRow = 22, kTop = 50, kLabel = 210, kBar = 420, kWidth = 800;
  const auto color_of = [](std::string_view level) {
    return level == "position"       ? "#4878a8"
           : level == "velocity"     ? "#6aa84f"
           : level == "acceleration" ? "#d98032"
                                     : "#8e6bb0";
  };
  double most = 1e-300;
  for (const StageTime& stage : profile.stages) most = std::max(most, stage.seconds);
  const int height = kTop + kRow * static_cast<int>(profile.stages.size()) + 20;
  std::string out = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} {1}\" "
      "font-family=\"sans-serif\" font-size=\"12\">\n<rect width=\"{0}\" height=\"{1}\" fill=\"white\"/>\n"
      "<text x=\"16\" y=\"28\" font-size=\"15\">{2}: {3:.2f} us per step</text>\n",
      kWidth, height, xml_escaped(title), profile.mean(profile.total()));
  int y = kTop;
  for (const StageTime& stage : profile.stages) {
    const double width = kBar * stage.seconds / most;
    out += fmt::format(
        "<text x=\"{}\" y=\"{}\" text-anchor=\"end\">{}</text>"
        "<rect x=\"{}\" y=\"{}\" width=\"{:.1f}\" height=\"{}\" fill=\"{}\"><title>{}</title></rect>"
        "<text x=\"{:.1f}\" y=\"{}\">{:.2f} us, {:.1f} %</text>\n",
        kLabel - 8, y + 15, stage.name, kLabel, y + 3, width, kRow - 6, color_of(stage.level), stage.level,
        kLabel + width + 6, y + 15, profile.mean(stage.seconds), 100 * profile.share(stage));
    y += kRow;
  }
  return out + "</svg>\n";
}

int profile_model(const ProfileOptions& options) {
  if (!options.plot.empty() && !options.plot.ends_with(".svg"))
    throw BadValue(fmt::format("--plot {}: the extension must be .svg", options.plot));
  const std::optional<Model> model = load_and_report(options.model);
  if (!model) return kRefused;
  const Model& m = *model;
  Data d(m);
  reset_to_keyframe(m, d, options.key.empty() ? 0 : object_id(m, ObjType::Key, "keyframe", options.key));
  std::vector<StageTime> warm_up;
  for (std::int64_t i = 0; i < options.steps / 10 + 1; ++i) timed_step(m, d, warm_up);

  Profile profile;
  Progress progress;
  const Interruption interruption;
  for (; profile.steps < options.steps && !interruption.signal(); ++profile.steps) {
    timed_step(m, d, profile.stages);
    if (profile.steps % 64 == 0)
      progress.update(static_cast<double>(profile.steps) / static_cast<double>(options.steps),
                      fmt::format("{} steps", profile.steps));
  }
  progress.finish();
  if (options.json) {
    fmt::print("{}\n", profile_json(options.model, profile).dump(2));
  } else {
    print_profile(profile);
  }
  if (!options.plot.empty()) {
    if (const Result<bool> done = replace_file(options.plot, profile_picture(options.model, profile)); !done)
      return refuse(done.error());
    note("wrote {}", options.plot);
  }
  return interruption.signal() ? kSignalled + interruption.signal() : kDone;
}

}  // namespace

void add_profile(CLI::App& app, Action& action) {
  CLI::App* sub = app.add_subcommand("profile", "Time of each stage of a step, as a table and a picture");
  const auto options = std::make_shared<ProfileOptions>();
  sub->add_option("MODEL", options->model, "MJCF, URDF or SDFormat file")->required();
  sub->add_option("--steps", options->steps, "steps to time (1000)")->check(positive<std::int64_t>());
  sub->add_option("--key", options->key, "start from this keyframe (name or number; the first one)");
  sub->add_option("--plot", options->plot, "draw it: .svg");
  sub->add_flag("--json", options->json, "as JSON");
  sub->footer(
      "Examples:\n  sinew profile models/humanoid.xml --plot humanoid.svg\n"
      "  sinew profile models/boxes.xml --steps 5000 --json");
  sub->callback([&action, options] {
    action = [options] {
      try {
        return profile_model(*options);
      } catch (const BadValue& e) {
        return refuse(e.what());
      }
    };
  });
}

}  // namespace sinew::tool
