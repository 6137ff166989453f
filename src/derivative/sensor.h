#pragma once

#include "derivative/state.h"

namespace sinew {

/// Memory for differencing sensors.
struct SensorShadow {
  explicit SensorShadow(const Model& m) : world(m) {}
  Data world;
  std::vector<double> plus;
};

/// d sensordata/dx, nsensordata rows: centered differences of the sensor stages along the exact changes of state,
/// acceleration (s.residual = da/dx), contacts and constraint forces (df, a row for each constraint row; empty without
/// rows). Needs all rates of the contacts.
void sensor_columns(const Model& m, const Data& d, const DerivativeState& s, const Matrix& df, SensorShadow& shadow,
                    Matrix& out);

}  // namespace sinew
