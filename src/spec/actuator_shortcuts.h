#pragma once

// <position>, <muscle>, <dcmotor> and the others are shortcuts: each computes the gain, bias and dynamics of one
// general actuator from its own attributes. The rules are MuJoCo 3.12.0's; what a shortcut does not set keeps the class
// value.

#include <optional>

#include "sinew/spec.h"
#include "spec/schema.h"

namespace sinew::mjcf {

/// An actuator being read, with the attributes that only shortcuts have.
struct ActuatorWords : spec::Actuator {
  // servos
  std::optional<double> kp, kv, dampratio, timeconst, ki, imax, slewmax;
  std::optional<spec::Reals<2>> posrange;
  // cylinder
  std::optional<double> area, diameter;
  std::optional<spec::Reals<3>> bias;
  // muscle
  std::optional<spec::Reals<2>> muscle_timeconst, range;
  std::optional<double> tausmooth, force, scale, lmin, lmax, vmax, fpmax, fvmax;
  // adhesion
  std::optional<double> gain;
  // dcmotor; entries that are not given are NaN
  std::optional<double> resistance;
  spec::Reals<2> motorconst, inductance;
  spec::Reals<3> nominal, saturation, cogging;
  spec::Reals<5> lugre;
  spec::Reals<6> controller, thermal;
  bool gives_input = false;  // the element itself, not its class

  explicit ActuatorWords(const spec::Actuator& record = {});
};

enum class Shortcut : int {
  General,
  Motor,
  Position,
  Velocity,
  IntVelocity,
  Orientation,
  Pid,
  Damper,
  Cylinder,
  Muscle,
  Adhesion,
  DcMotor,
  Plugin
};

/// Computes the actuator that the attributes describe, or an error.
Outcome apply_shortcut(Shortcut shortcut, ActuatorWords& words);

}  // namespace sinew::mjcf
