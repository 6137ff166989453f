#include "sim/advance.h"

#include <algorithm>

#include "dynamics/actuation.h"
#include "dynamics/history.h"
#include "dynamics/joint_table.h"

namespace sinew {

void advance(const Model& m, Data& d, const double* act_dot, const double* qacc, const double* qvel) {
  const double h = m.opt.timestep;
  record_controls(m, d);
  advance_activations(m, d, act_dot);
  for (int i = 0; i < m.nv; ++i) d.qvel[i] += h * qacc[i];
  integrate_position(m, d.qpos.data(), qvel ? qvel : d.qvel.data(), h);
  d.time += h;
  std::ranges::copy(d.qacc, d.qacc_warmstart.begin());  // what the solver found, not what the integrator made of it
}

}  // namespace sinew
