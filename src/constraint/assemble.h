#pragma once

#include "sinew/data.h"

namespace sinew {

/// All constraint rows of the present position: equality, dry friction, limits, contacts, in this order.
/// reads   Data: qpos, poses, cdof, subtree_com, ten_length, ten_J, contact, eq_active
/// writes  Data: ne, nf, nl, nefc, nJ, efc_* of its rows in row_fields.def, tendon_efcadr, contact efc_address,
/// exclude, mu needs   kinematics, com_position, tendon_paths, collide          Grows the row arrays where they are too
/// small.
void build_constraints(const Model& m, Data& d);

/// Where the option diagexact asks for it: regularizers from the exact diagonal of J M⁻¹ Jᵀ instead of its
/// approximation. reads   Data: efc_J, qLD          writes  Data: efc_KBIP, efc_R, efc_D, efc_diagA          needs
/// factor_inertia
void project_constraints(const Model& m, Data& d);

}  // namespace sinew
