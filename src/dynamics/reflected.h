#pragma once

#include "model/transmission_kinds.h"

// Actuators add armature and damping to the joint or tendon they drive, times the square of the first gear.

namespace sinew {

namespace detail {

/// Calls visit(actuator, gear²) for the actuators that add armature or damping to joint or tendon `id`; `only` is its
/// jnt_actuatorid or tendon_actuatorid: -1 none, -2 several, else the only one.
template <class Visit>
void for_each_reflected(const Model& m, bool tendon, int id, int only, Visit&& visit) {
  const auto one = [&](int a) {
    const double gear = m.actuator_gear[6 * m.actuator_outadr[a]];
    visit(a, gear * gear);
  };
  if (only == -1) return;  // the usual case
  if (only >= 0) {
    one(only);
  } else {
    for (int a = 0; a < m.nactuator; ++a) {
      const bool drives = transmission_kind(m, a).follows_target && drives_tendon(m, a) == tendon;
      if (drives && m.actuator_trnid[2 * a] == id) one(a);
    }
  }
}

}  // namespace detail

/// visit(actuator, gear²) for every actuator that adds armature or damping to the joint.
template <class Visit>
void for_each_reflected_on_joint(const Model& m, int jnt, Visit&& visit) {
  detail::for_each_reflected(m, false, jnt, m.jnt_actuatorid[jnt], visit);
}
template <class Visit>
void for_each_reflected_on_tendon(const Model& m, int tendon, Visit&& visit) {
  detail::for_each_reflected(m, true, tendon, m.tendon_actuatorid[tendon], visit);
}

/// Armature of the actuators on a joint, added to each of its dofs.
inline double reflected_armature(const Model& m, int jnt) {
  double sum = 0;
  for_each_reflected_on_joint(m, jnt, [&](int a, double gear2) { sum += m.actuator_armature[a] * gear2; });
  return sum;
}

/// Armature of a tendon, including its actuators'.
inline double total_tendon_armature(const Model& m, int tendon) {
  double sum = m.tendon_armature[tendon];
  for_each_reflected_on_tendon(m, tendon, [&](int a, double gear2) { sum += m.actuator_armature[a] * gear2; });
  return sum;
}

}  // namespace sinew
