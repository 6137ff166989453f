#include "sim/forward_inverse.h"

#include <algorithm>
#include <cmath>

#include "base/arena.h"
#include "dynamics/acceleration.h"
#include "sim/unchecked.h"

namespace sinew {
namespace {

double distance(const double* a, const double* b, std::int64_t n) {
  double sum = 0;
  for (std::int64_t i = 0; i < n; ++i) sum += (a[i] - b[i]) * (a[i] - b[i]);
  return std::sqrt(sum);
}

}  // namespace

void compare_forward_inverse(const Model& m, Data& d) {
  d.solver_fwdinv = {};
  if (d.nefc == 0) return;
  Scratch scratch(d.scratch());
  double* constraint = scratch.take<double>(m.nv);
  double* applied = scratch.take<double>(m.nv);
  double* force = scratch.take<double>(d.nefc);
  int* state = scratch.take<int>(d.nefc);
  std::ranges::copy(d.qfrc_constraint, constraint);
  std::copy_n(d.efc_force.begin(), d.nefc, force);
  std::copy_n(d.efc_state.begin(), d.nefc, state);
  for (int i = 0; i < m.nv; ++i) applied[i] = d.qfrc_applied[i] + d.qfrc_actuator[i];
  add_applied_body_forces(m, d, applied);

  unchecked::inverse_skip(m, d, Stage::Vel, true);
  d.solver_fwdinv = {distance(constraint, d.qfrc_constraint.data(), m.nv),
                     distance(applied, d.qfrc_inverse.data(), m.nv)};
  std::copy_n(constraint, m.nv, d.qfrc_constraint.begin());
  std::copy_n(force, d.nefc, d.efc_force.begin());
  std::copy_n(state, d.nefc, d.efc_state.begin());
}

}  // namespace sinew
