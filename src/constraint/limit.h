#pragma once

#include "constraint/row_builder.h"

namespace sinew {

/// One row for every side of a joint's or tendon's range that is nearer than the margin; a ball joint has one bound on
/// its angle.
void add_limits(RowBuilder& rows);

}  // namespace sinew
