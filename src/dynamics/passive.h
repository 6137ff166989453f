#pragma once

#include "math/scalar.h"
#include "sinew/data.h"

namespace sinew {

/// Stiffness or damping with its polynomial terms: k + p0 x + p1 x².
struct Coefficients {
  double k = 0, p0 = 0, p1 = 0;

  bool zero() const { return k == 0 && p0 == 0 && p1 == 0; }

  /// Force per displacement; springs take the signed displacement (the length of it for ball and free joints).
  template <class Real>
  Real spring(const Real& x) const {
    return Real(k) + x * (Real(p0) + x * Real(p1));
  }
  /// Energy of the spring at displacement x: ½k x² + ⅓p0 x³ + ¼p1 x⁴.
  template <class Real>
  Real energy(const Real& x) const {
    return x * x * (Real(0.5 * k) + x * (Real(p0 / 3) + x * Real(0.25 * p1)));
  }
  /// Force per velocity; dampers take |v|, so that they always brake.
  template <class Real>
  Real damper(const Real& v) const {
    using std::abs;
    return Real(k) + abs(v) * (Real(p0) + abs(v) * Real(p1));
  }
  /// d (v damper(v)) / dv = k + 2 p0 |v| + 3 p1 v².
  template <class Real>
  Real damper_slope(const Real& v) const {
    using std::abs;
    return Real(k) + abs(v) * (Real(2 * p0) + abs(v) * Real(3 * p1));
  }
};

Coefficients joint_stiffness(const Model& m, int jnt);
Coefficients tendon_stiffness(const Model& m, int tendon);
/// Damping of a dof, with that of the actuators on its joint.
Coefficients dof_damping(const Model& m, int dof);
/// Damping of a tendon, with that of its actuators.
Coefficients tendon_damping(const Model& m, int tendon);

/// How far a tendon is outside of the range of lengths in which its spring rests; negative: too short.
template <class Real>
Real tendon_stretch(const Model& m, const BasicData<Real>& d, int tendon) {
  const Real length = d.ten_length[tendon];
  const double lower = m.tendon_lengthspring[2 * tendon], upper = m.tendon_lengthspring[2 * tendon + 1];
  if (length > upper) return length - Real(upper);
  if (length < lower) return length - Real(lower);
  return Real(0);
}

/// Gravity compensation acts: some body asks for it and there is gravity.
bool gravity_compensated(const Model& m);

/// Passive forces: springs, dampers, gravity compensation, fluid, contact adhesion, then the user's callback. All of
/// them are zero where springs and dampers are both disabled.
/// reads   Model: jnt_stiffness*, dof_damping*, tendon_*, body_gravcomp, geom_fluid, opt
///         Data: qpos, qvel, ten_*, cdof, cvel, xipos, ximat, geom_x*, contact
/// writes  Data: qfrc_spring, qfrc_damper, qfrc_gravcomp, qfrc_fluid, qfrc_adhesion, qfrc_passive
/// needs   com_velocity, tendon_velocity, contacts
/// The compensation of joints with actuatorgravcomp is left out of qfrc_passive: actuation adds it to theirs.
template <class Real>
void passive_forces(const Model& m, BasicData<Real>& d);

}  // namespace sinew
