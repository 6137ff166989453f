#pragma once

// The URDF language as a table, with the types that its rows fill.

#include <array>
#include <optional>
#include <string>

#include "sinew/spec.h"
#include "spec/schema.h"

namespace sinew::urdf {

enum class JointWord : int { Revolute, Continuous, Prismatic, Fixed, Floating, Planar, Spherical };

struct Named {
  std::string name;
};
struct Origin {
  spec::Reals<3> xyz{};
  spec::Reals<3> rpy{};
};
struct Mass {
  double value = 0;
};
struct Moments {
  spec::Reals<6> full{};  // xx yy zz xy xz yz, as MJCF's fullinertia
};
struct Shape {
  spec::Reals<3> size{};
  double radius = 0;
  double length = 0;
  std::string filename;
  spec::Reals<3> scale = {1, 1, 1};
};
struct Color {
  spec::Floats<4> rgba{};
};
struct JointHead {
  std::string name;
  JointWord type = JointWord::Fixed;
};
struct LinkName {
  std::string link;
};
struct Axis {
  spec::Reals<3> xyz = {1, 0, 0};
};
struct Limit {
  std::optional<double> lower, upper;
  double effort = 0;
  double velocity = 0;
};
struct Dynamics {
  double damping = 0;
  double friction = 0;
};
struct Mimic {
  std::string joint;
  double multiplier = 1;
  double offset = 0;
};
struct SafetyController {
  double k_velocity = 0, k_position = 0, soft_lower_limit = 0, soft_upper_limit = 0;
};
struct Calibration {
  double rising = 0, falling = 0, reference_position = 0;
};

/// The table, built once.
const mjcf::Element& urdf_table();

}  // namespace sinew::urdf
