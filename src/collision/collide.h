#pragma once

#include "sinew/data.h"

namespace sinew {

/// Contacts of all geoms and flexes, in MuJoCo's order: body pairs ascending (flex f counts as body nbody + f),
/// explicit pairs before the automatic ones of their bodies, geom pairs ascending within two bodies, then the order of
/// the pair function; at last each flex with itself. Reads: geom_xpos, geom_xmat, xipos, ximat, flexvert_xpos,
/// flexelem_aabb, bvh_aabb_dyn, tree_asleep, body_awake. Writes: ncon, contact.*. Its cost is about linear in the
/// number of bodies at constant density, plus the number of close pairs.
void collide(const Model& m, Data& d);

}  // namespace sinew
