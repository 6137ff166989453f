#pragma once

#include "sinew/data.h"

namespace sinew {

/// Potential energy of gravity and springs (joints and tendons); gravity compensation has none.
/// reads   Data: xipos, qpos, ten_length          writes  Data: energy[0]          needs  kinematics, tendon_paths
template <class Real>
void potential_energy(const Model& m, BasicData<Real>& d);

/// Kinetic energy ½ q̇ᵀ M q̇, armature included.
/// reads   Data: M, qvel          writes  Data: energy[1]          needs  composite_inertia
template <class Real>
void kinetic_energy(const Model& m, BasicData<Real>& d);

}  // namespace sinew
