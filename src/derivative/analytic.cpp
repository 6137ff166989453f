#include "sinew/analytic.h"

#include <algorithm>

#include "derivative/switches.h"
#include "derivative/workspace.h"
#include "sinew/error.h"

namespace sinew {

TransitionWorkspace::TransitionWorkspace(const Model& model) : parts_(std::make_unique<Parts>(model)) {}
TransitionWorkspace::TransitionWorkspace(TransitionWorkspace&&) noexcept = default;
TransitionWorkspace::~TransitionWorkspace() = default;

namespace {

/// Splits the columns into those of the state and those of the controls.
void split(const Matrix& from, int rows, int nx, int nu, std::vector<double>& state, std::vector<double>& control) {
  for (int i = 0; i < rows; ++i) {
    std::copy_n(from.row(i), nx, state.begin() + static_cast<std::ptrdiff_t>(i) * nx);
    std::copy_n(from.row(i) + nx, nu, control.begin() + static_cast<std::ptrdiff_t>(i) * nu);
  }
}

void throw_if(const std::string& refusal) {
  if (!refusal.empty())
    throw Exception(Error::message("the analytic derivative of a step does not support " + refusal));
}

void differentiate(const Model& m, const Data& data, const TransitionOptions& options, Transition& out,
                   SwitchReport* report, TransitionWorkspace::Parts& parts) {
  const bool sensors = options.sensors && m.nsensordata > 0 && !m.opt.disabled(kDisableSensor);
  out.resize(m, options.sensors);
  StepDerivative& step = parts.step;
  const ColumnLayout& columns = step.columns();
  step.begin(m, data, sensors || report);
  if (report) find_switches({m, step.world(), options.eps, *report}, step.state(), step.row_change());
  if (sensors) {
    if (!parts.shadow) parts.shadow.emplace(m);
    const SensorInputs in = {step.state().acc, step.state().residual, step.force_change()};
    sensor_columns(m, step.world(), step.state(), in, *parts.shadow, parts.sensors);
    split(parts.sensors, out.nsensordata, columns.state(), columns.nu, out.C, out.D);
  }
  step.finish(m);
  split(step.next(), columns.state(), columns.state(), columns.nu, out.A, out.B);
}

}  // namespace

void transition_analytic(const Model& model, const Data& data, const TransitionOptions& options, Transition& out,
                         SwitchReport& report) {
  TransitionWorkspace workspace(model);
  transition_analytic(model, data, options, out, report, workspace);
}

void transition_analytic(const Model& model, const Data& data, const TransitionOptions& options, Transition& out,
                         SwitchReport& report, TransitionWorkspace& workspace) {
  throw_if(analytic_refusal(model, data));
  report.refusal.clear();
  differentiate(model, data, options, out, &report, workspace.parts());
}

void transition_analytic(const Model& model, const Data& data, const TransitionOptions& options, Transition& out,
                         TransitionWorkspace& workspace) {
  throw_if(analytic_refusal(model, data));
  differentiate(model, data, options, out, nullptr, workspace.parts());
}

}  // namespace sinew
