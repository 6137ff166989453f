#pragma once

#include "dynamics/actuator.h"

// Muscle model (Millard et al. 2013, in MuJoCo's simplified form): activation dynamics, active force-length-velocity
// curves, passive force-length curve. Parameters gainprm and biasprm: range(2), force, scale, lmin, lmax, vmax, fpmax,
// fvmax; dynprm: time constants of activation and deactivation, width of the smooth switch between them.

namespace sinew {

/// act_dot = (u - act) / τ(u, act).
template <class Real>
void muscle_rate(const Actuator<Real>& a, Real* act_dot);

/// -F FL(L) FV(V) · activation.
template <class Real>
void muscle_gain(const Actuator<Real>& a, Real* force);
/// Its derivative with respect to velocity.
template <class Real>
Real muscle_gain_slope(const Actuator<Real>& a);

/// -F fpmax FP(L).
template <class Real>
Real muscle_bias(const Actuator<Real>& a, int);

/// The normalized curves, in units of the optimal length L0 and of the peak force.
template <class Real>
Real muscle_force_length(const Real& length, double lmin, double lmax);
template <class Real>
Real muscle_force_velocity(const Real& velocity, double fvmax);
template <class Real>
Real muscle_passive(const Real& length, double lmax);

}  // namespace sinew
