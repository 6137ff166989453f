#pragma once

#include <cstddef>

// Layout of the DC motor's parameters in gainprm, dynprm and biasprm, and which activations it has.

namespace sinew {

namespace dc_motor {

enum Gain : std::size_t {
  kResistance,              // Ohm, cold
  kConstant,                // N m / A = V s / rad, motor constant
  kTemperatureCoefficient,  // 1/K, of the resistance
  kReferenceTemperature,    // reference temperature of the cold resistance
  kProportionalGain,        // of the controller, in torque per error
  kIntegralGain,
  kDerivativeGain,
  kMaxVoltage  // V, bound of the controller's voltage; 0: none
};

enum Dyn : std::size_t {
  kElectricalTime,  // s, time constant; 0: the current is not a state
  kMaxCurrentRate,  // A/s; 0: no bound
  kThermalResistance,
  kHeatCapacity,
  kAmbientTemperature,
  kBristleStiffness,
  kBristleDamping,
  kMaxSlewRate,
  kMaxIntegral
};

enum Bias : std::size_t {
  kCogging,
  kPoles,
  kCoggingPhase,
  kCoulombFriction,
  kStaticFriction,
  kStribeckVelocity  // of the transition between the two
};

/// The activations in their order, each present if its parameter is positive; -1: absent.
struct Slots {
  int slew = -1, integral = -1, temperature = -1, bristle = -1, current = -1;
  int count = 0;

  constexpr Slots(const double* gainprm, const double* dynprm) {
    const auto place = [&](int& slot, double parameter) {
      if (parameter > 0) slot = count++;
    };
    place(slew, dynprm[kMaxSlewRate]);
    place(integral, gainprm[kIntegralGain]);
    place(temperature, dynprm[kThermalResistance]);
    place(bristle, dynprm[kBristleStiffness]);
    place(current, dynprm[kElectricalTime]);
  }
};

}  // namespace dc_motor
}  // namespace sinew
