#pragma once

#include "sinew/data.h"

namespace sinew {

/// Velocity of each subtree's center of mass and its angular momentum about it, on demand.
/// Reads: cvel, xipos, ximat, subtree_com. Writes: subtree_linvel, subtree_angmom.
template <class Real>
void subtree_velocity(const Model& m, BasicData<Real>& d);

}  // namespace sinew
