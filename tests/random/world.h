#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "random/element.h"

// A random world: a model, an initial state, and edits of the model while it runs.

namespace random_worlds {

/// Properties of the start, in any combination.
enum Start : unsigned {
  kPose = 1 << 0,       // joints away from the reference pose
  kMove = 1 << 1,       // ordinary velocities
  kFast = 1 << 2,       // velocities up to 1e3
  kFar = 1 << 3,        // positions up to 1e6
  kControl = 1 << 4,    // controls, activations
  kForce = 1 << 5,      // applied forces, on dofs and on bodies
  kMocap = 1 << 6,      // mocap bodies moved
  kEquality = 1 << 7,   // equalities toggled
  kWarmBad = 1 << 8,    // a warm start of 1e12
  kWarmNan = 1 << 9,    // a warm start of NaN or infinity
  kNan = 1 << 10,       // one number of the input is NaN
  kInf = 1 << 11,       // one number of the input is infinite
  kZeroQuat = 1 << 12,  // zero quaternions
  kKey = 1 << 13,       // starts at the first keyframe
  kLong = 1 << 14,      // forty steps instead of a few: long enough to fall asleep
  kEdit = 1 << 15,      // the model is edited between steps
  kStartBits = 16
};
inline constexpr unsigned kNotFinite = kWarmNan | kNan | kInf;
/// Starts from which two engines may diverge even if they differ only in the order of operations.
inline constexpr unsigned kExtreme = kFast | kFar | kWarmBad | kZeroQuat | kNotFinite;

const char* start_name(unsigned bit);

struct World {
  Element root;
  unsigned start = 0;
  std::uint64_t seed = 0;  // of the start and the edits
  bool is_of_file = false;

  int steps() const { return (start & kLong) != 0 ? 40 : 3; }
};

/// Deterministic for each seed.
World generate(std::uint64_t seed);

/// The model as MJCF, with the start in a comment on the first line; and back.
std::string describe(const World& world);
World read_world(std::string_view text);

}  // namespace random_worlds
