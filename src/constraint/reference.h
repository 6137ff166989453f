#pragma once

#include "sinew/data.h"

namespace sinew {

/// Velocity along the rows and their reference acceleration.
/// aref = -B vel - K imp (pos - margin), plus R * adhesion of contacts, minus J̇ qvel of connect and weld.
/// Reads: qvel, xpos, xquat, xmat, geom_xpos, geom_xmat, subtree_com, cvel, cdof_dot, ne, nefc, efc_type, efc_id,
/// efc_J*, efc_KBIP, efc_pos, efc_margin, efc_R, ncon, contact.pos, contact.frame, contact.friction, contact.adhesion,
/// contact.dim, contact.geom, contact.efc_address.
/// Writes: efc_vel, efc_aref.
void constraint_reference(const Model& m, Data& d);

}  // namespace sinew
