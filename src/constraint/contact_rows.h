#pragma once

#include "constraint/row_builder.h"

namespace sinew {

/// Rows of every contact that is not excluded, in contact order. With Jc the relative motion of the bodies at the
/// contact in its frame (normal, tangents, spin, rolls):
/// condim 1    Jc0
/// elliptic    Jc0 … Jc(dim-1)
/// pyramidal   Jc0 ± friction_k Jc_k, k = 1 … dim-1
void add_contacts(RowBuilder& rows);

}  // namespace sinew
