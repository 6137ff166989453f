#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "sinew/data.h"

namespace sinew::tool {

/// The time of a stage over a run.
struct StageTime {
  std::string_view level;  // position, velocity, acceleration or integration
  std::string_view name;
  double seconds = 0;
  double longest = 0;  // s, in one step
};

/// Advances the world by one step stage by stage and adds the times to `times`, which is empty before the first step.
/// The clock is read between stages.
void timed_step(const Model& m, Data& d, std::vector<StageTime>& times);

}  // namespace sinew::tool
