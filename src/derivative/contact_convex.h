#pragma once

#include "derivative/contact_geometry.h"

namespace sinew {

/// Rates of contacts of two convex shapes, one of them round at least (ContactMotion::NearestPoints), by the equations of their nearest points
/// (derivative/witness.h). False where they are not unique or not known.
bool convex_rates(const Model& m, Data& d, int first, int count, ContactRate* out);

}  // namespace sinew
