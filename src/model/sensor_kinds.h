#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "sinew/enums.h"

// The kinds of sensors: everything that reader and compiler ask of them. What they measure stands in sensor/.

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
  Any,
  Unsupported
};

/// The second object.
enum class SensorReference : std::uint8_t { None, OptionalFrame, Site, Camera, Geom, GeomOrBody, OptionalContact };

/// Where the number of values depends on the sensor or on what it measures.
enum SensorDim : int { kByRangeData = -1, kByOutputs = -2, kByContactData = -3, kByUser = -4, kByVertices = -5 };

struct SensorKind {
  SensorType type;
  std::string_view element;  // of MJCF
  SensorTarget target;
  SensorReference reference;
  int dim;  // numbers that it has, or a SensorDim
  Stage stage;
  DataType datatype;
  bool clamped;  // cutoff bounds its numbers
  std::string_view doc;
};

/// All of them, by their type.
std::span<const SensorKind> sensor_kinds();
const SensorKind& sensor_kind(SensorType type);

}  // namespace sinew
