#pragma once

#include "sinew/data.h"

namespace sinew {

/// Adds the wrenches of all contacts, connects and welds to cfrc_ext.
/// reads   Data: efc_force, contact          writes  Data: cfrc_ext          needs  solve_constraints,
/// applied_body_forces
void constraint_body_forces(const Model& m, Data& d);

}  // namespace sinew
