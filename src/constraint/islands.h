#pragma once

#include "sinew/data.h"

namespace sinew {

/// Islands: groups of kinematic trees connected by constraints or by the elasticity of a flex, which can be solved
/// independently. They are numbered by their lowest tree; dofs and rows keep their order inside. None if the option
/// island is off.
/// Reads: ne, nf, nl, nefc, efc_type, efc_id, efc_J_rownnz, efc_J_rowadr, efc_J_rowsuper, efc_J_colind,
/// contact.geom, tree_awake.
/// Writes: nisland, nidof, tree_island, dof_island, efc_island, map_*, island_*.
void find_islands(const Model& m, Data& d);

}  // namespace sinew
