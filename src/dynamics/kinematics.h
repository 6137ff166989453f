#pragma once

#include "sinew/data.h"

namespace sinew {

/// Poses of bodies, inertial frames, joints, geoms and sites, from the root to the leaves.
/// qpos is not modified: quaternions are normalized on use only. For sleeping bodies only xpos, xquat, xanchor and
/// xaxis are computed, with the xmat their parents fell asleep with: they show whether the user moved the body.
/// Reads: qpos, mocap_pos, mocap_quat, xmat, body_awake.
/// Writes: xpos, xquat, xmat, xipos, ximat, xanchor, xaxis, geom_xpos, geom_xmat, site_xpos, site_xmat.
template <class Real>
void kinematics(const Model& m, BasicData<Real>& d);

}  // namespace sinew
