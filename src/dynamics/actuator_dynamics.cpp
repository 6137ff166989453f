#include "dynamics/actuator_dynamics.h"

#include <algorithm>
#include <cmath>

#include "math/dual.h"

namespace sinew {

template <class Real>
void integrator_rate(const Actuator<Real>& a, Real* act_dot) {
  for (int k = 0; k < a.slots(); ++k) act_dot[k] = a.ctrl[k];
}

template <class Real>
void filter_rate(const Actuator<Real>& a, Real* act_dot) {
  const int last = a.slots() - 1;
  act_dot[last] = (a.ctrl[0] - a.act(last)) / Real(std::max(kMinVal, a.dynprm()[0]));
}

template <class Real>
void user_rate(const Actuator<Real>& a, Real* act_dot) {
  std::fill_n(act_dot, a.slots(), Real(0));
  if (!a.d.callbacks.act_dyn || a.slots() == 0) return;
  const Real rate = a.d.callbacks.act_dyn(a.m, a.d, a.id);
  if (a.slots() == 1) act_dot[0] = rate;  // else the callback has written the rates of all slots into d.act_dot
}

template <class Real>
void pid_rate(const Actuator<Real>& a, Real* act_dot) {
  const double imax = a.dynprm()[0], slewmax = a.dynprm()[1], ki = a.gainprm()[0];
  const double period = setpoint_period(a.m, a.id);
  int slot = 0;  // states enabled only by a later parameter edit have no slot
  if (slewmax > 0 && slot < a.slots()) {
    a.ctrl[0] = nearest_setpoint(a.ctrl[0], a.act(slot), period);
    act_dot[slot] = limit_slew(a, slewmax, a.act(slot));
    ++slot;
  }
  if (ki > 0 && slot < a.slots()) {
    const Real error = nearest_setpoint(a.ctrl[0] - a.length(), Real(0), period);
    act_dot[slot] = without_windup(error, a.act(slot), imax);
  }
}

template <class Real>
Real euler_next(const Actuator<Real>& a, int slot, const Real& act_dot) {
  return a.act(slot) + act_dot * Real(a.m.opt.timestep);
}

template <class Real>
Real filterexact_next(const Actuator<Real>& a, int slot, const Real& act_dot) {
  return exact_decay(a, a.act(slot), act_dot, a.dynprm()[0]);
}

template void integrator_rate(const Actuator<double>&, double*);
template void filter_rate(const Actuator<double>&, double*);
template void user_rate(const Actuator<double>&, double*);
template void pid_rate(const Actuator<double>&, double*);
template double euler_next(const Actuator<double>&, int, const double&);
template double filterexact_next(const Actuator<double>&, int, const double&);

template void integrator_rate(const Actuator<Dual4>&, Dual4*);
template void filter_rate(const Actuator<Dual4>&, Dual4*);
template void user_rate(const Actuator<Dual4>&, Dual4*);
template void pid_rate(const Actuator<Dual4>&, Dual4*);
template Dual4 euler_next(const Actuator<Dual4>&, int, const Dual4&);
template Dual4 filterexact_next(const Actuator<Dual4>&, int, const Dual4&);

}  // namespace sinew
