#include <algorithm>
#include <memory>
#include <random>

#include "command.h"
#include "number.h"
#include "report.h"
#include "sinew/step.h"
#include "sinew/transition.h"

namespace sinew::tool {
namespace {

struct Options {
  std::vector<std::string> models;
  int states = 3;
  int steps = 20;
  double eps = 1e-6;
};

/// Solver settings for which differences of a step are those of the converged solution.
void solve_tightly(Model& m) {
  m.opt.solver = static_cast<int>(SolverKind::Newton);
  m.opt.tolerance = 0;
  m.opt.ls_tolerance = 1e-10;
  m.opt.iterations = m.opt.ls_iterations = std::max(m.opt.iterations, 100);
}

/// A state some steps after the first keyframe (or qpos0), with random initial velocities and controls.
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

/// The larger error of two matrices and its entry, as 1.2e-09 A[3, 4].
std::string worst_of(char first, const MatrixError& a, char second, const MatrixError& b) {
  const auto& [name, worst] = a.error >= b.error ? std::pair{first, a} : std::pair{second, b};
  const std::string entry = worst.row < 0 ? "" : fmt::format("{}[{}, {}]", name, worst.row, worst.column);
  return fmt::format("{:>8.1e} {:<12}", worst.error, entry);
}

/// The first switch and the number of others.
std::string words_of(const SwitchReport& report) {
  if (!report.converged) return "the solver does not converge";
  std::string words = report.curved.empty() ? "" : "contacts found to a tolerance only";
  if (report.switches.empty()) return words;
  if (!words.empty()) words += "; ";
  words += "at a switch: " + describe(report.switches.front());
  if (report.switches.size() > 1) words += fmt::format(" and {} more", report.switches.size() - 1);
  return words;
}

/// Differences are accurate to 1e-6 only for a suitable eps: discontinuous curvature needs a smaller one, noise a
/// larger one.
TransitionCheck best_check(const Model& m, const Data& d, double eps) {
  constexpr double kAgree = 1e-6;
  TransitionCheck best = check_transition(m, d, {.eps = eps, .sensors = true});
  const auto error = [](const TransitionCheck& c) { return std::max(c.error.A.error, c.error.B.error); };
  for (const double other : {10 * eps, 0.1 * eps}) {
    if (error(best) < kAgree) break;
    const TransitionCheck again = check_transition(m, d, {.eps = other, .sensors = true});
    if (error(again) < kAgree) best = again;
  }
  return best;
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
    const TransitionCheck result = best_check(m, d, options.eps);
    const TransitionError& e = result.error;
    fmt::print("{} {} {:>8.1e} {}\n", worst_of('A', e.A, 'B', e.B), worst_of('C', e.C, 'D', e.D), result.report.reach,
               words_of(result.report));
  }
}

int derivatives(const Options& options) {
  int code = kDone;
  fmt::print("{:<44} {:>4} {:>4} {:>5} {:>8} {:<12} {:>8} {:<12} {:>8}\n", "model", "nv", "nu", "ncon", "state",
             "worst", "sensors", "worst", "reach");
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
  sub->add_option("MODEL", options->models, "MJCF, URDF or SDFormat files")->required();
  sub->add_option("--states", options->states, "random states of each model (3)")->check(positive<int>());
  sub->add_option("--steps", options->steps, "steps before each of them (20)")->check(not_negative<int>());
  sub->add_option("--eps", options->eps,
                  "perturbation of the extrapolated differences (1e-6); on disagreement also ten times more and less")
      ->check(positive<double>());
  sub->footer(R"(state:   largest |exact - differences| / (1 + |differences|) of A and B
sensors: the same of C and D
reach:   change of one component of state or control at which some constraint would switch

Example:
  sinew derivatives models/*.xml --states 5)");
  sub->callback([&action, options] { action = [options] { return derivatives(*options); }; });
}

}  // namespace sinew::tool
