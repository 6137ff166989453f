#pragma once

// The part of SDFormat that is read, as a table, with the types that its rows fill.

#include <limits>
#include <optional>
#include <string>

#include "sinew/spec.h"
#include "spec/schema.h"

namespace sinew::urdf::sdf {

enum class JointWord : int { Revolute, Continuous, Prismatic, Fixed, Ball, Universal, Screw, Revolute2, Gearbox };

struct Head {
  std::string name;
  std::string canonical_link;
  std::string attached_to;
  std::string version;
  std::string relative_to;
  bool merge = false;
  bool automatic = false;  // inertial auto
};
struct World {
  spec::Reals<3> gravity = {0, 0, -9.8};
};
struct Physics {
  double max_step_size = 0.001;
};
struct Include {
  std::string uri, name;
  std::optional<bool> is_static;
};
struct Model {
  bool is_static = false;
  bool self_collide = false;
};
struct Link {
  std::optional<bool> self_collide;
};
struct Inertial {
  double mass = 1;
  std::optional<double> density;
};
struct Moments {
  spec::Reals<6> full = {1, 1, 1, 0, 0, 0};  // xx yy zz xy xz yz
};
struct Collision {
  std::optional<double> density;
};
struct Shape {
  spec::Reals<3> size = {1, 1, 1};
  spec::Reals<2> plane = {1, 1};
  spec::Reals<3> normal = {0, 0, 1};
  spec::Reals<3> radii = {1, 1, 1};
  double radius = 1;
  double length = 1;
  std::string uri;
  spec::Reals<3> scale = {1, 1, 1};
};
struct Friction {
  std::optional<double> mu, mu2;
};
struct Color {
  std::optional<spec::Floats<4>> diffuse;
};
struct JointHead {
  std::string name;
  JointWord type = JointWord::Fixed;
};
struct Joint {
  std::string parent, child;
  std::optional<double> screw_thread_pitch, thread_pitch;
};
struct Axis {
  spec::Reals<3> xyz = {0, 0, 1};
  std::optional<bool> use_parent_model_frame;
};
inline constexpr double kUnbounded = 1e16;
struct Limit {
  double lower = -kUnbounded, upper = kUnbounded;
  double effort = -1, velocity = -1;
};
struct Dynamics {
  double damping = 0, friction = 0, spring_stiffness = 0, spring_reference = 0;
};
struct MimicHead {
  std::string joint, axis = "axis";
};
struct Mimic {
  double multiplier = 1, offset = 0, reference = 0;
};

/// The table, built once.
const mjcf::Element& sdf_table();

}  // namespace sinew::urdf::sdf
