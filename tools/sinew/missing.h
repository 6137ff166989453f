#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sinew/model.h"

namespace sinew::tool {

/// A stage of the step, by its name in data_fields.def, that this version does not have: its arrays stay empty.
bool stage_is_missing(std::string_view stage);

/// What the model has and this version does not simulate, one line each; empty: the motion is complete.
std::vector<std::string> not_simulated(const Model& m);

}  // namespace sinew::tool
