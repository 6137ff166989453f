#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/error.h"
#include "sinew/load.h"
#include "sinew/spec.h"

namespace sinew {

/// What a robot description leaves open. The defaults read URDF as MuJoCo does where it is right.
struct UrdfOptions {
  /// Folders of packages by name, and folders that contain packages: they are searched before the ROS environment
  /// variables and the folders above the file.
  std::map<std::string, std::string> packages;
  std::vector<std::string> package_folders;

  /// Floating: every link without parent, except one called "world", gets a free joint named LINK_free_joint. AsWritten
  /// is the same as Fixed, with a warning that names the static base.
  enum class Base { AsWritten, Fixed, Floating } base = Base::AsWritten;

  /// One actuator for each joint that a transmission or ros2_control drives: a motor whose control is the force at the
  /// joint, or a position servo with the gains kp and kv whose control is the target.
  enum class Actuators { None, Motor, Position } actuators = Actuators::Motor;
  double kp = 0;
  double kv = 0;

  bool keep_fixed = false;  // links on fixed joints stay bodies, unless the file sets fusestatic
  bool visuals = false;     // visual geoms are kept, unless the file sets discardvisual
  bool frames = false;      // every link that is fused leaves a site with its name and pose
  bool strict = false;      // what would be a warning about the file's contents is an error
};

/// URDF or SDFormat to the typed tree that MJCF becomes.
Result<Spec> read_urdf_file(const std::string& path, const UrdfOptions& urdf = {}, const LoadOptions& options = {});
Result<Spec> read_urdf_string(std::string_view text, const UrdfOptions& urdf = {}, const LoadOptions& options = {});

}  // namespace sinew
