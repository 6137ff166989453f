#pragma once

#include "sinew/data.h"
#include "sinew/status.h"

namespace sinew {

/// Whether the options that select a function or a memory size are valid.
Status options_exist(const Option& opt);

/// Whether a world may be simulated: the model was not edited since its check, the Data has its sizes, the options are
/// valid.
Status ready(const Model& m, const Data& d);

/// The same for functions that return no status: throws Exception.
void require_ready(const Model& m, const Data& d);

}  // namespace sinew
