#include "derivative/acceleration.h"

#include "derivative/constraint.h"
#include "derivative/integrator.h"
#include "derivative/parameters.h"
#include "derivative/smooth.h"
#include "derivative/solve.h"

namespace sinew {

DerivativeState::DerivativeState(const Model& m) {
  columns = {static_cast<int>(m.nv), static_cast<int>(m.na), static_cast<int>(m.nu)};
  axis_groups(m, group);
  constraints = std::make_unique<ConstraintColumns>();
}

DerivativeState::~DerivativeState() = default;

void DerivativeState::begin(const Model& m) {
  const int n = columns.count();
  residual.reset(static_cast<int>(m.nv), n);
  integrator.reset(static_cast<int>(m.nv), n);
  act_dot.reset(static_cast<int>(m.na), n);
  act_length.reset(m.na > 0 ? static_cast<int>(m.nout) : 0, n);
  act_velocity.reset(m.na > 0 ? static_cast<int>(m.nout) : 0, n);
}

void residual_columns(const Model& m, Data& d, DerivativeState& s) {
  s.sweep.compute(m, d, s.group, {d.qvel.data(), s.acc.data(), true});
  if (s.forces == ForceSet::All) add_applied_forces(m, d, s);
  needs_dual_forces(m) ? add_forces_by_dual(m, d, s) : add_forces_by_hand(m, d, s);
  if (d.nefc > 0 || (d.ncon > 0 && drives_contacts(m))) s.constraints->add(m, d, s);
  s.sweep.add_position_derivative(m, d, 1, s.residual, s.columns.q());
  s.sweep.add_velocity_derivative(m, d, 1, s.residual, s.columns.v());
  add_matrix_change(m, d, s);
  if (!s.parameters.empty()) add_parameter_columns(m, d, s);
}

void differentiate_acceleration(const Model& m, Data& d, DerivativeState& s) {
  s.begin(m);
  s.acc.assign(d.qacc.begin(), d.qacc.end());
  if (d.nefc > 0) s.constraints->converge(m, d, s);
  begin_integrator(m, d, s);
  residual_columns(m, d, s);
  for (int i = 0; i < m.nv; ++i)
    for (int k = 0; k < s.residual.stride(); ++k) s.residual.row(i)[k] *= -1;
  s.has_force = d.nefc == 0 && s.implicit && !s.needs_acc;
  if (!s.has_force) solve_acceleration(m, d, s, s.residual);
}

void solve_acceleration(const Model& m, const Data& d, const DerivativeState& s, Matrix& X) {
  if (d.nefc > 0)
    s.constraints->solve(X);
  else
    solve_tree_rows(m, d.qLD.data(), d.qLDiagInv.data(), X);
}

}  // namespace sinew
