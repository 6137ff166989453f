#pragma once

#include <memory>
#include <vector>

#include "structs.h"
#include "sinew/batch.h"

namespace sinew::python {

/// The batch of a Python object, or TypeError.
std::shared_ptr<Batch> batch_of(const py::object& object);
/// What None (all), a mask, an index or a list of indices selects of n worlds.
std::vector<int> selected_worlds(const py::object& which, int n);

}  // namespace sinew::python
