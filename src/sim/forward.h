#pragma once

#include <span>
#include <string_view>

#include "sinew/data.h"

namespace sinew {

/// A stage of the step with its name in data_fields.def.
struct NamedStage {
  std::string_view name;
  void (*run)(const Model&, Data&);
};

/// The stages of the three levels, in order: forward runs these lists, a profiler times them.
std::span<const NamedStage> position_stages();
std::span<const NamedStage> velocity_stages();
std::span<const NamedStage> acceleration_stages();

/// What wakes sleeping trees: everything, or only the user's changes of their state and forces. Inverse dynamics does
/// not wake sleeping trees touched by awake ones.
enum class Waking { ByEverything, ByUser };

/// One level: its stages, then its energy. Inverse dynamics needs the first two as well.
void position(const Model& m, Data& d, Waking waking = Waking::ByEverything);
void velocity(const Model& m, Data& d);
void acceleration(const Model& m, Data& d);

}  // namespace sinew
