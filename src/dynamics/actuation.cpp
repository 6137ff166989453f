#include "dynamics/actuation.h"

#include <algorithm>
#include <cmath>

#include "base/arena.h"
#include "dynamics/actuator_table.h"
#include "dynamics/history.h"
#include "dynamics/passive.h"
#include "dynamics/plugins.h"
#include "math/dual.h"
#include "math/vec3.h"

namespace sinew {
namespace {

template <class Real>
bool is_bad(const Real& x) {
  return !(x >= -kMaxVal && x <= kMaxVal);
}

/// Controls as seen by the actuators: delayed, clamped, and all zero if one is bad.
template <class Real>
void read_controls(const Model& m, BasicData<Real>& d, Real* ctrl) {
  for (int k = 0; k < m.nu; ++k) ctrl[k] = d.ctrl[k];
  if (m.nhistory > 0) {
    // with several controls only the first is delayed; MuJoCo 3.12.0 leaves the others undefined
    for (int i = 0; i < m.nactuator; ++i) {
      if (m.actuator_delay[i] == 0 || m.actuator_history[2 * i] <= 0) continue;
      actuator_history(m, d, i).read(d.time - m.actuator_delay[i], Interp(m.actuator_history[2 * i + 1]),
                                     ctrl + m.actuator_ctrladr[i]);
    }
  }
  if (!m.opt.disabled(kDisableClampctrl)) {
    for (int k = 0; k < m.nu; ++k)
      if (m.actuator_ctrllimited[k])
        ctrl[k] = clip(ctrl[k], m.actuator_ctrlrange[2 * k], m.actuator_ctrlrange[2 * k + 1]);
  }
  for (int k = 0; k < m.nu; ++k) {
    if (!is_bad(ctrl[k])) continue;
    WarningStat& stat = d.warning[std::size_t(Warning::BadCtrl)];
    stat.lastinfo = k;
    ++stat.number;
    std::fill_n(ctrl, m.nu, Real(0));
    return;
  }
}

/// The last slot of a plugin's actuator follows its dynamics, the plugin computes the others.
template <class Real>
void plugin_rate(const Actuator<Real>& a, Real* act_dot) {
  std::fill_n(act_dot, a.slots(), Real(0));
  if (DynType(a.m.actuator_dyntype[a.id]) == DynType::Integrator)
    act_dot[a.slots() - 1] = a.ctrl[0];
  else if (const auto rate = dynamics_row<Real>(a.m, a.id).rate)
    rate(a, act_dot);
}

/// Forces of the actuators that plugins compute. Those of disabled groups and sleeping targets have none.
void plugin_forces(const Model& m, Data& d) {
  for_each_plugin(m, d, kPluginActuator, [&](PluginInstance& plugin, int) { plugin.compute_actuator_force(m, d); });
  for (int i = 0; i < m.nactuator; ++i)
    if (m.actuator_plugin[i] >= 0 && (is_disabled(m, i) || is_asleep(m, d, i)))
      std::fill_n(d.actuator_force.begin() + m.actuator_outadr[i], m.actuator_outnum[i], 0.0);
}

/// Gain and bias force of one actuator.
template <class Real>
void actuator_forces(const Actuator<Real>& a, Real* force) {
  gain_row<Real>(a.m, a.id).force(a, force);
  if (const auto bias = bias_row<Real>(a.m, a.id).force)
    for (int k = 0; k < a.outputs(); ++k) force[k] += bias(a, k);
}

/// Scales all forces on a tendon so that their sum is within the tendon's range.
template <class Real>
void limit_tendon_forces(const Model& m, BasicData<Real>& d) {
  bool any = false;
  for (int i = 0; i < m.nactuator && !any; ++i) any = pulls_limited_tendon(m, i);
  if (!any) return;
  Scratch scratch(d.scratch());
  Real* total = scratch.zeros<Real>(std::size_t(m.ntendon));
  for (int i = 0; i < m.nactuator; ++i)
    if (pulls_limited_tendon(m, i)) total[m.actuator_trnid[2 * i]] += d.actuator_force[m.actuator_outadr[i]];
  for (int i = 0; i < m.nactuator; ++i) {
    if (!pulls_limited_tendon(m, i)) continue;
    const int tendon = m.actuator_trnid[2 * i];
    const double lo = m.tendon_actfrcrange[2 * tendon], hi = m.tendon_actfrcrange[2 * tendon + 1];
    const Real sum = total[tendon];
    if (sum == Real(0)) continue;
    if (sum < lo) d.actuator_force[m.actuator_outadr[i]] *= Real(lo) / sum;
    if (sum > hi) d.actuator_force[m.actuator_outadr[i]] *= Real(hi) / sum;
  }
}

/// Force range of the actuator: of a scalar force, or of the norm of an orientation actuator's vector.
template <class Real>
void limit_actuator_force(const Model& m, int actuator, Real* force) {
  if (!m.actuator_forcelimited[actuator]) return;
  const double lo = m.actuator_forcerange[2 * actuator], hi = m.actuator_forcerange[2 * actuator + 1];
  if (GainType(m.actuator_gaintype[actuator]) == GainType::So3) {
    const Vec3<Real> f = Vec3<Real>::load(force);
    const Real length = norm(f);
    if (length > hi) (f * (Real(hi) / length)).store(force);
    return;
  }
  force[0] = clip(force[0], lo, hi);
}

/// qfrc_actuator: momentᵀ force, gravity compensation routed to actuators, joint force limits.
template <class Real>
void transmit_forces(const Model& m, BasicData<Real>& d) {
  for (int out = 0; out < m.nout; ++out) {
    const Real force = d.actuator_force[out];
    const int end = d.moment_rowadr[out] + d.moment_rownnz[out];
    for (int k = d.moment_rowadr[out]; k < end; ++k)
      d.qfrc_actuator[d.moment_colind[k]] += d.actuator_moment[k] * force;
  }
  if (gravity_compensated(m)) {
    for (int dof = 0; dof < m.nv; ++dof)
      if (m.jnt_actgravcomp[m.dof_jntid[dof]]) d.qfrc_actuator[dof] += d.qfrc_gravcomp[dof];
  }
  for (int jnt = 0; jnt < m.njnt; ++jnt) {
    if (!m.jnt_actfrclimited[jnt]) continue;
    Real& force = d.qfrc_actuator[m.jnt_dofadr[jnt]];
    force = clip(force, m.jnt_actfrcrange[2 * jnt], m.jnt_actfrcrange[2 * jnt + 1]);
  }
}

}  // namespace

template <class Real>
void actuation(const Model& m, BasicData<Real>& d) {
  std::fill(d.actuator_force.begin(), d.actuator_force.end(), Real(0));
  std::fill(d.qfrc_actuator.begin(), d.qfrc_actuator.end(), Real(0));
  if (m.nactuator == 0 || m.opt.disabled(kDisableActuation)) return;

  Scratch scratch(d.scratch());
  Real* ctrl = scratch.take<Real>(std::size_t(m.nu));
  read_controls(m, d, ctrl);
  const auto view = [&](int i) { return Actuator<Real>{m, d, i, ctrl + m.actuator_ctrladr[i]}; };

  const auto by_plugin = [&](int i) { return m.nplugin > 0 && m.actuator_plugin[i] >= 0; };
  for (int i = 0; i < m.nactuator && m.na > 0; ++i) {
    if (m.actuator_actnum[i] == 0 || is_asleep(m, d, i)) continue;
    Real* act_dot = d.act_dot.data() + m.actuator_actadr[i];
    if (by_plugin(i))
      plugin_rate(view(i), act_dot);
    else if (const auto rate = dynamics_row<Real>(m, i).rate)
      rate(view(i), act_dot);
  }
  if constexpr (std::is_same_v<Real, double>)
    for_each_plugin(m, d, kPluginActuator, [&](PluginInstance& plugin, int) { plugin.compute_act_dot(m, d); });

  for (int i = 0; i < m.nactuator; ++i)
    if (!is_disabled(m, i) && !is_asleep(m, d, i) && !by_plugin(i))
      actuator_forces(view(i), d.actuator_force.data() + m.actuator_outadr[i]);
  if constexpr (std::is_same_v<Real, double>)
    if (m.nplugin > 0) plugin_forces(m, d);
  limit_tendon_forces(m, d);
  for (int i = 0; i < m.nactuator; ++i) {
    Real* force = d.actuator_force.data() + m.actuator_outadr[i];
    limit_actuator_force(m, i, force);
    if (const auto shaft = gain_row<Real>(m, i).shaft_force; shaft && !is_disabled(m, i) && !is_asleep(m, d, i))
      force[0] += shaft(view(i));
  }
  transmit_forces(m, d);
}

template <class Real>
void advance_activations(const Model& m, BasicData<Real>& d, const Real* act_dot) {
  using std::round;
  if (m.na == 0 || m.opt.disabled(kDisableActuation)) return;
  Scratch scratch(d.scratch());
  Real* next = scratch.take<Real>(std::size_t(m.na));
  for (int i = 0; i < m.nactuator; ++i) {
    const Actuator<Real> a = {m, d, i, nullptr};
    const int first = m.actuator_actadr[i];
    for (int k = 0; k < a.slots(); ++k)
      next[first + k] = next_activation(a, k, is_disabled(m, i) ? Real(0) : act_dot[first + k]);
  }
  std::copy_n(next, m.na, d.act.begin());

  for (int i = 0; i < m.nactuator; ++i) {
    if (DynType(m.actuator_dyntype[i]) != DynType::Integrator) continue;
    const Actuator<Real> a = {m, d, i, nullptr};
    Real* act = &d.act[m.actuator_actadr[i]];
    if (GainType(m.actuator_gaintype[i]) == GainType::So3) {
      const Vec3<Real> x = Vec3<Real>::load(act);
      const Real angle = norm(x);
      if (angle > kPi) (x * ((angle - Real(2 * kPi) * round(angle / Real(2 * kPi))) / angle)).store(act);
    } else {
      Real& setpoint = act[a.slots() - 1];
      setpoint = nearest_setpoint(setpoint, a.length(), setpoint_period(m, i));
    }
  }
}

template void actuation(const Model&, BasicData<double>&);
template void advance_activations(const Model&, BasicData<double>&, const double*);

template void actuation(const Model&, BasicData<Dual4>&);
template void advance_activations(const Model&, BasicData<Dual4>&, const Dual4*);

}  // namespace sinew
