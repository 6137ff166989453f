#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "sinew/enums.h"

// The kinds of sensors: their properties used by reader and compiler. The measurements are in sensor/.

namespace sinew {

/// What a sensor may be attached to.
enum class SensorTarget : std::uint8_t {
  None,
  Site,
  ScalarJoint,
  BallJoint,
  LimitedJoint,
  Tendon,
  LimitedTendon,
  Actuator,
  Frame,
  Body,
  GeomOrBody,
  Contact,
  SiteOrCamera,
  Mesh,
  Any
};

/// The second object.
enum class SensorReference : std::uint8_t { None, OptionalFrame, Site, Camera, Geom, GeomOrBody, OptionalContact };

/// The number of values depends on the sensor or on its target.
enum SensorDim : int {
  kByRangeData = -1,
  kByOutputs = -2,
  kByContactData = -3,
  kByUser = -4,
  kByVertices = -5,
  kByPlugin = -6
};

struct SensorKind {
  SensorType type;
  std::string_view element;  // in MJCF
  SensorTarget target;
  SensorReference reference;
  int dim;  // number of values, or a SensorDim
  Stage stage;
  DataType datatype;
  bool clamped;  // cutoff limits its values
  std::string_view doc;
};

/// All kinds, indexed by type.
std::span<const SensorKind> sensor_kinds();
const SensorKind& sensor_kind(SensorType type);

}  // namespace sinew
