#pragma once

#include <functional>

#include "random/world.h"

namespace random_worlds {

/// The smallest world that it finds for which `fails` still holds: without elements, attributes and starts that do not
/// matter, and with simple numbers.
World shrink(World world, const std::function<bool(const World&)>& fails);

}  // namespace random_worlds
