#include "sim/advance.h"

#include <algorithm>

#include "base/arena.h"
#include "dynamics/actuation.h"
#include "dynamics/history.h"
#include "dynamics/joint_table.h"
#include "sensor/sensors.h"
#include "sim/forward.h"
#include "sim/sleep.h"
#include "sinew/plugin.h"

namespace sinew {
namespace {

/// Trees at rest fall asleep first; only awake trees are integrated.
void advance_awake(const Model& m, Data& d, const double* qacc, const double* qvel) {
  Scratch scratch(d.scratch());
  double* rate = scratch.take<double>(m.nv);  // the previous qacc: the velocity and acceleration levels may run again
  std::copy_n(qacc, m.nv, rate);
  if (fall_asleep(m, d)) {
    velocity(m, d);
    sensors(m, d, Stage::Vel);
    acceleration(m, d);
    sensors(m, d, Stage::Acc);
    update_awake(m, d);
  }
  for (int i = 0; i < m.nv; ++i)
    if (d.tree_awake[m.dof_treeid[i]]) d.qvel[i] += m.opt.timestep * rate[i];
  const double* rate_of_qpos = qvel ? qvel : d.qvel.data();
  for (int j = 0; j < m.njnt; ++j) {
    if (!d.tree_awake[m.body_treeid[m.jnt_bodyid[j]]]) continue;
    visit_joint(joint_type(m, j), [&](auto kind) {
      kind.integrate(&d.qpos[m.jnt_qposadr[j]], rate_of_qpos + m.jnt_dofadr[j], m.opt.timestep);
    });
  }
}

}  // namespace

void advance(const Model& m, Data& d, const double* act_dot, const double* qacc, const double* qvel) {
  const double h = m.opt.timestep;
  record_controls(m, d);
  record_sensors(m, d);
  advance_activations(m, d, act_dot);
  if (m.opt.enabled(kEnableSleep)) {
    advance_awake(m, d, qacc, qvel);
  } else {
    for (int i = 0; i < m.nv; ++i) d.qvel[i] += h * qacc[i];
    integrate_position(m, d.qpos.data(), qvel ? qvel : d.qvel.data(), h);
  }
  d.time += h;
  std::ranges::copy(d.qacc, d.qacc_warmstart.begin());  // the solver's result, not the integrator's
  for (const auto& plugin : d.plugin_data)
    if (plugin) plugin->advance(m, d);
}

}  // namespace sinew
