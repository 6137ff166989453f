#include <algorithm>
#include <cmath>

#include "derivative/switches.h"

namespace sinew {
namespace {

constexpr double kAtBound = 1e-9;

bool near(double x, double bound) { return std::abs(x - bound) <= kAtBound; }

/// The time constant of a muscle depends on control and activation as far as they are in 0 … 1, and is another one for
/// rising than for falling activation, unless the model smooths this.
bool muscle_at_kink(const Model& m, const Data& d, int actuator) {
  const double act = d.act[m.actuator_actadr[actuator] + m.actuator_actnum[actuator] - 1];
  double u = d.ctrl[m.actuator_ctrladr[actuator]];
  if (near(act, 0) || near(act, 1) || near(u, 0) || near(u, 1)) return true;
  u = std::clamp(u, 0.0, 1.0);
  return m.actuator_dynprm[kNumDyn * actuator + 2] < kMinVal && near(u, act);
}

/// The next activation is about to be clamped.
bool activation_at_bound(const Model& m, const Data& d, int actuator) {
  if (!m.actuator_actlimited[actuator]) return false;
  const int last = m.actuator_actadr[actuator] + m.actuator_actnum[actuator] - 1;
  const double next = d.act[last] + m.opt.timestep * d.act_dot[last];
  return near(next, m.actuator_actrange[2 * actuator]) || near(next, m.actuator_actrange[2 * actuator + 1]);
}

}  // namespace

void find_actuator_switches(const Model& m, const Data& d, SwitchReport& report) {
  report.actuators.clear();
  for (int i = 0; i < m.nactuator; ++i) {
    if (m.actuator_actnum[i] == 0) continue;
    const bool muscle = static_cast<DynType>(m.actuator_dyntype[i]) == DynType::Muscle;
    if ((muscle && muscle_at_kink(m, d, i)) || activation_at_bound(m, d, i)) report.actuators.push_back(i);
  }
}

}  // namespace sinew
