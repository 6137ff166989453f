#pragma once

#include "sinew/data.h"

namespace sinew {

/// Poses of bodies, inertial frames, joints, geoms and sites, from the root to the leaves.
/// qpos is not changed: quaternions are used normalized and left as they are.
/// Of what sleeps only xpos, xquat, xanchor and xaxis are computed, with the xmat that its parents fell asleep with:
/// they show whether somebody moved it.
/// Reads: qpos, mocap_pos, mocap_quat, xmat, body_awake.
/// Writes: xpos, xquat, xmat, xipos, ximat, xanchor, xaxis, geom_xpos, geom_xmat, site_xpos, site_xmat.
template <class Real>
void kinematics(const Model& m, BasicData<Real>& d);

}  // namespace sinew
