#include "dynamics/actuator.h"

#include "dynamics/actuator_table.h"
#include "math/dual.h"
#include "math/vec3.h"

namespace sinew {

double turning_period(const Model& m, int actuator) {
  const double* gear = &m.actuator_gear[6 * m.actuator_outadr[actuator]];
  const int* target = &m.actuator_trnid[2 * actuator];
  switch (TrnType(m.actuator_trntype[actuator])) {
    case TrnType::Joint:
    case TrnType::JointInParent:
      if (JointType(m.jnt_type[target[0]]) != JointType::Ball) return 0;
      return 2 * kPi * norm(Vec3<double>::load(gear));
    case TrnType::Site:
      if (target[1] < 0 || gear[0] != 0 || gear[1] != 0 || gear[2] != 0) return 0;
      return 2 * kPi * norm(Vec3<double>::load(gear + 3));
    default: return 0;
  }
}

template <class Real>
Real next_activation(const Actuator<Real>& a, int slot, const Real& act_dot) {
  const Real next = dynamics_row<Real>(a.m, a.id).next(a, slot, act_dot);
  if (!a.m.actuator_actlimited[a.id] || DynType(a.m.actuator_dyntype[a.id]) == DynType::DcMotor) return next;
  return clip(next, a.m.actuator_actrange[2 * a.id], a.m.actuator_actrange[2 * a.id + 1]);
}

template double next_activation(const Actuator<double>&, int, const double&);

template Dual4 next_activation(const Actuator<Dual4>&, int, const Dual4&);

}  // namespace sinew
