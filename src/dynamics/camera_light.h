#pragma once

#include "sinew/data.h"

namespace sinew {

/// Poses of cameras and lights, which may track a body or look at one.
/// Reads: xpos, xquat, xmat, subtree_com. Writes: cam_xpos, cam_xmat, light_xpos, light_xdir.
template <class Real>
void camera_and_light_poses(const Model& m, BasicData<Real>& d);

}  // namespace sinew
