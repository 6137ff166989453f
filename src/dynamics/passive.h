#pragma once

#include "dynamics/joint_base.h"
#include "dynamics/reflected.h"
#include "sinew/data.h"

namespace sinew {

/// A polynomial damper: force -v (k + p0 |v| + p1 v²), dissipative if the coefficients are not negative.
struct DamperLaw {
  double k = 0;
  double p0 = 0;
  double p1 = 0;

  bool none() const { return k == 0 && p0 == 0 && p1 == 0; }
  void add_reflected(const Model& m, int actuator, double gear2) {
    k += m.actuator_damping[actuator] * gear2;
    p0 += m.actuator_dampingpoly[kNumPoly * actuator] * gear2;
    p1 += m.actuator_dampingpoly[kNumPoly * actuator + 1] * gear2;
  }
  template <class Real>
  Real damping(const Real& v) const {
    using std::abs;
    return Real(k) + p0 * abs(v) + p1 * v * v;
  }
  /// -d force / d v = k + 2 p0 |v| + 3 p1 v².
  template <class Real>
  Real slope(const Real& v) const {
    using std::abs;
    return Real(k) + (2 * p0) * abs(v) + (3 * p1) * v * v;
  }
};

/// Damper of a dof, including those of its joint's actuators.
inline DamperLaw dof_damper(const Model& m, int dof) {
  DamperLaw law = {m.dof_damping[dof], m.dof_dampingpoly[kNumPoly * dof], m.dof_dampingpoly[kNumPoly * dof + 1]};
  for_each_reflected_on_joint(m, m.dof_jntid[dof], [&](int a, double gear2) { law.add_reflected(m, a, gear2); });
  return law;
}
/// Damper of a tendon, including those of its actuators.
inline DamperLaw tendon_damper(const Model& m, int tendon) {
  const double* poly = &m.tendon_dampingpoly[kNumPoly * tendon];
  DamperLaw law = {m.tendon_damping[tendon], poly[0], poly[1]};
  for_each_reflected_on_tendon(m, tendon, [&](int a, double gear2) { law.add_reflected(m, a, gear2); });
  return law;
}

inline SpringLaw tendon_spring(const Model& m, int tendon) {
  const double* poly = &m.tendon_stiffnesspoly[kNumPoly * tendon];
  return {m.tendon_stiffness[tendon], poly[0], poly[1]};
}
/// Signed distance of a tendon's length from the dead band of its spring; negative: too short.
template <class Real>
Real tendon_stretch(const Model& m, const BasicData<Real>& d, int tendon) {
  const Real length = d.ten_length[tendon];
  const double lower = m.tendon_lengthspring[2 * tendon], upper = m.tendon_lengthspring[2 * tendon + 1];
  // an empty dead band is not a kink: the spring is differentiable there
  if (length > upper || lower == upper) return length - Real(upper);
  if (length < lower) return length - Real(lower);
  return Real(0);
}

/// Gravity compensation is active: some body requests it and there is gravity.
bool gravity_compensated(const Model& m);

/// Passive forces: springs, dampers, elastic flexes, gravity compensation, fluid, passive contacts, contact adhesion,
/// then the user's callback. All are
/// zero if springs and dampers are both disabled.
/// Reads: qpos, qvel, ten_J, ten_length, ten_velocity, cdof, cvel, xipos, ximat, geom_xpos, geom_xmat, subtree_com,
/// body_awake, tree_awake, ncon, contact.pos, contact.frame, contact.adhesion, contact.geom, contact.exclude,
/// as flex_forces, as passive_contact_forces, and for sleeping trees qfrc_spring, qfrc_damper, qfrc_gravcomp,
/// qfrc_fluid, qfrc_adhesion. Writes: qfrc_spring, qfrc_damper, qfrc_gravcomp, qfrc_fluid, qfrc_adhesion, qfrc_passive.
/// The compensation of joints with actuatorgravcomp is excluded from qfrc_passive: actuation adds it to theirs.
template <class Real>
void passive_forces(const Model& m, BasicData<Real>& d);

}  // namespace sinew
