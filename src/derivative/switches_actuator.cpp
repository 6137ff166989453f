#include <algorithm>
#include <cmath>

#include "derivative/smooth.h"
#include "derivative/sparse_row.h"
#include "derivative/switches.h"
#include "dynamics/actuator_table.h"
#include "dynamics/passive.h"
#include "math/elementary.h"
#include "math/scalar.h"

// Clamped controls, activations and forces.

namespace sinew {
namespace {

bool clamps_controls(const Model& m, int control) {
  return m.actuator_ctrllimited[control] && !m.opt.disabled(kDisableClampctrl);
}

void find_controls(const SwitchSearch& search) {
  const Model& m = search.m;
  for (int u = 0; u < m.nu; ++u) {
    if (!clamps_controls(m, u)) continue;
    for (const int end : {0, 1})
      if (search.within(search.d.ctrl[u] - m.actuator_ctrlrange[2 * u + end], 1)) search.add(SwitchKind::Control, u);
  }
}

/// A muscle's time constant depends on control and activation within 0 … 1, and differs between rising and falling
/// activation, unless the model smooths this.
bool muscle_at_kink(const SwitchSearch& search, int actuator) {
  const Model& m = search.m;
  const double act = search.d.act[m.actuator_actadr[actuator] + m.actuator_actnum[actuator] - 1];
  double u = search.d.ctrl[m.actuator_ctrladr[actuator]];
  const auto near = [&](double x, double bound) { return search.within(x - bound, 1); };
  if (near(act, 0) || near(act, 1) || near(u, 0) || near(u, 1)) return true;
  u = std::clamp(u, 0.0, 1.0);
  return m.actuator_dynprm[kNumDyn * actuator + 2] < kMinVal && near(u, act);
}

/// The next activation is about to be clamped.
bool activation_at_bound(const SwitchSearch& search, int actuator) {
  const Model& m = search.m;
  const auto next_of = dynamics_row<double>(m, actuator).next;
  if (!m.actuator_actlimited[actuator] || !next_of) return false;
  const int last = m.actuator_actnum[actuator] - 1;
  const Actuator<double> a = {m, search.d, actuator, nullptr};
  const double next = next_of(a, last, is_disabled(m, actuator) ? 0 : a.act_dot(last));
  return search.within(next - m.actuator_actrange[2 * actuator], 1) ||
         search.within(next - m.actuator_actrange[2 * actuator + 1], 1);
}

void find_activations(const SwitchSearch& search) {
  const Model& m = search.m;
  for (int i = 0; i < m.nactuator; ++i) {
    if (m.actuator_actnum[i] == 0) continue;
    const bool muscle = static_cast<DynType>(m.actuator_dyntype[i]) == DynType::Muscle;
    if ((muscle && muscle_at_kink(search, i)) || activation_at_bound(search, i)) search.add(SwitchKind::Activation, i);
  }
}

/// A force before its limits are applied, and its largest change per unit change of one component.
struct LooseForce {
  double value = 0, rate = 0;
};

class ForceLimits {
 public:
  explicit ForceLimits(const SwitchSearch& search) : search_(search), m_(search.m), d_(search.d) {}

  void find() {
    loose_forces();
    tendons();
    for (int i = 0; i < m_.nactuator; ++i)
      if (m_.actuator_forcelimited[i] && !is_disabled(m_, i)) actuator(i);
    joints();
  }

 private:
  /// All actuators at once with dual numbers, each by its own control, activation, length and velocity.
  void loose_forces() {
    BasicData<Dual4> x(m_, Blank{});
    std::ranges::copy(d_.act, x.act.begin());
    std::ranges::copy(d_.act_dot, x.act_dot.begin());
    std::vector<Dual4> ctrl(d_.ctrl.begin(), d_.ctrl.end());
    for (int k = 0; k < m_.nu; ++k) {
      ctrl[k].slope[0] = 1;
      if (clamps_controls(m_, k))
        ctrl[k] = clip(ctrl[k], m_.actuator_ctrlrange[2 * k], m_.actuator_ctrlrange[2 * k + 1]);
    }
    for (Dual4& act : x.act) act.slope[1] = 1;
    for (int k = 0; k < m_.nout; ++k) {
      x.actuator_length[k] = d_.actuator_length[k];
      x.actuator_length[k].slope[2] = 1;
      x.actuator_velocity[k] = d_.actuator_velocity[k];
      x.actuator_velocity[k].slope[3] = 1;
    }
    std::vector<Dual4> force(m_.nout, Dual4(0));
    loose_.assign(m_.nout, {});
    for (int i = 0; i < m_.nactuator; ++i) {
      if (is_disabled(m_, i)) continue;
      const Actuator<Dual4> a = {m_, x, i, ctrl.data() + m_.actuator_ctrladr[i]};
      gain_row<Dual4>(m_, i).force(a, &force[a.out()]);
      const auto bias = bias_row<Dual4>(m_, i).force;
      for (int k = 0; k < a.outputs(); ++k) {
        Dual4& f = force[a.out() + k];
        if (bias) f += bias(a, k);
        const SparseRow j = moment_row(d_, a.out() + k);
        double arm = 0;
        for (int r = 0; r < j.n; ++r) arm = std::max(arm, std::abs(j.value[r]));
        loose_[a.out() + k] = {value_of(f), std::max({std::abs(f.slope[0]), std::abs(f.slope[1]),
                                                      arm * std::abs(f.slope[2]), arm * std::abs(f.slope[3])})};
      }
    }
  }

  bool at_end(const LooseForce& force, const double* range) const {
    return search_.within(force.value - range[0], force.rate) || search_.within(force.value - range[1], force.rate);
  }

  /// Limits on the total force on a tendon, which scale all its actuator forces.
  void tendons() {
    std::vector<LooseForce> sum(m_.ntendon);
    const auto limited = [&](int i) { return pulls_limited_tendon(m_, i); };
    for (int i = 0; i < m_.nactuator; ++i) {
      if (!limited(i)) continue;
      LooseForce& total = sum[m_.actuator_trnid[2 * i]];
      total.value += loose_[m_.actuator_outadr[i]].value;
      total.rate += loose_[m_.actuator_outadr[i]].rate;
    }
    for (int t = 0; t < m_.ntendon; ++t)
      if (m_.tendon_actfrclimited[t] && at_end(sum[t], &m_.tendon_actfrcrange[2 * t]))
        search_.add(SwitchKind::TendonForce, t);
    for (int i = 0; i < m_.nactuator; ++i) {
      if (!limited(i)) continue;
      const int t = m_.actuator_trnid[2 * i];
      const double total = sum[t].value, *range = &m_.tendon_actfrcrange[2 * t];
      if (total < range[0] || total > range[1])
        loose_[m_.actuator_outadr[i]].value *= clip(total, range[0], range[1]) / total;
    }
  }

  void actuator(int i) {
    const int out = m_.actuator_outadr[i];
    LooseForce force = loose_[out];
    if (GainType(m_.actuator_gaintype[i]) == GainType::So3) {
      force = {};
      for (int k = 0; k < 3; ++k) {
        force.value = elementary::hypot(force.value, loose_[out + k].value);
        force.rate += loose_[out + k].rate;
      }
    }
    if (at_end(force, &m_.actuator_forcerange[2 * i])) search_.add(SwitchKind::Force, i);
  }

  /// Total actuator force on a joint, including gravity compensation routed through actuators.
  void joints() {
    std::vector<LooseForce> sum(m_.nv);
    for (int out = 0; out < m_.nout; ++out) {
      const SparseRow j = moment_row(d_, out);
      for (int r = 0; r < j.n; ++r) {
        sum[j.col[r]].value += j.value[r] * d_.actuator_force[out];
        sum[j.col[r]].rate += std::abs(j.value[r]) * loose_[out].rate;
      }
    }
    for (int jnt = 0; jnt < m_.njnt; ++jnt) {
      if (!m_.jnt_actfrclimited[jnt]) continue;
      LooseForce& force = sum[m_.jnt_dofadr[jnt]];
      if (m_.jnt_actgravcomp[jnt] && gravity_compensated(m_)) {
        const double lift = d_.qfrc_gravcomp[m_.jnt_dofadr[jnt]];
        force.value += lift;
        force.rate += std::abs(lift);
      }
      if (at_end(force, &m_.jnt_actfrcrange[2 * jnt])) search_.add(SwitchKind::JointForce, jnt);
    }
  }

  const SwitchSearch& search_;
  const Model& m_;
  const Data& d_;
  std::vector<LooseForce> loose_;  // by output
};

}  // namespace

void find_actuator_switches(const SwitchSearch& search) {
  if (search.m.nactuator == 0 || search.m.opt.disabled(kDisableActuation)) return;
  find_controls(search);
  find_activations(search);
  const auto any = [](const auto& flags) { return std::ranges::any_of(flags, [](auto flag) { return flag != 0; }); };
  if (any(search.m.actuator_forcelimited) || any(search.m.jnt_actfrclimited) || any(search.m.tendon_actfrclimited))
    ForceLimits(search).find();
}

}  // namespace sinew
