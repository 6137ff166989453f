#pragma once

#include "sinew/data.h"

namespace sinew {

/// The scales of the model at its reference pose: m.stat and m.dof_length.
/// needs   kinematics and composite_inertia of qpos0 in d
void set_statistics(Model& m, const Data& d);

}  // namespace sinew
