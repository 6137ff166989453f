#pragma once

#include "dynamics/actuator.h"

// Gains: the part of an actuator's force that depends on its control or activation, and its derivative with respect to
// velocity at fixed input (for velocity_derivative). One scalar force per output. Muscle and DC motor are in separate
// files.

namespace sinew {

/// gainprm[0] · input; the input of a freely rotating servo is wrapped to the representative closest to the length.
template <class Real>
void fixed_gain(const Actuator<Real>& a, Real* force);

/// (g0 + g1 length + g2 velocity) · input.
template <class Real>
void affine_gain(const Actuator<Real>& a, Real* force);
template <class Real>
Real affine_gain_slope(const Actuator<Real>& a);

/// kp qref + kv vref + feedforward + ki · integral; the affine bias adds -kp length - kv velocity.
template <class Real>
void pid_gain(const Actuator<Real>& a, Real* force);

/// kp · rotation vector from the current orientation to the target, in the frame of the three outputs.
template <class Real>
void so3_gain(const Actuator<Real>& a, Real* force);

/// The user's callback computes the gain; without a callback it is 1.
template <class Real>
void user_gain(const Actuator<Real>& a, Real* force);

}  // namespace sinew
