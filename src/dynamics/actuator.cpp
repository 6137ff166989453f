#include "dynamics/actuator.h"

#include "dynamics/actuator_table.h"
#include "math/dual.h"

namespace sinew {

template <class Real>
Real next_activation(const Actuator<Real>& a, int slot, const Real& act_dot) {
  // without dynamics only a plugin has activations
  const auto advance = dynamics_row<Real>(a.m, a.id).next;
  const Real next = advance ? advance(a, slot, act_dot) : a.act(slot) + act_dot * Real(a.m.opt.timestep);
  if (!a.m.actuator_actlimited[a.id] || DynType(a.m.actuator_dyntype[a.id]) == DynType::DcMotor) return next;
  return clip(next, a.m.actuator_actrange[2 * a.id], a.m.actuator_actrange[2 * a.id + 1]);
}

template double next_activation(const Actuator<double>&, int, const double&);

template Dual4 next_activation(const Actuator<Dual4>&, int, const Dual4&);

}  // namespace sinew
