#include <algorithm>
#include <limits>

#include "base/arena.h"
#include "constraint/solve.h"
#include "dynamics/bias.h"
#include "dynamics/flex_metric.h"
#include "dynamics/inertia.h"
#include "sensor/sensors.h"
#include "sim/forward.h"
#include "sim/integrator_table.h"
#include "sim/unchecked.h"

namespace sinew {
namespace {

/// The acceleration M⁻¹ A qacc, with which the forces of continuous time produce the discrete qacc; A is the
/// integrator's matrix.
void continuous_acceleration(const Model& m, Data& d, double* qacc) {
  const auto discrete_force = integrator(m.opt.integrator).discrete_force;
  if (!discrete_force) {
    std::fill_n(qacc, m.nv, std::numeric_limits<double>::quiet_NaN());
    return;
  }
  // M⁻¹ M qacc would be qacc but for rounding, which stiff rows of bodies far away multiply by their square
  if (discrete_force(m, d, d.qacc.data(), qacc)) {
    solve_inertia(m, d, qacc);
  } else {
    std::ranges::copy(d.qacc, qacc);
  }
}

}  // namespace

void unchecked::inverse_skip(const Model& m, Data& d, Stage skip, bool skip_sensors) {
  if (skip < Stage::Pos) {
    position(m, d, Waking::ByUser);
    if (!skip_sensors) sensors(m, d, Stage::Pos);
  }
  if (skip < Stage::Vel) {
    velocity(m, d);
    if (!skip_sensors) sensors(m, d, Stage::Vel);
  }

  Scratch scratch(d.scratch());
  double* qacc = scratch.take<double>(m.nv);
  if (m.opt.enabled(kEnableInvdiscrete)) {
    continuous_acceleration(m, d, qacc);
  } else {
    std::ranges::copy(d.qacc, qacc);
  }

  // M q̈ + bias = passive + constraint + qfrc_inverse
  inverse_constraints(m, d, qacc);
  double* inertial = scratch.take<double>(m.nv);
  mul_tree_sparse(m, d.M.data(), qacc, inertial);
  for (int i = 0; i < m.nv; ++i)
    d.qfrc_inverse[i] = d.qfrc_bias[i] + inertial[i] - d.qfrc_passive[i] - d.qfrc_constraint[i];
  if (m.nflex > 0 && d.efm_active) {
    add_product(stiffness_matrix(m, d), qacc, d.qfrc_inverse.data());
    for (int i = 0; i < m.nv; ++i) d.qfrc_inverse[i] -= d.efm_c[i];
  }
  if (!skip_sensors) sensors(m, d, Stage::Acc);
}

}  // namespace sinew
