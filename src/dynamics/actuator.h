#pragma once

#include <bit>
#include <cmath>

#include "math/scalar.h"
#include "math/vec3.h"
#include "model/joint_kinds.h"
#include "model/objects.h"
#include "model/transmission_kinds.h"
#include "sinew/data.h"

namespace sinew {

/// One actuator of one world, the argument of its parts (dynamics, gain, bias).
template <class Real>
struct Actuator {
  const Model& m;
  const BasicData<Real>& d;
  int id;
  Real* ctrl;  // its controls, delayed and clamped; slew limits replace the first one

  const double* dynprm() const { return &m.actuator_dynprm[kNumDyn * id]; }
  const double* gainprm() const { return &m.actuator_gainprm[kNumGain * id]; }
  const double* biasprm() const { return &m.actuator_biasprm[kNumBias * id]; }

  int out() const { return m.actuator_outadr[id]; }
  int outputs() const { return m.actuator_outnum[id]; }
  const Real& length(int k = 0) const { return d.actuator_length[out() + k]; }
  const Real& velocity(int k = 0) const { return d.actuator_velocity[out() + k]; }

  int slots() const { return m.actuator_actnum[id]; }
  const Real& act(int slot) const { return d.act[m.actuator_actadr[id] + slot]; }
  const Real& act_dot(int slot) const { return d.act_dot[m.actuator_actadr[id] + slot]; }

  bool has_input(int input) const { return (m.actuator_ctrlspec[id] & input) != 0; }
  /// The control for one bit of CtrlInput; existing controls are stored in bit order. Zero if there is none.
  Real control(CtrlInput input) const {
    if (!has_input(input)) return Real(0);
    return ctrl[std::popcount(unsigned(m.actuator_ctrlspec[id]) & (unsigned(input) - 1u))];
  }
};

/// The actuator's group is disabled: no force, and its activation is held.
inline bool is_disabled(const Model& m, int actuator) {
  const int group = m.actuator_group[actuator];
  return group >= 0 && group < 31 && ((m.opt.disableactuator >> group) & 1) != 0;
}

/// The actuator's target sleeps (option flag sleep): it has no force, and its act_dot is unchanged. As in MuJoCo a
/// slider crank and an orientation between sites need one awake end, so between fixed sites they never act; the
/// reference site of a site transmission is ignored.
template <class Real>
bool is_asleep(const Model& m, const BasicData<Real>& d, int actuator) {
  if (!m.opt.enabled(kEnableSleep)) return false;
  const int id = m.actuator_trnid[2 * actuator], second = m.actuator_trnid[2 * actuator + 1];
  if (drives_tendon(m, actuator)) {
    const int ntree = m.tendon_treenum[id];
    const int* tree = &m.tendon_treeid[2 * id];
    return (ntree == 1 || ntree == 2) && !d.tree_awake[tree[0]] && (ntree == 1 || !d.tree_awake[tree[1]]);
  }
  const int awake = d.body_awake[body_of(m, actuator_target(m, actuator), id)];
  if (second < 0 || !transmission_kind(m, actuator).both_ends) return awake == 0;
  return awake != 1 && d.body_awake[m.site_bodyid[second]] != 1;
}

/// It pulls a tendon that limits the total actuator force.
inline bool pulls_limited_tendon(const Model& m, int actuator) {
  return drives_tendon(m, actuator) && m.tendon_actfrclimited[m.actuator_trnid[2 * actuator]];
}

/// The control or activation is a position: fixed gain with the matching affine bias, no dynamics or an integrator, and
/// pid.
inline bool is_servo(const Model& m, int actuator) {
  const auto gain = GainType(m.actuator_gaintype[actuator]);
  if (gain != GainType::Fixed) return gain == GainType::Pid;
  const auto dyn = DynType(m.actuator_dyntype[actuator]);
  return BiasType(m.actuator_biastype[actuator]) == BiasType::Affine &&
         m.actuator_gainprm[kNumGain * actuator] == -m.actuator_biasprm[kNumBias * actuator + 1] &&
         (dyn == DynType::None || dyn == DynType::Integrator);
}

/// Period of an actuator's length, 0 if it is not periodic: actuators rotate freely on a ball joint or on a site and
/// its reference site with a purely rotational gear.
inline double turning_period(const Model& m, int actuator) {
  const double* gear = &m.actuator_gear[6 * m.actuator_outadr[actuator]];
  const int* target = &m.actuator_trnid[2 * actuator];
  switch (TrnType(m.actuator_trntype[actuator])) {
    case TrnType::Joint:
    case TrnType::JointInParent:
      if (!joint_kind(m, target[0]).is_ball()) return 0;
      return 2 * kPi * norm(Vec3<double>::load(gear));
    case TrnType::Site:
      if (target[1] < 0 || gear[0] != 0 || gear[1] != 0 || gear[2] != 0) return 0;
      return 2 * kPi * norm(Vec3<double>::load(gear + 3));
    default: return 0;
  }
}

/// Period of the setpoint of a freely rotating servo, 0 for all others.
inline double setpoint_period(const Model& m, int actuator) {
  const double period = turning_period(m, actuator);  // rarely nonzero: checked first
  return period > 0 && is_servo(m, actuator) ? period : 0;
}

/// The representative of u + k period closest to x; u itself if the period is 0.
template <class Real>
Real nearest_setpoint(const Real& u, const Real& x, double period) {
  using std::round;
  if (!(period > 0) || !std::isfinite(value_of(u))) return u;  // ∞ - ∞ would not be a number
  return u - Real(period) * round((u - x) / Real(period));
}

/// Activation of a slot after one timestep with the rate act_dot, within actrange.
template <class Real>
Real next_activation(const Actuator<Real>& a, int slot, const Real& act_dot);

/// The activation that determines the force: the slot's, or with actearly that of the next step.
template <class Real>
Real force_activation(const Actuator<Real>& a, int slot) {
  return a.m.actuator_actearly[a.id] ? next_activation(a, slot, a.act_dot(slot)) : a.act(slot);
}

/// The factor of the gain: the control, or the last activation if there is one.
template <class Real>
Real gain_input(const Actuator<Real>& a) {
  return a.slots() == 0 ? a.ctrl[0] : force_activation(a, a.slots() - 1);
}

/// d force / d velocity of a gain with this slope. A zero slope skips the input: a bad control, which produced no
/// force, would give 0 · NaN.
template <class Real>
Real slope_times_input(const Real& gain_slope, const Actuator<Real>& a) {
  const Real input = gain_input(a);
  if (value_of(gain_slope) == 0 && !std::isfinite(value_of(input))) return Real(0);
  return gain_slope * input;
}

}  // namespace sinew
