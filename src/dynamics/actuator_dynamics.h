#pragma once

#include "dynamics/actuator.h"
#include "math/elementary.h"

// Activation dynamics: rates of the slots (act_dot) and their values one timestep later. Muscle and DC motor are in
// separate files.

namespace sinew {

/// One slot per control: act_dot = u.
template <class Real>
void integrator_rate(const Actuator<Real>& a, Real* act_dot);

/// act_dot = (u - act) / dynprm[0].
template <class Real>
void filter_rate(const Actuator<Real>& a, Real* act_dot);

/// The user's callback computes the rate of the last slot; without a callback it is 0.
template <class Real>
void user_rate(const Actuator<Real>& a, Real* act_dot);

/// Slots of a pid: [setpoint, if its slew rate is limited][integral of the error, if ki > 0].
/// dynprm = imax, slewmax; gainprm[0] = ki.
template <class Real>
void pid_rate(const Actuator<Real>& a, Real* act_dot);

/// act + h act_dot.
template <class Real>
Real euler_next(const Actuator<Real>& a, int slot, const Real& act_dot);

/// The filter integrated exactly: act + act_dot τ (1 - e^(-h/τ)).
template <class Real>
Real filterexact_next(const Actuator<Real>& a, int slot, const Real& act_dot);

/// Keeps the first control within slew·h of `held`, the setpoint of the previous step, and returns its rate.
template <class Real>
Real limit_slew(const Actuator<Real>& a, double slew, const Real& held) {
  const Real reach = Real(slew * a.m.opt.timestep);
  Real& u = a.ctrl[0];
  if (u < held - reach) u = held - reach;
  if (u > held + reach) u = held + reach;
  return (u - held) / Real(a.m.opt.timestep);
}

/// The rate of an integral clamped to ±bound; a bound of 0 means unbounded.
template <class Real>
Real without_windup(const Real& error, const Real& integral, double bound) {
  if (bound > 0 && integral >= bound && error > 0) return Real(0);
  if (bound > 0 && integral <= -bound && error < 0) return Real(0);
  return error;
}

/// a + rate τ (1 - e^(-h/τ)): first-order decay with time constant τ for one timestep.
template <class Real>
Real exact_decay(const Actuator<Real>& a, const Real& act, const Real& rate, double time_constant) {
  const double tau = time_constant > kMinVal ? time_constant : kMinVal;
  return act + rate * Real(tau * (1 - elementary::exp(-a.m.opt.timestep / tau)));
}

}  // namespace sinew
