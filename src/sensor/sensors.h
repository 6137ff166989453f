#pragma once

#include "sinew/data.h"

namespace sinew {

/// Values of the sensors whose stage is `stage`, in their order, with cutoff, delay and sampling interval.
/// reads   Data: whatever the sensors of that stage name; history          writes  Data: sensordata
/// needs   the stages up to that level. With the sensor flag disabled sensordata keeps its old values.
void sensors(const Model& m, Data& d, Stage stage);

/// Puts the sensors' values into their delay buffers; at the end of a step, before time advances.
/// reads   Data: time, sensordata          writes  Data: history
void record_sensors(const Model& m, Data& d);

}  // namespace sinew
