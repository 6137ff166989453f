#pragma once

#include "sinew/data.h"

namespace sinew {

/// Contacts of all geoms, in MuJoCo's order: body pairs ascending, explicit pairs before the automatic ones of their
/// bodies, geom pairs ascending within two bodies, then the order of the pair function.
/// reads   Model: geom_*, body_*, pair_*, exclude_signature, bvh_*, mesh_*, hfield_*, opt
///         Data: geom_xpos, geom_xmat, xipos, ximat, tree_asleep, body_awake
/// writes  Data: contact, ncon          needs  kinematics
/// cost    about linear in the bodies at constant density, plus the pairs that are near each other
void collide(const Model& m, Data& d);

}  // namespace sinew
