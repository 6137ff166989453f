#pragma once

#include "sinew/data.h"

namespace sinew {

/// Poses of bodies, inertial frames, joints, geoms and sites, from the root to the leaves.
/// reads   Model: body_*, jnt_*, geom_*, site_* (structure and local poses), qpos0    Data: qpos, mocap_pos, mocap_quat
/// writes  Data: xpos, xquat, xmat, xipos, ximat, xanchor, xaxis, geom_xpos, geom_xmat, site_xpos, site_xmat
/// qpos is not changed: quaternions are used normalized and left as they are.
template <class Real>
void kinematics(const Model& m, BasicData<Real>& d);

}  // namespace sinew
