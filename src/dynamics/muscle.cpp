#include "dynamics/muscle.h"

#include <algorithm>

#include "math/dual.h"

namespace sinew {
namespace {

struct MuscleParameters {
  double range0, range1, force, scale, lmin, lmax, vmax, fpmax, fvmax;

  explicit MuscleParameters(const double* p)
      : range0(p[0]),
        range1(p[1]),
        force(p[2]),
        scale(p[3]),
        lmin(p[4]),
        lmax(p[5]),
        vmax(p[6]),
        fpmax(p[7]),
        fvmax(p[8]) {}

  /// Peak force; a negative value means scale / acc0.
  double peak(const Model& m, int out) const {
    return force >= 0 ? force : scale / std::max(kMinVal, m.actuator_acc0[out]);
  }
  /// Optimal length, from the operating range to which lengthrange is mapped.
  double optimal_length(const Model& m, int out) const {
    const double* range = &m.actuator_lengthrange[2 * out];
    return (range[1] - range[0]) / std::max(kMinVal, range1 - range0);
  }
};

template <class Real>
Real normalized_length(const Actuator<Real>& a, const MuscleParameters& p) {
  const double L0 = p.optimal_length(a.m, a.out());
  return Real(p.range0) + (a.length() - Real(a.m.actuator_lengthrange[2 * a.out()])) / Real(std::max(kMinVal, L0));
}

/// Divisor of the velocity: L0 vmax.
template <class Real>
double velocity_unit(const Actuator<Real>& a, const MuscleParameters& p) {
  return std::max(kMinVal, p.optimal_length(a.m, a.out()) * p.vmax);
}

/// Quintic step from 0 to 1 over 0..1 with two continuous derivatives.
template <class Real>
Real smooth_step(const Real& x) {
  if (x <= 0) return Real(0);
  if (x >= 1) return Real(1);
  return x * x * x * (x * (Real(6) * x - Real(15)) + Real(10));
}

template <class Real>
Real force_velocity_slope(const Real& v, double fvmax) {
  const double y = fvmax - 1;
  if (v <= -1) return Real(0);
  if (v <= 0) return Real(2) * v + Real(2);
  if (v <= y) return Real(2) * (Real(y) - v) / Real(std::max(kMinVal, y));
  return Real(0);
}

/// ½ x² of a length's distance from the end of a curve, relative to the width of that segment.
template <class Real>
Real half_square(const Real& distance, double width) {
  const Real x = distance / Real(std::max(kMinVal, width));
  return Real(0.5) * x * x;
}

template <class Real>
SINEW_INLINE Real force_length(const Real& L, double lmin, double lmax) {
  if (L < lmin || L > lmax) return Real(0);
  const double a = 0.5 * (lmin + 1), b = 0.5 * (1 + lmax);
  if (L <= a) return half_square(L - Real(lmin), a - lmin);
  if (L <= 1) return Real(1) - half_square(Real(1) - L, 1 - a);
  if (L <= b) return Real(1) - half_square(L - Real(1), b - 1);
  return half_square(Real(lmax) - L, lmax - b);
}

template <class Real>
SINEW_INLINE Real force_velocity(const Real& V, double fvmax) {
  const double y = fvmax - 1;
  if (V <= -1) return Real(0);
  if (V <= 0) return (V + Real(1)) * (V + Real(1));
  if (V <= y) return Real(fvmax) - (Real(y) - V) * (Real(y) - V) / Real(std::max(kMinVal, y));
  return Real(fvmax);
}

template <class Real>
SINEW_INLINE Real passive(const Real& L, double lmax) {
  const double b = 0.5 * (1 + lmax);
  if (L <= 1) return Real(0);
  if (L <= b) return half_square(L - Real(1), b - 1);
  return Real(0.5) + (L - Real(b)) / Real(std::max(kMinVal, b - 1));
}

}  // namespace

template <class Real>
Real muscle_force_length(const Real& L, double lmin, double lmax) {
  return force_length(L, lmin, lmax);
}

template <class Real>
Real muscle_force_velocity(const Real& V, double fvmax) {
  return force_velocity(V, fvmax);
}

template <class Real>
Real muscle_passive(const Real& L, double lmax) {
  return passive(L, lmax);
}

template <class Real>
void muscle_rate(const Actuator<Real>& a, Real* act_dot) {
  const int last = a.slots() - 1;
  const double* p = a.dynprm();
  const Real act = clip(a.act(last), 0, 1);
  const Real strength = Real(0.5) + Real(1.5) * act;
  const Real tau_act = Real(p[0]) * strength, tau_deact = Real(p[1]) / strength;
  const Real change = clip(a.ctrl[0], 0, 1) - a.act(last);
  const double width = p[2];
  const Real tau = width < kMinVal ? (change > 0 ? tau_act : tau_deact)
                                   : tau_deact + (tau_act - tau_deact) * smooth_step(change / Real(width) + Real(0.5));
  act_dot[last] = change / maximum(Real(kMinVal), tau);
}

template <class Real>
void muscle_gain(const Actuator<Real>& a, Real* force) {
  const MuscleParameters p(a.gainprm());
  const Real FL = force_length(normalized_length(a, p), p.lmin, p.lmax);
  const Real FV = force_velocity(a.velocity() / Real(velocity_unit(a, p)), p.fvmax);
  force[0] = Real(-p.peak(a.m, a.out())) * FL * FV * gain_input(a);
}

template <class Real>
Real muscle_gain_slope(const Actuator<Real>& a) {
  const MuscleParameters p(a.gainprm());
  const double unit = velocity_unit(a, p);
  const Real FL = force_length(normalized_length(a, p), p.lmin, p.lmax);
  const Real dFV = force_velocity_slope(a.velocity() / Real(unit), p.fvmax);
  return slope_times_input(Real(-p.peak(a.m, a.out()) / unit) * FL * dFV, a);
}

template <class Real>
Real muscle_bias(const Actuator<Real>& a, int) {
  const MuscleParameters p(a.biasprm());
  return Real(-p.peak(a.m, a.out()) * p.fpmax) * passive(normalized_length(a, p), p.lmax);
}

template void muscle_rate(const Actuator<double>&, double*);
template void muscle_gain(const Actuator<double>&, double*);
template double muscle_gain_slope(const Actuator<double>&);
template double muscle_bias(const Actuator<double>&, int);
template double muscle_force_length(const double&, double, double);
template double muscle_force_velocity(const double&, double);
template double muscle_passive(const double&, double);

template void muscle_rate(const Actuator<Dual4>&, Dual4*);
template void muscle_gain(const Actuator<Dual4>&, Dual4*);
template Dual4 muscle_gain_slope(const Actuator<Dual4>&);
template Dual4 muscle_bias(const Actuator<Dual4>&, int);
template Dual4 muscle_force_length(const Dual4&, double, double);
template Dual4 muscle_force_velocity(const Dual4&, double);
template Dual4 muscle_passive(const Dual4&, double);

}  // namespace sinew
