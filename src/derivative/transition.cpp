#include "sinew/transition.h"

#include <algorithm>
#include <cmath>

#include "derivative/transition_fd.h"
#include "math/elementary.h"

namespace sinew {

TransitionMethod transition(const Model& m, const Data& d, const TransitionOptions& options, Transition& out,
                            SwitchReport& report) {
  const std::string refusal = analytic_refusal(m, d);
  if (refusal.empty()) {
    transition_analytic(m, d, options, out, report);
    return TransitionMethod::Analytic;
  }
  report = {};
  report.refusal = refusal;
  transition_fd(m, d, options, out);
  return TransitionMethod::Differences;
}

void transition_hybrid(const Model& m, const Data& d, const TransitionOptions& options, Transition& out) {
  TransitionWorkspace workspace(m);
  transition_analytic(m, d, options, out, workspace);
  difference_positions(m, d, options, out);
}

void transition_richardson(const Model& m, const Data& d, const TransitionOptions& options, Transition& out) {
  TransitionOptions twice = options;
  twice.eps *= 2;
  Transition rough;
  transition_fd(m, d, options, out);
  transition_fd(m, d, twice, rough);
  // fine + weight (fine - rough): 1/3 removes the error of order eps², 1 that of order eps
  const auto extrapolate = [](std::vector<double>& fine, const std::vector<double>& coarse, auto weight) {
    for (std::size_t k = 0; k < fine.size(); ++k) fine[k] += weight(k) * (fine[k] - coarse[k]);
  };
  const double state_weight = options.centered ? 1. / 3 : 1;
  const auto control_weight = [&](std::size_t k) {
    const int control = static_cast<int>(k % static_cast<std::size_t>(out.nu));
    const Nudges near = control_nudges(m, d, control, options), far = control_nudges(m, d, control, twice);
    if (near.forward != far.forward || near.backward != far.backward) return 0.0;
    return near.forward && near.backward ? 1. / 3 : 1.;
  };
  extrapolate(out.A, rough.A, [&](std::size_t) { return state_weight; });
  extrapolate(out.C, rough.C, [&](std::size_t) { return state_weight; });
  extrapolate(out.B, rough.B, control_weight);
  extrapolate(out.D, rough.D, control_weight);
}

MatrixError matrix_error(const std::vector<double>& a, const std::vector<double>& b, int columns) {
  MatrixError worst;
  for (std::size_t k = 0; k < a.size(); ++k) {
    const double error = std::abs(a[k] - b[k]) / (1 + std::abs(b[k]));
    if (error <= worst.error) continue;
    worst = {error, static_cast<int>(k) / columns, static_cast<int>(k) % columns};
  }
  return worst;
}

double TransitionError::worst() const { return std::max({A.error, B.error, C.error, D.error}); }

TransitionError transition_error(const Transition& a, const Transition& b) {
  return {matrix_error(a.A, b.A, a.ndx), matrix_error(a.B, b.B, a.nu), matrix_error(a.C, b.C, a.ndx),
          matrix_error(a.D, b.D, a.nu)};
}

TransitionCheck check_transition(const Model& m, const Data& d, const TransitionOptions& options) {
  TransitionCheck check;
  Transition exact, differences;
  TransitionOptions twice = options;
  twice.eps *= 2;  // the extrapolation's larger perturbation: a switch within it invalidates the comparison
  transition_analytic(m, d, twice, exact, check.report);
  transition_richardson(m, d, options, differences);
  check.error = transition_error(exact, differences);
  return check;
}

ConvergenceCheck check_convergence(const Model& m, const Data& d, const TransitionOptions& options, double ratio,
                                   int count) {
  ConvergenceCheck check;
  TransitionOptions now = options;
  Transition before, after;
  for (int k = 0; k < count; ++k, now.eps /= ratio) {
    check.eps.push_back(now.eps);
    transition_fd(m, d, now, after);
    if (k > 0) check.changes.push_back(transition_error(after, before).worst());
    std::swap(before, after);
  }
  if (check.changes.empty()) return check;
  const auto least = std::ranges::min_element(check.changes) - check.changes.begin();
  check.best = check.eps[static_cast<std::size_t>(least) + 1];
  if (check.changes.size() > 1)
    check.order = elementary::log(check.changes[0] / check.changes[1]) / elementary::log(ratio);
  return check;
}

}  // namespace sinew
