#include "spec/actuator_sizes.h"

#include <bit>

namespace sinew::mjcf {

ActuatorSizes sizes_of(const spec::Actuator& in) {
  const bool so3 = in.gaintype == GainType::So3 || in.biastype == BiasType::So3;
  const bool one_state = in.dyntype != DynType::None && in.dyntype != DynType::DcMotor;
  ActuatorSizes out;
  out.activations = one_state ? 1 : 0;
  if (in.plugin) {
    // one control, and as many states as actdim says
  } else if (so3) {
    out.input = in.input == 0 ? kChartExpmap : in.input;
    out.controls = out.input == kChartQuat ? 4 : 3;
    out.activations = in.dyntype == DynType::Integrator ? 3 : 0;
  } else if (in.gaintype == GainType::Pid) {
    out.input = in.input == 0 ? kInputPos | kInputVel : in.input;
    out.controls = std::popcount(static_cast<unsigned>(out.input));
    // one state each for the integral and the slew-limited setpoint
    const double ki = in.gainprm[0], slewmax = in.dynprm[1];
    out.activations = in.dyntype == DynType::Pid ? (ki > 0) + (slewmax > 0) : 0;
  } else if (in.gaintype == GainType::DcMotor) {
    out.input = in.input == 0 ? kInputVoltage : in.input;
    out.controls = out.input == kInputNone ? 0 : std::popcount(static_cast<unsigned>(out.input));
  }
  if (in.actdim >= 0) out.activations = in.actdim;
  return out;
}

}  // namespace sinew::mjcf
