#pragma once

#include "random/element.h"
#include "random/rng.h"

namespace random_worlds {

/// Adds flexes, skins, cables and plugins to a model whose other elements are complete.
void add_deformables(Element& root, Rng& r);

}  // namespace random_worlds
