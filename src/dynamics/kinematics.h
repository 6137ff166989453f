#pragma once

#include "sinew/data.h"

namespace sinew {

/// Poses of bodies, inertial frames, joints, geoms and sites, from the root to the leaves.
/// qpos is not changed: quaternions are used normalized and left as they are.
/// Reads: qpos, mocap_pos, mocap_quat.
/// Writes: xpos, xquat, xmat, xipos, ximat, xanchor, xaxis, geom_xpos, geom_xmat, site_xpos, site_xmat.
template <class Real>
void kinematics(const Model& m, BasicData<Real>& d);

}  // namespace sinew
