#pragma once

#include <string>
#include <string_view>

#include "json.h"
#include "sinew/options.h"

// MJCF's words for numbers of the model, for people and for JSON.

namespace sinew::tool {

std::string_view integrator_word(int integrator);
std::string_view solver_word(int solver);
std::string_view cone_word(int cone);
std::string_view joint_word(int joint_type);

/// The options that differ from their defaults: enumerations as words, flags as the words that are switched.
Json changed_options(const Option& option);

/// Every option as a number or an array of numbers, as the model holds it.
Json all_options(const Option& option);

}  // namespace sinew::tool
