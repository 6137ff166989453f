#pragma once

#include "sinew/data.h"

namespace sinew {

/// Actuator lengths and moment arms, one sparse row per output, columns ascending.
/// Reads: qpos, xquat, site_x*, ten_length, ten_J, cdof, subtree_com, ncon, contact.pos, contact.frame, contact.dim,
/// contact.geom, contact.exclude, contact.efc_address.
/// Writes: actuator_length, actuator_moment, moment_*.
/// Exact zeros are dropped from the rows of slider-cranks, sites and bodies; joint and tendon rows keep their pattern.
template <class Real>
void transmission(const Model& m, BasicData<Real>& d);

}  // namespace sinew
