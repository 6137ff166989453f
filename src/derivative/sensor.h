#pragma once

#include "derivative/state.h"

namespace sinew {

/// Memory for differencing sensors.
struct SensorShadow {
  explicit SensorShadow(const Model& m) : world(m) {}
  Data world;
  std::vector<double> plus;
};

/// Inputs of sensors above the position level, with their columns: accelerations, their da, and df of the constraint
/// forces, one row per constraint row (empty without rows).
struct SensorInputs {
  const std::vector<double>& acc;
  const Matrix& da;
  const Matrix& df;
};

/// d sensordata/dx, nsensordata rows: centered differences of the sensor stages along the exact changes of state,
/// acceleration, contacts and constraint forces. Needs all rates of the contacts.
void sensor_columns(const Model& m, const Data& d, const DerivativeState& s, const SensorInputs& in,
                    SensorShadow& shadow, Matrix& out);

/// The same for inverse dynamics, by position, velocity and acceleration (3 nv columns); no actuators.
void inverse_sensor_columns(const Model& m, const Data& d, const DerivativeState& s, const SensorInputs& in,
                            Matrix& out);

}  // namespace sinew
