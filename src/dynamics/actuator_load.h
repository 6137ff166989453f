#pragma once

#include "sinew/model.h"

// Actuators load the joint or tendon that they drive with their own armature and damping, times gear². The compiler
// notes in jnt_actuatorid and tendon_actuatorid which: -1 none, -2 several, else the only one.

namespace sinew {

namespace detail {
template <class Drives, class Visit>
void visit_loading_actuators(const Model& m, int id, Drives&& drives, Visit&& visit) {
  if (id == -1) return;
  const int first = id == -2 ? 0 : id, end = id == -2 ? int(m.nactuator) : id + 1;
  for (int a = first; a < end; ++a) {
    if (!drives(a)) continue;
    const double gear = m.actuator_gear[6 * m.actuator_outadr[a]];
    visit(a, gear * gear);
  }
}
}  // namespace detail

/// visit(actuator, gear²) for every actuator that loads the joint.
template <class Visit>
void visit_joint_load(const Model& m, int jnt, Visit&& visit) {
  const auto drives = [&](int a) {
    const auto type = TrnType(m.actuator_trntype[a]);
    return (type == TrnType::Joint || type == TrnType::JointInParent) && m.actuator_trnid[2 * a] == jnt;
  };
  detail::visit_loading_actuators(m, m.jnt_actuatorid[jnt], drives, visit);
}

/// visit(actuator, gear²) for every actuator that loads the tendon.
template <class Visit>
void visit_tendon_load(const Model& m, int tendon, Visit&& visit) {
  const auto drives = [&](int a) {
    return TrnType(m.actuator_trntype[a]) == TrnType::Tendon && m.actuator_trnid[2 * a] == tendon;
  };
  detail::visit_loading_actuators(m, m.tendon_actuatorid[tendon], drives, visit);
}

}  // namespace sinew
