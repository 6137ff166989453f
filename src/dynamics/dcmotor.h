#pragma once

#include "dynamics/actuator.h"

// DC motor: electrical circuit, controller, winding temperature, cogging and friction.
//
// Up to five activation slots, each present if its parameter is positive, always in this order: setpoint (slew limit),
// integral of the position error (ki), winding temperature above ambient (thermal resistance), bristle deflection of
// the LuGre friction model (σ0), current (electrical time constant).

namespace sinew {

/// Rates of all slots; the slew limit replaces the first control.
template <class Real>
void dcmotor_rate(const Actuator<Real>& a, Real* act_dot);

/// A slot after one timestep: current and bristle exactly, the integral clamped to its bound, the rest by Euler.
template <class Real>
Real dcmotor_next(const Actuator<Real>& a, int slot, const Real& act_dot);

/// K · current, or K V / R if the current is not a state.
template <class Real>
void dcmotor_gain(const Actuator<Real>& a, Real* force);
/// Contribution of the controller, of the back-EMF seen through the inductance and of σ1 to d force / d velocity; uses
/// the cold resistance and ignores all clamps.
template <class Real>
Real dcmotor_gain_slope(const Actuator<Real>& a);

/// Back-EMF -K² velocity / R; none if the current is a state, which then includes it.
template <class Real>
Real dcmotor_bias(const Actuator<Real>& a, int);
template <class Real>
Real dcmotor_bias_slope(const Actuator<Real>& a);

/// Cogging torque and LuGre friction: they act on the shaft, outside the force limits of the motor.
template <class Real>
Real dcmotor_shaft_force(const Actuator<Real>& a);

}  // namespace sinew
