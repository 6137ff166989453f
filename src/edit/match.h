#pragma once

// Matches the objects of two models: by name, or by position if unnamed.

#include <vector>

#include "sinew/model.h"

namespace sinew::compiling {

/// A run of numbers that two arrays share.
struct Run {
  int from = 0;
  int to = 0;
  int count = 0;
};

struct Match {
  std::vector<Run> qpos, dof, act, ctrl, history, body, mocap, equality;
};

Match match(const Model& from, const Model& to);

/// Copies the runs; an entry of the arrays has `width` numbers.
template <class From, class To>
void copy_runs(const std::vector<Run>& runs, const From& from, To& to, int width = 1) {
  for (const Run& run : runs) {
    const auto w = static_cast<std::size_t>(width), count = static_cast<std::size_t>(run.count) * w;
    for (std::size_t i = 0; i < count; ++i)
      to[static_cast<std::size_t>(run.to) * w + i] = from[static_cast<std::size_t>(run.from) * w + i];
  }
}

}  // namespace sinew::compiling
