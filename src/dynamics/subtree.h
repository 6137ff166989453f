#pragma once

#include "sinew/data.h"

namespace sinew {

/// Velocity of each subtree's centre of mass and its angular momentum about it, on demand.
/// reads   Model: body_mass, body_inertia, body_subtreemass      Data: cvel, xipos, ximat, subtree_com
/// writes  Data: subtree_linvel, subtree_angmom          needs  com_velocity
template <class Real>
void subtree_velocity(const Model& m, BasicData<Real>& d);

}  // namespace sinew
