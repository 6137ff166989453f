#pragma once

#include "derivative/state.h"

namespace sinew {

/// Memory for differencing sensors.
struct SensorShadow {
  explicit SensorShadow(const Model& m) : world(m) {}
  Data world;
  std::vector<double> plus;
};

/// What the sensors of a level above the positions see along each column: accelerations, da of them, and df of the
/// constraint forces, a row for each constraint row (empty without rows).
struct SensorInputs {
  const std::vector<double>& acc;
  const Matrix& da;
  const Matrix& df;
};

/// d sensordata/dx, nsensordata rows: centered differences of the sensor stages along the exact changes of state,
/// acceleration, contacts and constraint forces. Needs all rates of the contacts.
void sensor_columns(const Model& m, const Data& d, const DerivativeState& s, const SensorInputs& in,
                    SensorShadow& shadow, Matrix& out);

/// The same of inverse dynamics, by position, velocity and acceleration (3 nv columns), which has no actuators.
void inverse_sensor_columns(const Model& m, const Data& d, const DerivativeState& s, const SensorInputs& in,
                            Matrix& out);

}  // namespace sinew
