#include <fmt/format.h>

#include <algorithm>

#include "sinew/record.h"

namespace sinew {
namespace {

constexpr const char* kWhat[kNumWarning] = {"the inertia matrix is singular at dof",
                                            "the contact buffer is full at",
                                            "the constraint buffer is full at",
                                            "qpos is bad at index",
                                            "qvel is bad at index",
                                            "qacc is bad at index",
                                            "ctrl is bad at index"};

}  // namespace

void WarningLog::look(const Data& data, double time_before) {
  news_.clear();
  // time did not advance: the world, and its counts with it, was reset
  const bool was_reset = data.time < time_before + 0.5 * data.model().opt.timestep;
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    const int number = data.warning[i].number;
    const int fresh = was_reset ? number : number - last_[i];
    last_[i] = number;
    if (fresh <= 0) continue;
    Entry& entry = entries_[i];
    if (entry.number == 0) {
      entry.first_time = time_before;
      entry.first_step = steps_;
      entry.first_info = data.warning[i].lastinfo;
      if (!news_.empty()) news_ += '\n';
      news_ += fmt::format("at time {:.6g}: {} {}{}", time_before, kWhat[i], entry.first_info,
                           was_reset ? "; the world is reset to its initial state" : "");
    }
    entry.number += fresh;
    entry.resets += was_reset;
  }
  ++steps_;
}

bool WarningLog::empty() const {
  return std::ranges::all_of(entries_, [](const Entry& entry) { return entry.number == 0; });
}

std::vector<std::string> WarningLog::lines() const {
  std::vector<std::string> out;
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    const Entry& entry = entries_[i];
    if (entry.number == 0) continue;
    out.push_back(
        fmt::format("{} {}: {} time{}, first at time {:.6g} (step {}){}", kWhat[i], entry.first_info, entry.number,
                    entry.number == 1 ? "" : "s", entry.first_time, entry.first_step,
                    entry.resets ? fmt::format("; {} reset{}", entry.resets, entry.resets == 1 ? "" : "s") : ""));
  }
  return out;
}

}  // namespace sinew
