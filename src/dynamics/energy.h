#pragma once

#include "sinew/data.h"

namespace sinew {

/// Potential energy of gravity and springs (joints and tendons), without gravity compensation.
/// Reads: xipos, qpos, ten_length, flexedge_length, body_awake, tree_awake. Writes: energy[0].
template <class Real>
void potential_energy(const Model& m, BasicData<Real>& d);

/// Kinetic energy ½ q̇ᵀ M q̇, armature included.
/// Reads: M, qvel. Writes: energy[1].
template <class Real>
void kinetic_energy(const Model& m, BasicData<Real>& d);

}  // namespace sinew
