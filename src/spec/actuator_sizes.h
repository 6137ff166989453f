#pragma once

#include "sinew/spec.h"

namespace sinew::mjcf {

/// How many numbers of ctrl and act belong to an actuator; it follows from its attributes alone.
struct ActuatorSizes {
  int input = 0;  // CtrlInput bits or So3Chart, the default where none is given
  int controls = 1;
  int activations = 0;
};
ActuatorSizes sizes_of(const spec::Actuator& actuator);

}  // namespace sinew::mjcf
