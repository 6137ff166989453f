#pragma once

#include "sinew/spec.h"

namespace sinew::mjcf {

/// How many numbers of ctrl and act an actuator has; depends on its attributes only.
struct ActuatorSizes {
  int input = 0;  // CtrlInput bits or So3Chart; the default if not given
  int controls = 1;
  int activations = 0;
};
ActuatorSizes sizes_of(const spec::Actuator& actuator);

}  // namespace sinew::mjcf
