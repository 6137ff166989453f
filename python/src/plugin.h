#pragma once

#include <pybind11/pybind11.h>

#include "sinew/plugin.h"

namespace sinew::python {

/// MuJoCo's plugins and those of a Python list of sinew.Plugin objects; None: only the former. Needs the GIL.
PluginRegistry registry_of(const pybind11::object& plugins);

}  // namespace sinew::python
