#include "missing.h"

#include <algorithm>

namespace sinew::tool {
namespace {

constexpr std::string_view kMissingStages[] = {"sensors"};

/// A feature whose stage is missing: a model has it if its row says so and its flags do not switch it off.
struct Feature {
  std::string_view what;
  int disabled_by;  // bits of DisableFlag, any of which switches the feature off
  bool (*in)(const Model& m);
};
constexpr Feature kFeatures[] = {
    {"sensors", kDisableSensor, [](const Model& m) { return m.nsensor > 0; }},
};

}  // namespace

bool stage_is_missing(std::string_view stage) { return std::ranges::find(kMissingStages, stage) != std::end(kMissingStages); }

std::vector<std::string> not_simulated(const Model& m) {
  std::vector<std::string> out;
  for (const Feature& feature : kFeatures)
    if (!(m.opt.disableflags & feature.disabled_by) && feature.in(m)) out.emplace_back(feature.what);
  return out;
}

}  // namespace sinew::tool
