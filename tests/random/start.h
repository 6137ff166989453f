#pragma once

#include "random/world.h"
#include "sinew/data.h"

namespace random_worlds {

/// Resets the data to the world's start. The numbers of an object depend on its name, not its index, so that they stay
/// the same when the shrinker removes others.
void start(const World& world, const sinew::Model& model, sinew::Data& data);

/// Changes a few numbers of the model to valid or invalid values; `round` counts the calls of one run.
void edit(const World& world, int round, sinew::Model& model);

}  // namespace random_worlds
