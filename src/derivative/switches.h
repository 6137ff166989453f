#pragma once

#include "derivative/state.h"
#include "sinew/analytic.h"

namespace sinew {

/// What is near a switch at the instant that was differentiated. dy: row_columns of the constraints.
void find_switches(const Model& m, const Data& d, const DerivativeState& s, const Matrix& dy, SwitchReport& report);

/// The part of it that is about activations: report.actuators.
void find_actuator_switches(const Model& m, const Data& d, SwitchReport& report);

}  // namespace sinew
