#pragma once

#include "sinew/data.h"

namespace sinew {

/// Velocity along the rows and their reference acceleration.
/// aref = -B vel - K imp (pos - margin), plus R * adhesion of contacts, minus J̇ qvel of connect and weld.
/// Reads: qvel, cvel, cdof, cdof_dot, nefc, efc_J, efc_KBIP, efc_pos, efc_margin, efc_R, contact.adhesion.
/// Writes: efc_vel, efc_aref.
void constraint_reference(const Model& m, Data& d);

}  // namespace sinew
