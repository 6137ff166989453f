#pragma once

#include <optional>

#include "derivative/sensor.h"
#include "derivative/step.h"
#include "sinew/analytic.h"

namespace sinew {

struct TransitionWorkspace::Parts {
  explicit Parts(const Model& m) : step(m) {}
  StepDerivative step;
  std::optional<SensorShadow> shadow;
  Matrix sensors;
};

}  // namespace sinew
