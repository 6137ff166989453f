// bench_survey FOLDER [--steps N] [--seconds S] [--only TEXT] [--markdown] [--svg FILE]: every model of a folder tree
// that both engines load. From the first keyframe or the initial state, with the same pseudo-random controls, both run
// blocks of the same steps in turn. Each model has its own process, so that none can end or slow the others. Times are
// processor time, the best of all blocks; beside them are loading, and the memory of a model and of a world.

#include <fmt/core.h>
#include <mujoco/mujoco.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cmath>
#include <cstring>
#include <fstream>
#include <map>
#include <optional>

#include "sinew/data.h"
#include "sinew/load.h"
#include "sinew/state.h"
#include "sinew/step.h"
#include "timing.h"

namespace {

namespace fs = std::filesystem;

constexpr int kTogetherSteps = 20;      // over which both must have the same positions
constexpr double kTogether = 1e-6;      // largest difference, relative to 1 + |q|
constexpr int kBlocks = 12;             // at most
constexpr unsigned kProcessLimit = 60;  // seconds of processor time

struct Time {
  double ours = 0, peers = 0;
  double ratio() const { return peers / ours; }
};

/// What the process of one model hands back: plain numbers through a pipe.
struct Row {
  Time step, load, elapsed;  // s
  Time model, world;         // bytes
  double apart = 0;          // largest relative difference of positions over the first steps
  double contacts = 0, rows = 0;
  int nv = 0, integrator = 0, solver = 0;
};

struct Named {
  std::string name;
  Row row;
};

/// A control in [-1, 1] for a step and an actuator, from the bits of a hash.
double control(int step, int actuator) {
  std::uint64_t x =
      (static_cast<std::uint64_t>(step) << 32 | static_cast<std::uint32_t>(actuator)) + 0x9e3779b97f4a7c15u;
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
  x = (x ^ x >> 27) * 0x94d049bb133111ebu;
  return static_cast<double>((x ^ x >> 31) >> 11) * 0x1p-52 - 1;
}

/// Controls of all steps of a block: within the range of the actuator, else in [-1, 1].
std::vector<double> controls(const mjModel& m, int steps) {
  std::vector<double> all;
  for (int step = 0; step < steps; ++step) {
    for (int i = 0; i < m.nu; ++i) {
      const double u = control(step, i);
      const mjtNum* range = m.actuator_ctrlrange + 2 * i;
      all.push_back(m.actuator_ctrllimited[i] ? range[0] + 0.5 * (u + 1) * (range[1] - range[0]) : u);
    }
  }
  return all;
}

/// Both engines with the same model.
struct Pair {
  const sinew::Model& model;
  sinew::Data& data;
  mjModel* peer_model;
  mjData* peer_data;
  std::vector<double> ctrl;  // one row per step

  void restart() {
    if (model.nkey > 0) {
      sinew::reset_to_keyframe(model, data, 0);
      mj_resetDataKeyframe(peer_model, peer_data, 0);
    } else {
      sinew::reset(model, data);
      mj_resetData(peer_model, peer_data);
    }
  }
  void step_ours(int i) {
    const auto nu = static_cast<std::size_t>(peer_model->nu);
    if (nu) std::memcpy(&data.ctrl[0], &ctrl[static_cast<std::size_t>(i) * nu], nu * sizeof(double));
    sinew::step(model, data);
  }
  void step_peers(int i) {
    const auto nu = static_cast<std::size_t>(peer_model->nu);
    if (nu) std::memcpy(peer_data->ctrl, &ctrl[static_cast<std::size_t>(i) * nu], nu * sizeof(double));
    mj_step(peer_model, peer_data);
  }
};

/// NaN if any position is.
double largest_difference(const Pair& pair, double largest) {
  for (int i = 0; i < pair.peer_model->nq; ++i) {
    const double ours = pair.data.qpos[static_cast<std::size_t>(i)], peers = pair.peer_data->qpos[i];
    const double difference = std::abs(ours - peers) / (1 + std::abs(peers));
    if (!(difference <= largest)) largest = difference;
    if (std::isnan(largest)) break;
  }
  return largest;
}

void time_steps(Pair& pair, int steps, double seconds, Row& row) {
  pair.restart();
  for (int i = 0; i < std::min(steps, kTogetherSteps); ++i) {
    pair.step_ours(i);
    pair.step_peers(i);
    row.apart = largest_difference(pair, row.apart);
  }
  row.step = {1e30, 1e30};
  double total = 0;
  for (int block = 0; block < kBlocks && (block < 3 || total < seconds); ++block) {
    pair.restart();
    double contacts = 0, rows = 0;
    const double ours = bench::seconds([&] {
      for (int i = 0; i < steps; ++i) {
        pair.step_ours(i);
        contacts += pair.data.ncon;
        rows += pair.data.nefc;
      }
    });
    const double peers = bench::seconds([&] {
      for (int i = 0; i < steps; ++i) pair.step_peers(i);
    });
    total += ours + peers;
    row.step.ours = std::min(row.step.ours, ours / steps);
    row.step.peers = std::min(row.step.peers, peers / steps);
    row.contacts = contacts / steps;
    row.rows = rows / steps;
  }
}

/// Loading in turn: processor time of all threads and elapsed time, the best of three batches. The clock of a process
/// may tick as rarely as every 10 ms, so a batch repeats the loading.
void time_loading(const std::string& file, double seconds, Row& row) {
  row.load = row.elapsed = {1e30, 1e30};
  const auto take = [&](const auto& load, double& best_cpu, double& best_elapsed) {
    const double once = bench::seconds(load, bench::Clock::Wall);
    const int times = std::clamp(static_cast<int>(seconds / 10 / once), 1, 1000);
    double cpu = 0;
    const double elapsed = bench::seconds(
        [&] {
          cpu = bench::seconds(
              [&] {
                for (int i = 0; i < times; ++i) load();
              },
              bench::Clock::Process);
        },
        bench::Clock::Wall);
    best_cpu = std::min(best_cpu, cpu / times);
    best_elapsed = std::min(best_elapsed, elapsed / times);
  };
  for (int batch = 0; batch < 3; ++batch) {
    take([&] { (void)sinew::load(file); }, row.load.ours, row.elapsed.ours);
    take(
        [&] {
          char error[1000] = "";
          mj_deleteModel(mj_loadXML(file.c_str(), nullptr, error, sizeof error));
        },
        row.load.peers, row.elapsed.peers);
  }
}

std::optional<Row> measure(const std::string& file, int steps, double seconds) {
  const auto model = sinew::load(file);
  if (!model) return std::nullopt;
  char error[1000] = "";
  mjModel* peer = mj_loadXML(file.c_str(), nullptr, error, sizeof error);
  if (!peer || peer->nv == 0 || peer->nv != model->nv || peer->nu != model->nu) return std::nullopt;
  Row row;
  sinew::Data data(*model);
  Pair pair{*model, data, peer, mj_makeData(peer), controls(*peer, steps)};
  time_steps(pair, steps, seconds, row);
  row.nv = static_cast<int>(peer->nv);
  row.integrator = peer->opt.integrator;
  row.solver = peer->opt.solver;
  row.model = {static_cast<double>(model->bytes()), static_cast<double>(mj_sizeModel(peer))};
  // of its arena only what it has used: the rest is never touched
  row.world = {static_cast<double>(data.bytes()), static_cast<double>(sizeof(mjData)) +
                                                      static_cast<double>(pair.peer_data->nbuffer) +
                                                      static_cast<double>(pair.peer_data->maxuse_arena)};
  time_loading(file, seconds, row);
  return row;
}

/// The row of a model, measured in a process of its own; none if an engine refuses the model or does not come back.
std::optional<Row> measure_apart(const std::string& file, int steps, double seconds) {
  int ends[2];
  if (pipe(ends) != 0) return std::nullopt;
  std::fflush(stdout);
  const pid_t child = fork();
  if (child == 0) {
    close(ends[0]);
    const rlimit limit{kProcessLimit, kProcessLimit};
    setrlimit(RLIMIT_CPU, &limit);
    mju_user_warning = [](const char*) {};
    mju_user_error = [](const char*) { _exit(1); };
    const auto row = measure(file, steps, seconds);
    const bool sent = row && write(ends[1], &*row, sizeof *row) == static_cast<ssize_t>(sizeof *row);
    _exit(sent ? 0 : 1);
  }
  close(ends[1]);
  Row row;
  const bool received = read(ends[0], &row, sizeof row) == static_cast<ssize_t>(sizeof row);
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  return received && status == 0 ? std::optional(row) : std::nullopt;
}

std::vector<fs::path> models_below(const fs::path& folder, const std::string& only) {
  std::vector<fs::path> models;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    const fs::path& path = entry.path();
    if (path.extension() == ".xml" && path.string().find(only) != std::string::npos) models.push_back(path);
  }
  std::sort(models.begin(), models.end());
  return models;
}

double quantile(std::vector<double> values, double at) {
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  return values[static_cast<std::size_t>(std::lround(at * static_cast<double>(values.size() - 1)))];
}

template <class Ratio>
void summarize(const std::string& what, const std::vector<Named>& models, Ratio ratio) {
  std::vector<double> values;
  double logs = 0;
  for (const Named& model : models) {
    values.push_back(ratio(model.row));
    logs += std::log(values.back());
  }
  const auto below = [&](double limit) {
    return std::count_if(values.begin(), values.end(), [limit](double value) { return value < limit; });
  };
  fmt::print(
      "{:36} mean {:5.2f}  worst {:5.2f}  quartiles {:5.2f} {:5.2f} {:5.2f}  best {:6.2f}  below 1: {}, 1.5: {}, 2: "
      "{}\n",
      what, std::exp(logs / static_cast<double>(values.size())), quantile(values, 0), quantile(values, .25),
      quantile(values, .5), quantile(values, .75), quantile(values, 1), below(1), below(1.5), below(2));
}

constexpr std::array kIntegrators = {"Euler", "RK4", "implicit", "implicitfast"};
constexpr std::array kSolvers = {"PGS", "CG", "Newton"};

void print_table(const std::vector<Named>& models, bool markdown) {
  const auto bars = [markdown](const std::string& line) {  // columns are at least two spaces apart
    if (!markdown) return line;
    std::string out = "| ";
    for (std::size_t i = line.find_first_not_of(' '); i < line.size();) {
      const std::size_t end = std::min(line.find("  ", i), line.size());
      out += line.substr(i, end - i) + " | ";
      i = std::min(line.find_first_not_of(' ', end), line.size());
    }
    out.pop_back();
    return out;
  };
  fmt::print("{}\n", bars(fmt::format(
                         "{:64}  {:>6}  {:>9}  {:>9}  {:>4}  {:>8}  {:>7}  {:>6}  {:>12}  {:>6}  {:>7}  {:>6}  {:>6}",
                         "model", "ratio", "µs", "peer, µs", "nv", "contacts", "rows", "solver", "integrator", "load",
                         "elapsed", "model", "world")));
  if (markdown) fmt::print("|---|---|---|---|---|---|---|---|---|---|---|---|---|\n");
  for (const auto& [name, r] : models) {
    fmt::print("{}\n", bars(fmt::format("{:64}  {:6.2f}  {:9.2f}  {:9.2f}  {:4}  {:8.1f}  {:7.1f}  {:>6}  {:>12}  "
                                        "{:6.2f}  {:7.2f}  {:6.2f}  {:6.2f}",
                                        name, r.step.ratio(), 1e6 * r.step.ours, 1e6 * r.step.peers, r.nv, r.contacts,
                                        r.rows, kSolvers[static_cast<std::size_t>(r.solver)],
                                        kIntegrators[static_cast<std::size_t>(r.integrator)], r.load.ratio(),
                                        r.elapsed.ratio(), r.model.ratio(), r.world.ratio())));
  }
}

/// All ratios of steps from the worst to the best, on a logarithmic axis.
void draw(const std::string& file, const std::vector<Named>& models) {
  constexpr double kLeft = 60, kRight = 600, kTop = 40, kBottom = 340, kLow = 0.5, kHigh = 32;
  const auto height = [&](double ratio) {
    const double share = std::log(std::clamp(ratio, kLow, kHigh) / kLow) / std::log(kHigh / kLow);
    return kBottom - share * (kBottom - kTop);
  };
  std::ofstream out(file);
  out << R"(<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 620 390" font-family="sans-serif" font-size="12">
<rect width="620" height="390" fill="white"/>
)";
  for (const double ratio : {0.5, 1., 2., 4., 8., 16., 32.}) {
    out << fmt::format(R"(<path d="M{} {:.1f}H{}" stroke="{}"/><text x="{}" y="{:.1f}" text-anchor="end">{}</text>)"
                       "\n",
                       kLeft, height(ratio), kRight, ratio == 1 ? "#333" : "#ddd", kLeft - 6, height(ratio) + 4, ratio);
  }
  for (std::size_t i = 0; i < models.size(); ++i) {
    const double x = kLeft + (kRight - kLeft) * (static_cast<double>(i) + 0.5) / static_cast<double>(models.size());
    out << fmt::format(R"(<circle cx="{:.1f}" cy="{:.1f}" r="2" fill="#1f6fb4"><title>{} {:.2f}</title></circle>)"
                       "\n",
                       x, height(models[i].row.step.ratio()), models[i].name, models[i].row.step.ratio());
  }
  out << fmt::format(
      R"(<text x="60" y="24" font-size="14">Processor time of a step, MuJoCo {} / sinew: {} models</text>)"
      "\n</svg>\n",
      mj_versionString(), models.size());
}

int usage() {
  fmt::print(stderr, "usage: bench_survey FOLDER [--steps N] [--seconds S] [--only TEXT] [--markdown] [--svg FILE]\n");
  return 2;
}

}  // namespace

int main(int argc, char** argv) {
  std::setvbuf(stdout, nullptr, _IOLBF, 0);
  int steps = 100;
  double seconds = 1.5;  // of all blocks of a model
  std::string folder, only, svg;
  bool markdown = false;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word == "--markdown") {
      markdown = true;
    } else if (word.starts_with("--") && i + 1 == argc) {
      return usage();
    } else if (word == "--steps") {
      steps = std::atoi(argv[++i]);
    } else if (word == "--seconds") {
      seconds = std::atof(argv[++i]);
    } else if (word == "--only") {
      only = argv[++i];
    } else if (word == "--svg") {
      svg = argv[++i];
    } else if (folder.empty() && !word.starts_with("--")) {
      folder = word;
    } else {
      return usage();
    }
  }
  if (folder.empty() || steps < 1) return usage();
#ifdef SINEW_PEER_LIBRARIES
  for (const char* library : {"actuator", "elasticity", "sdf_plugin", "sensor"})
    mj_loadPluginLibrary(fmt::format("{}/lib{}.so", SINEW_PEER_LIBRARIES, library).c_str());
#endif

  std::vector<Named> together;
  std::vector<std::string> left_out;
  for (const fs::path& path : models_below(folder, only)) {
    const std::string name = fs::relative(path, folder).replace_extension().string();
    const auto row = measure_apart(path.string(), steps, seconds);
    if (!row) {
      left_out.push_back(name + ": not loaded by both, without dofs, or out of time");
    } else if (!(row->apart < kTogether)) {
      left_out.push_back(fmt::format("{}: apart by {:.1e} after {} steps, ratio {:.2f}", name, row->apart,
                                     kTogetherSteps, row->step.ratio()));
    } else {
      together.push_back({name, *row});
    }
  }
  if (together.empty()) {
    fmt::print("no model of {} is loaded by both engines\n", folder);
    return 1;
  }
  std::sort(together.begin(), together.end(),
            [](const Named& a, const Named& b) { return a.row.step.ratio() < b.row.step.ratio(); });
  fmt::print("MuJoCo {} / sinew: processor time of a step in blocks of {} steps, best block\n", mj_versionString(),
             steps);
  print_table(together, markdown);
  fmt::print("\n{} models\n", together.size());
  summarize("step, processor time", together, [](const Row& r) { return r.step.ratio(); });
  summarize("loading, processor time", together, [](const Row& r) { return r.load.ratio(); });
  summarize("loading, elapsed time", together, [](const Row& r) { return r.elapsed.ratio(); });
  summarize("memory of a model", together, [](const Row& r) { return r.model.ratio(); });
  summarize("memory of a world", together, [](const Row& r) { return r.world.ratio(); });
  fmt::print("worst ten:");
  for (std::size_t i = 0; i < std::min<std::size_t>(10, together.size()); ++i)
    fmt::print(" {} {:.2f}{}", together[i].name, together[i].row.step.ratio(), i < 9 ? "," : "");
  fmt::print("\n\nleft out: {}\n", left_out.size());
  for (const std::string& line : left_out) fmt::print("{}\n", line);
  if (!svg.empty()) draw(svg, together);
}
