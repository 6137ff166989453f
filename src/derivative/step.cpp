#include "derivative/step.h"

#include <algorithm>

#include "derivative/acceleration.h"
#include "derivative/constraint.h"
#include "derivative/integrator.h"
#include "sim/ready.h"
#include "sinew/analytic.h"
#include "sinew/state.h"
#include "sinew/step.h"

namespace sinew {
namespace {

bool has_callback(const Data& d) {
  const auto& c = d.callbacks;
  return c.control || c.passive || c.act_dyn || c.act_gain || c.act_bias || c.contact_filter;
}

}  // namespace

std::string analytic_refusal(const Model& m, const Data& d) {
  if (const Status status = ready(m, d); !status) return std::string(status.text());
  if (m.nhistory > 0) return "delay buffers: their contents would be part of the state";
  if (has_callback(d)) return "user callbacks: they cannot be differentiated";
  if (m.opt.enabled(kEnableSleep)) return "sleeping";
  if (m.opt.noslip_iterations > 0) return "noslip iterations: their result does not minimize the cost";
  if (m.nflex > 0) return "flexes: their positions, forces and contacts are not differentiated yet";
  return {};
}

StepDerivative::StepDerivative(const Model& m) : world_(m), state_(m) {}

void StepDerivative::begin(const Model& m, const Data& data, bool with_rows) {
  copy_state(m, data, world_, kStateIntegration);
  forward_skip(m, world_, Stage::None, true);
  if (!with_rows && m.opt.integrator == static_cast<int>(Integrator::RK4)) return;
  state_.needs_acc = with_rows;
  state_.constraints->keep_changes(with_rows);
  differentiate_acceleration(m, world_, state_);
  state_.needs_acc = false;
  state_.constraints->keep_changes(false);
  if (!with_rows) return;
  row_change_.reset(0, 0);
  force_change_.reset(0, 0);
  if (world_.nefc == 0) return;
  state_.constraints->row_columns(world_, state_.residual, row_change_);
  state_.constraints->force_columns(world_, row_change_, force_change_);
  std::ranges::copy(state_.constraints->rows().force, world_.efc_force.begin());
}

void StepDerivative::finish(const Model& m) {
  const bool rk4 = m.opt.integrator == static_cast<int>(Integrator::RK4);
  rk4 ? rk4_columns(m, world_, state_, next_) : integrate_columns(m, world_, state_, next_);
}

}  // namespace sinew
