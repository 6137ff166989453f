#pragma once

#include "sinew/data.h"

namespace sinew {

/// Force and torque of a contact in its frame: normal, two tangents, spin, two rolls. Zero where it has no rows. The
/// constant pull of adhesion is taken off the normal.
void contact_force(const Data& d, int contact, double force[6]);

/// Adds the wrenches of all contacts, connects and welds to cfrc_ext.
/// reads   Data: efc_force, contact          writes  Data: cfrc_ext          needs  solve_constraints, applied_body_forces
void constraint_body_forces(const Model& m, Data& d);

}  // namespace sinew
