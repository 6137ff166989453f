#pragma once

#include <string>
#include <string_view>

#include "json.h"
#include "sinew/options.h"

// MJCF keywords for numbers in the model, for text and JSON output.

namespace sinew::tool {

std::string_view integrator_word(int integrator);
std::string_view solver_word(int solver);
std::string_view cone_word(int cone);
std::string_view joint_word(int joint_type);

/// The options that differ from their defaults: enumerations as keywords, flags as the list of those set.
Json changed_options(const Option& option);

/// Every option as a number or an array of numbers, as stored in the model.
Json all_options(const Option& option);

}  // namespace sinew::tool
