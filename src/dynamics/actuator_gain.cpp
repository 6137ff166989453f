#include "dynamics/actuator_gain.h"

#include "math/dual.h"
#include "math/quat.h"

namespace sinew {
namespace {

/// gain_input, wrapped close to the length for periodic setpoints.
template <class Real>
Real setpoint_input(const Actuator<Real>& a) {
  return nearest_setpoint(gain_input(a), a.length(), setpoint_period(a.m, a.id));
}

}  // namespace

template <class Real>
void fixed_gain(const Actuator<Real>& a, Real* force) {
  force[0] = Real(a.gainprm()[0]) * setpoint_input(a);
}

template <class Real>
void affine_gain(const Actuator<Real>& a, Real* force) {
  const double* g = a.gainprm();
  force[0] = (Real(g[0]) + Real(g[1]) * a.length() + Real(g[2]) * a.velocity()) * gain_input(a);
}

template <class Real>
Real affine_gain_slope(const Actuator<Real>& a) {
  return slope_times_input(Real(a.gainprm()[2]), a);
}

template <class Real>
void pid_gain(const Actuator<Real>& a, Real* force) {
  const double ki = a.gainprm()[0], kp = -a.biasprm()[1], kv = -a.biasprm()[2];
  const Real qref = nearest_setpoint(a.control(kInputPos), a.length(), setpoint_period(a.m, a.id));
  force[0] = Real(kp) * qref + Real(kv) * a.control(kInputVel) + a.control(kInputFf);
  if (ki > 0 && a.slots() > 0) force[0] += Real(ki) * force_activation(a, a.slots() - 1);
}

template <class Real>
void so3_gain(const Actuator<Real>& a, Real* force) {
  Quat<Real> target;
  if (a.slots() > 0) {
    target = exp(Vec3<Real>(force_activation(a, 0), force_activation(a, 1), force_activation(a, 2)));
  } else if (a.m.actuator_ctrlspec[a.id] & kChartQuat) {
    target = normalized(Quat<Real>::load(a.ctrl));
  } else {
    target = exp(Vec3<Real>::load(a.ctrl));
  }
  const Vec3<Real> error = subtract(target, exp(Vec3<Real>::load(&a.length())));
  (error * Real(a.gainprm()[0])).store(force);
}

template <class Real>
void user_gain(const Actuator<Real>& a, Real* force) {
  const Real gain = a.d.callbacks.act_gain ? a.d.callbacks.act_gain(a.m, a.d, a.id) : Real(1);
  force[0] = gain * gain_input(a);
}

template void fixed_gain(const Actuator<double>&, double*);
template void affine_gain(const Actuator<double>&, double*);
template double affine_gain_slope(const Actuator<double>&);
template void pid_gain(const Actuator<double>&, double*);
template void so3_gain(const Actuator<double>&, double*);
template void user_gain(const Actuator<double>&, double*);

template void fixed_gain(const Actuator<Dual4>&, Dual4*);
template void affine_gain(const Actuator<Dual4>&, Dual4*);
template Dual4 affine_gain_slope(const Actuator<Dual4>&);
template void pid_gain(const Actuator<Dual4>&, Dual4*);
template void so3_gain(const Actuator<Dual4>&, Dual4*);
template void user_gain(const Actuator<Dual4>&, Dual4*);

}  // namespace sinew
