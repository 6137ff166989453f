#pragma once

#include <string_view>

#include "urdf/input.h"

namespace sinew::urdf {

/// rpy: R = Rz(yaw) Ry(pitch) Rx(roll), rotations about fixed axes in the order x, y, z.
inline constexpr std::string_view kEulerSequence = "XYZ";

/// The settings that URDF starts from, then those of <mujoco> in the root.
void read_settings(Input& in, const XmlNode& root);

/// The meshes were found: the folders that were searched do not apply to their names.
void use_resolved_paths(Spec& spec);

}  // namespace sinew::urdf
