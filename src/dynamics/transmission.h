#pragma once

#include "sinew/data.h"

namespace sinew {

/// Actuator lengths and moment arms, one sparse row per output, columns ascending.
/// reads   Model: actuator_*      Data: qpos, xquat, site_*, ten_length, ten_J, contact, cdof, subtree_com
/// writes  Data: actuator_length, actuator_moment, moment_rownnz, moment_rowadr, moment_colind
/// needs   com_position, tendon_paths, and collide for actuators that act on a body's contacts
/// Exact zeros are dropped from the rows of slider-cranks, sites and bodies; joint and tendon rows keep their pattern.
template <class Real>
void transmission(const Model& m, BasicData<Real>& d);

}  // namespace sinew
