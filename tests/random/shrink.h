#pragma once

#include <functional>

#include "random/world.h"

namespace random_worlds {

/// The smallest world found for which `fails` still holds: without irrelevant elements, attributes and starts, and with
/// simple numbers.
World shrink(World world, const std::function<bool(const World&)>& fails);

}  // namespace random_worlds
