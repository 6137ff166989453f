#pragma once

#include "constraint/row_builder.h"

namespace sinew {

/// One row for every dof and tendon with dry friction: its velocity, with a bounded force.
void add_friction_loss(RowBuilder& rows);

}  // namespace sinew
