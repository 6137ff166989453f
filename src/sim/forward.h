#pragma once

#include <span>
#include <string_view>

#include "sinew/data.h"

namespace sinew {

/// A stage of the step under the name that data_fields.def calls it by.
struct NamedStage {
  std::string_view name;
  void (*run)(const Model&, Data&);
};

/// The stages of the three levels, in their order: forward runs these lists, a profiler times them.
std::span<const NamedStage> position_stages();
std::span<const NamedStage> velocity_stages();
std::span<const NamedStage> acceleration_stages();

/// What wakes sleeping trees: everything, or only the user's changes of their state and forces. Inverse dynamics lets
/// trees sleep on that something awake touches.
enum class Waking { ByEverything, ByUser };

/// One level: its stages, then its energy. The first two are also what inverse dynamics needs.
void position(const Model& m, Data& d, Waking waking = Waking::ByEverything);
void velocity(const Model& m, Data& d);
void acceleration(const Model& m, Data& d);

}  // namespace sinew
