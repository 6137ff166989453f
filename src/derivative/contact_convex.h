#pragma once

#include "derivative/contact_geometry.h"

namespace sinew {

/// Rates of the contacts of two convex shapes, at least one of them round (ContactMotion::NearestPoints), from the
/// equations of their nearest points (derivative/witness.h). False if these are not unique or have no description.
bool convex_rates(const Model& m, Data& d, int first, int count, ContactRate* out);

}  // namespace sinew
