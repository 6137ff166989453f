#pragma once

#include "sinew/data.h"

namespace sinew {

/// Velocity along the rows and their reference acceleration.
/// reads   Data: qvel, cvel, cdof, cdof_dot, efc_J, efc_KBIP, efc_pos, efc_margin, efc_R, contact
/// writes  Data: efc_vel, efc_aref          needs  build_constraints, com_velocity
/// aref = -B vel - K imp (pos - margin), plus R * adhesion of contacts, minus J̇ qvel of connect and weld
void constraint_reference(const Model& m, Data& d);

}  // namespace sinew
