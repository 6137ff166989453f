#include "dynamics/dcmotor.h"

#include <algorithm>
#include <cmath>

#include "dynamics/actuator_dynamics.h"
#include "math/dual.h"

namespace sinew {
namespace {

/// The parameters by name, and where each state stands (-1: it has none).
struct Motor {
  // gainprm
  double R;           // Ohm, cold resistance
  double K;           // N m / A = V s / rad, motor constant
  double alpha, T0;   // 1/K, temperature coefficient of R; degrees at which R is R
  double kp, ki, kd;  // controller, in torque per error
  double Vmax;        // V, bound of the controller's voltage; 0: none
  // dynprm
  double te;                // s, electrical time constant; 0: the current follows at once
  double max_current_rate;  // A/s; 0: no bound
  double thermal_resistance, heat_capacity, ambient;
  double sigma0, sigma1;  // bristle stiffness and damping
  double slewmax, Imax;
  // biasprm
  double cogging, poles, phase;
  double coulomb, stiction, stribeck;  // friction levels, and the velocity of the transition

  int slew = -1, integral = -1, temperature = -1, bristle = -1, current = -1;

  Motor(const double* gain, const double* dyn, const double* bias)
      : R(gain[0]),
        K(gain[1]),
        alpha(gain[2]),
        T0(gain[3]),
        kp(gain[4]),
        ki(gain[5]),
        kd(gain[6]),
        Vmax(gain[7]),
        te(dyn[0]),
        max_current_rate(dyn[1]),
        thermal_resistance(dyn[2]),
        heat_capacity(dyn[3]),
        ambient(dyn[4]),
        sigma0(dyn[5]),
        sigma1(dyn[6]),
        slewmax(dyn[7]),
        Imax(dyn[8]),
        cogging(bias[0]),
        poles(bias[1]),
        phase(bias[2]),
        coulomb(bias[3]),
        stiction(bias[4]),
        stribeck(bias[5]) {
    int n = 0;
    if (slewmax > 0) slew = n++;
    if (ki > 0) integral = n++;
    if (thermal_resistance > 0) temperature = n++;
    if (sigma0 > 0) bristle = n++;
    if (te > 0) current = n++;
  }
  template <class Real>
  explicit Motor(const Actuator<Real>& a) : Motor(a.gainprm(), a.dynprm(), a.biasprm()) {
    // a state that only a later edit of the parameters asks for has no room, a controller without inputs no setpoint
    if (a.m.actuator_ctrlnum[a.id] == 0) slew = integral = -1;
    for (int* slot : {&slew, &integral, &temperature, &bristle, &current})
      if (*slot >= a.slots()) *slot = -1;
  }
};

constexpr int kControllerInputs = kInputPos | kInputVel | kInputFf;

/// Resistance at the present temperature.
template <class Real>
Real resistance(const Motor& p, const Actuator<Real>& a) {
  if (p.temperature < 0) return Real(p.R);
  return Real(p.R) * (Real(1) + Real(p.alpha) * (a.act(p.temperature) + Real(p.ambient - p.T0)));
}

/// Voltage at the terminals: the controller's, which works in torque space and cancels the back-EMF, plus the input's.
template <class Real>
Real voltage(const Motor& p, const Actuator<Real>& a) {
  Real v(0);
  if (a.has_input(kControllerInputs)) {
    Real torque = Real(p.kp) * (a.control(kInputPos) - a.length()) + Real(p.kd) * (a.control(kInputVel) - a.velocity());
    if (p.integral >= 0) torque += Real(p.ki) * a.act(p.integral);
    torque += a.control(kInputFf);
    v = Real(p.R / p.K) * torque + Real(p.K) * a.velocity();
    if (p.Vmax > 0) v = clip(v, -p.Vmax, p.Vmax);
  }
  return v + a.control(kInputVoltage);
}

/// Relaxation rate of the bristle: σ0 |v| / g(v), g between stiction and Coulomb friction (Stribeck curve).
template <class Real>
Real bristle_decay(const Motor& p, const Actuator<Real>& a) {
  using std::abs;
  using std::exp;
  const Real ratio = a.velocity() / Real(std::max(kMinVal, p.stribeck));
  const Real g = Real(p.coulomb) + Real(p.stiction - p.coulomb) * exp(-(ratio * ratio));
  return Real(p.sigma0) * abs(a.velocity()) / maximum(Real(kMinVal), g);
}

/// Torque per volt where the current has no state.
template <class Real>
Real torque_per_volt(const Motor& p, const Actuator<Real>& a) {
  return Real(p.K) / maximum(Real(kMinVal), resistance(p, a));
}

}  // namespace

template <class Real>
void dcmotor_rate(const Actuator<Real>& a, Real* act_dot) {
  const Motor p(a);
  if (p.slew >= 0) act_dot[p.slew] = limit_slew(a, p.slewmax, a.act(p.slew));
  if (p.integral >= 0) act_dot[p.integral] = without_windup(a.ctrl[0] - a.length(), a.act(p.integral), p.Imax);
  if (p.temperature >= 0 || p.current >= 0) {
    const Real V = voltage(p, a), R = resistance(p, a);
    if (p.temperature >= 0) {
      const Real i = p.current >= 0 ? a.act(p.current) : (V - Real(p.K) * a.velocity()) / R;
      act_dot[p.temperature] = (R * i * i - a.act(p.temperature) / Real(p.thermal_resistance)) / Real(p.heat_capacity);
    }
    if (p.current >= 0) {
      const Real rate = (V / R - Real(p.K) / R * a.velocity() - a.act(p.current)) / Real(p.te);
      act_dot[p.current] = p.max_current_rate > 0 ? clip(rate, -p.max_current_rate, p.max_current_rate) : rate;
    }
  }
  if (p.bristle >= 0) act_dot[p.bristle] = a.velocity() - bristle_decay(p, a) * a.act(p.bristle);
}

template <class Real>
Real dcmotor_next(const Actuator<Real>& a, int slot, const Real& act_dot) {
  using std::exp;
  const Motor p(a);
  const double h = a.m.opt.timestep;
  if (slot == p.current) return exact_decay(a, a.act(slot), act_dot, p.te);
  if (slot == p.bristle) {
    // dz/dt = v - r z over h, whatever act_dot says
    const Real r = -bristle_decay(p, a), grow = exp(r * Real(h));
    const Real driven = r < -kMinVal ? (grow - Real(1)) / r : Real(h);
    return a.act(slot) * grow + a.velocity() * driven;
  }
  const Real next = euler_next(a, slot, act_dot);
  return slot == p.integral && p.Imax > 0 ? clip(next, -p.Imax, p.Imax) : next;
}

template <class Real>
void dcmotor_gain(const Actuator<Real>& a, Real* force) {
  const Motor p(a);
  force[0] = p.current >= 0 ? Real(p.K) * force_activation(a, p.current) : torque_per_volt(p, a) * voltage(p, a);
}

template <class Real>
Real dcmotor_gain_slope(const Actuator<Real>& a) {
  const Motor p(a);
  // volts per velocity that the controller feeds back
  const double c = a.has_input(kControllerInputs) ? -p.kd * p.R / p.K + p.K : 0;
  double slope = p.te > 0 ? p.K * (c - p.K) * (1 - std::exp(-a.m.opt.timestep / p.te)) / p.R : p.K * c / p.R;
  if (p.sigma1 > 0) slope -= p.sigma1;
  return Real(slope);
}

template <class Real>
Real dcmotor_bias(const Actuator<Real>& a, int) {
  const Motor p(a);
  return p.current >= 0 ? Real(0) : -torque_per_volt(p, a) * Real(p.K) * a.velocity();
}

template <class Real>
Real dcmotor_bias_slope(const Actuator<Real>& a) {
  const Motor p(a);
  return p.current >= 0 ? Real(0) : Real(-p.K * p.K / std::max(kMinVal, p.R));
}

template <class Real>
Real dcmotor_shaft_force(const Actuator<Real>& a) {
  using std::sin;
  const Motor p(a);
  Real force(0);
  if (p.cogging != 0) force += Real(p.cogging) * sin(Real(p.poles) * a.length() + Real(p.phase));
  if (p.bristle >= 0) force -= Real(p.sigma0) * a.act(p.bristle) + Real(p.sigma1) * a.act_dot(p.bristle);
  return force;
}

template void dcmotor_rate(const Actuator<double>&, double*);
template double dcmotor_next(const Actuator<double>&, int, const double&);
template void dcmotor_gain(const Actuator<double>&, double*);
template double dcmotor_gain_slope(const Actuator<double>&);
template double dcmotor_bias(const Actuator<double>&, int);
template double dcmotor_bias_slope(const Actuator<double>&);
template double dcmotor_shaft_force(const Actuator<double>&);

template void dcmotor_rate(const Actuator<Dual4>&, Dual4*);
template Dual4 dcmotor_next(const Actuator<Dual4>&, int, const Dual4&);
template void dcmotor_gain(const Actuator<Dual4>&, Dual4*);
template Dual4 dcmotor_gain_slope(const Actuator<Dual4>&);
template Dual4 dcmotor_bias(const Actuator<Dual4>&, int);
template Dual4 dcmotor_bias_slope(const Actuator<Dual4>&);
template Dual4 dcmotor_shaft_force(const Actuator<Dual4>&);

}  // namespace sinew
