#pragma once

#include "dynamics/actuator.h"

// Biases: the part of an actuator's force that does not depend on the input, for its k-th output, and its derivative
// with respect to velocity. Muscle and DC motor are in separate files.

namespace sinew {

/// b0 + b1 length + b2 velocity.
template <class Real>
Real affine_bias(const Actuator<Real>& a, int) {
  const double* b = a.biasprm();
  return Real(b[0]) + Real(b[1]) * a.length() + Real(b[2]) * a.velocity();
}

/// b0 + b2 velocity, on each of the three outputs.
template <class Real>
Real so3_bias(const Actuator<Real>& a, int k) {
  return Real(a.biasprm()[0]) + Real(a.biasprm()[2]) * a.velocity(k);
}

/// b2, for both.
template <class Real>
Real affine_bias_slope(const Actuator<Real>& a) {
  return Real(a.biasprm()[2]);
}

/// The user's callback computes the force.
template <class Real>
Real user_bias(const Actuator<Real>& a, int) {
  return a.d.callbacks.act_bias ? a.d.callbacks.act_bias(a.m, a.d, a.id) : Real(0);
}

}  // namespace sinew
