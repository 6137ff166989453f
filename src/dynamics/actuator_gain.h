#pragma once

#include "dynamics/actuator.h"

// Gains: the part of an actuator's force that its control or activation makes, and how that part changes with the
// actuator's velocity while the input stays (for velocity_derivative). One force number per output. Muscle and DC motor
// have files of their own.

namespace sinew {

/// gainprm[0] · input, the input of a freely turning servo taken at its representative nearest to the length.
template <class Real>
void fixed_gain(const Actuator<Real>& a, Real* force);

/// (g0 + g1 length + g2 velocity) · input.
template <class Real>
void affine_gain(const Actuator<Real>& a, Real* force);
template <class Real>
Real affine_gain_slope(const Actuator<Real>& a);

/// kp qref + kv vref + feedforward + ki · integral; the affine bias brings -kp length - kv velocity.
template <class Real>
void pid_gain(const Actuator<Real>& a, Real* force);

/// kp · rotation vector from the present orientation to the target, in the frame of the three outputs.
template <class Real>
void so3_gain(const Actuator<Real>& a, Real* force);

/// The user's callback gives the gain; without one it is 1.
template <class Real>
void user_gain(const Actuator<Real>& a, Real* force);

}  // namespace sinew
