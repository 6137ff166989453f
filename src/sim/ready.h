#pragma once

#include "sinew/data.h"
#include "sinew/status.h"

namespace sinew {

/// Whether the options that choose a function or a size of memory have values that exist.
Status options_exist(const Option& opt);

/// Whether a world may be simulated: the model is as it was checked, the Data has its sizes, the options exist.
Status ready(const Model& m, const Data& d);

/// The same for functions that have no status to return: throws Exception.
void require_ready(const Model& m, const Data& d);

}  // namespace sinew
