#include <algorithm>
#include <memory>
#include <random>

#include "command.h"
#include "report.h"
#include "sinew/step.h"
#include "sinew/transition.h"

namespace sinew::tool {
namespace {

struct Options {
  std::vector<std::string> models;
  int states = 3;
  int steps = 20;
  double eps = 2e-7;
};

/// Solver settings with which differences of a step are those of the minimum that it looks for.
void solve_tightly(Model& m) {
  m.opt.solver = static_cast<int>(SolverKind::Newton);
  m.opt.tolerance = 0;
  m.opt.ls_tolerance = 1e-10;
  m.opt.iterations = m.opt.ls_iterations = std::max(m.opt.iterations, 100);
}

/// A state that some steps from the first keyframe (or qpos0) lead to, with random velocities and controls.
void stir(const Model& m, Data& d, int seed, int steps) {
  std::mt19937 random(static_cast<unsigned>(seed));
  std::normal_distribution<double> normal;
  reset_to_keyframe(m, d, 0);
  for (double& v : d.qvel) v += 0.3 * normal(random);
  for (int u = 0; u < m.nu; ++u) {
    const double lo = m.actuator_ctrlrange[2 * u], hi = m.actuator_ctrlrange[2 * u + 1];
    d.ctrl[u] = m.actuator_ctrllimited[u] ? std::clamp(0.5 * (lo + hi) + 0.2 * (hi - lo) * normal(random), lo, hi)
                                          : d.ctrl[u] + 0.1 * normal(random);
  }
  for (int i = 0; i < steps; ++i) step(m, d);
}

/// The worst entry of all four matrices, as A[row, column].
std::string worst_entry(const TransitionError& error) {
  const std::pair<char, const MatrixError&> all[] = {{'A', error.A}, {'B', error.B}, {'C', error.C}, {'D', error.D}};
  const auto worst = std::ranges::max_element(all, {}, [](const auto& entry) { return entry.second.error; });
  return worst->second.row < 0 ? "" : fmt::format("{}[{}, {}]", worst->first, worst->second.row, worst->second.column);
}

void check(const std::string& path, const Model& m, const Options& options) {
  Data d(m);
  for (int seed = 1; seed <= options.states; ++seed) {
    stir(m, d, seed, options.steps);
    fmt::print("{:<44} {:>4} {:>4} {:>5} ", path, m.nv, m.nu, d.ncon);
    if (const std::string reason = analytic_refusal(m, d); !reason.empty()) {
      fmt::print("no exact derivative: {}\n", reason);
      return;
    }
    const TransitionCheck result = check_transition(m, d, {.eps = options.eps, .sensors = true});
    fmt::print("{:>9.1e} {:<14} {:>9.1e} {}\n", result.error.worst(), worst_entry(result.error), result.report.reach,
               result.report.at_switch() ? "at a switch" : "");
  }
}

int derivatives(const Options& options) {
  int code = kDone;
  fmt::print("{:<44} {:>4} {:>4} {:>5} {:>9} {:<14} {:>9}\n", "model", "nv", "nu", "ncon", "error", "worst entry",
             "reach");
  for (const std::string& path : options.models) {
    std::optional<Model> model = load_and_report(path);
    if (!model) {
      code = kRefused;
      continue;
    }
    solve_tightly(*model);
    check(path, *model, options);
  }
  return code;
}

}  // namespace

void add_derivatives(CLI::App& app, Action& action) {
  CLI::App* sub = app.add_subcommand("derivatives", "Compare the exact derivative of a step with finite differences");
  const auto options = std::make_shared<Options>();
  sub->add_option("MODEL", options->models, "MJCF files")->required();
  sub->add_option("--states", options->states, "random states of each model (3)")->check(CLI::PositiveNumber);
  sub->add_option("--steps", options->steps, "steps that lead to each of them (20)")->check(CLI::NonNegativeNumber);
  sub->add_option("--eps", options->eps, "perturbation of the extrapolated differences (2e-7)")
      ->check(CLI::PositiveNumber);
  sub->footer(R"(error: largest |exact - differences| / (1 + |differences|) of A, B, C and D
reach: change of one component of state or control at which some constraint would switch

Example:
  sinew derivatives models/*.xml --states 5)");
  sub->callback([&action, options] { action = [options] { return derivatives(*options); }; });
}

}  // namespace sinew::tool
