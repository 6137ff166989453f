#pragma once

#include "derivative/state.h"

namespace sinew {

/// da/dx of the acceleration that forward has computed in d, with everything integrators and sensors need besides.
void differentiate_acceleration(const Model& m, Data& d, DerivativeState& s);

}  // namespace sinew
