#pragma once

#include "constraint/row_builder.h"

namespace sinew {

/// One row for each side of a joint's or tendon's range that is closer than the margin; a ball joint has a single bound
/// on its angle.
void add_limits(RowBuilder& rows);

}  // namespace sinew
