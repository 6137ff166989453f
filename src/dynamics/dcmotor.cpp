#include "dynamics/dcmotor.h"

#include <algorithm>
#include <cmath>

#include "dynamics/actuator_dynamics.h"
#include "math/dual.h"
#include "math/elementary.h"
#include "model/dcmotor_parameters.h"

namespace sinew {
namespace {

/// The parameters under their names in the formulas, and the index of each state.
struct Motor : dc_motor::Slots {
  double R, K, alpha, T0, kp, ki, kd, Vmax;                                 // gainprm
  double te, max_current_rate, thermal_resistance, heat_capacity, ambient;  // dynprm
  double sigma0, sigma1;                                                    // of the bristles
  double slewmax, Imax;
  double cogging, poles, phase;  // biasprm
  double coulomb, stiction, stribeck;

  Motor(const double* gain, const double* dyn, const double* bias)
      : Slots(gain, dyn),
        R(gain[dc_motor::kResistance]),
        K(gain[dc_motor::kConstant]),
        alpha(gain[dc_motor::kTemperatureCoefficient]),
        T0(gain[dc_motor::kReferenceTemperature]),
        kp(gain[dc_motor::kProportionalGain]),
        ki(gain[dc_motor::kIntegralGain]),
        kd(gain[dc_motor::kDerivativeGain]),
        Vmax(gain[dc_motor::kMaxVoltage]),
        te(dyn[dc_motor::kElectricalTime]),
        max_current_rate(dyn[dc_motor::kMaxCurrentRate]),
        thermal_resistance(dyn[dc_motor::kThermalResistance]),
        heat_capacity(dyn[dc_motor::kHeatCapacity]),
        ambient(dyn[dc_motor::kAmbientTemperature]),
        sigma0(dyn[dc_motor::kBristleStiffness]),
        sigma1(dyn[dc_motor::kBristleDamping]),
        slewmax(dyn[dc_motor::kMaxSlewRate]),
        Imax(dyn[dc_motor::kMaxIntegral]),
        cogging(bias[dc_motor::kCogging]),
        poles(bias[dc_motor::kPoles]),
        phase(bias[dc_motor::kCoggingPhase]),
        coulomb(bias[dc_motor::kCoulombFriction]),
        stiction(bias[dc_motor::kStaticFriction]),
        stribeck(bias[dc_motor::kStribeckVelocity]) {}
  template <class Real>
  explicit Motor(const Actuator<Real>& a) : Motor(a.gainprm(), a.dynprm(), a.biasprm()) {
    // a state enabled only by a later parameter edit has no slot; a controller without inputs has no setpoint
    if (a.m.actuator_ctrlnum[a.id] == 0) slew = integral = -1;
    for (int* slot : {&slew, &integral, &temperature, &bristle, &current})
      if (*slot >= a.slots()) *slot = -1;
  }
};

constexpr int kControllerInputs = kInputPos | kInputVel | kInputFf;

/// Resistance at the current temperature.
template <class Real>
Real resistance(const Motor& p, const Actuator<Real>& a) {
  if (p.temperature < 0) return Real(p.R);
  return Real(p.R) * (Real(1) + Real(p.alpha) * (a.act(p.temperature) + Real(p.ambient - p.T0)));
}

/// Voltage at the terminals: that of the controller, which works in torque space and cancels the back-EMF, plus the
/// input.
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
  using elementary::exp;
  using std::abs;
  const Real ratio = a.velocity() / Real(std::max(kMinVal, p.stribeck));
  const Real g = Real(p.coulomb) + Real(p.stiction - p.coulomb) * exp(-(ratio * ratio));
  return Real(p.sigma0) * abs(a.velocity()) / maximum(Real(kMinVal), g);
}

/// Torque per volt if the current is not a state.
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
  using elementary::exp;
  const Motor p(a);
  const double h = a.m.opt.timestep;
  if (slot == p.current) return exact_decay(a, a.act(slot), act_dot, p.te);
  if (slot == p.bristle) {
    // dz/dt = v - r z integrated over h; act_dot is not used
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
  // controller feedback, in volts per velocity
  const double c = a.has_input(kControllerInputs) ? -p.kd * p.R / p.K + p.K : 0;
  double slope = p.te > 0 ? p.K * (c - p.K) * (1 - elementary::exp(-a.m.opt.timestep / p.te)) / p.R : p.K * c / p.R;
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
  using elementary::sin;
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
