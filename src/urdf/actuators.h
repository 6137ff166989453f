#pragma once

#include <map>
#include <set>
#include <string>

#include "urdf/input.h"

namespace sinew::urdf {

/// A joint that an actuator may drive.
struct Drivable {
  spec::Joint* joint = nullptr;  // null: of a kind that has no single coordinate
  double effort = 0;             // 0: unlimited
};

/// Actuators of the joints that <transmission> and <ros2_control> name.
void add_actuators(Input& in, const XmlNode& robot, const std::map<std::string, Drivable>& joints);

}  // namespace sinew::urdf
