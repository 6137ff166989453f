#pragma once

#include "random/world.h"
#include "sinew/data.h"

namespace random_worlds {

/// Resets the data and gives it the world's start. The numbers of an object depend on its name, not on its place, so
/// that they stay when the shrinker removes others.
void start(const World& world, const sinew::Model& model, sinew::Data& data);

/// Changes a few numbers of the model, legal and illegal ones; `round` counts the changes of one run.
void edit(const World& world, int round, sinew::Model& model);

}  // namespace random_worlds
