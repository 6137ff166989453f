#pragma once

#include "sinew/model.h"
#include "sinew/status.h"

namespace sinew {

/// Recomputes the constants that follow from masses, inertias, poses and gears at qpos0, as the compiler does (MuJoCo's
/// mj_setConst). Refreshes the model first and fails if that fails.
///
/// body_subtreemass; body, dof and tendon weights; dof_M0; lengths of tendons and actuators; actuator_acc0; data of
/// connect and weld between bodies; offsets of cameras and lights; damping ratios of servos; stat.
Status set_constants(Model& model);

}  // namespace sinew
