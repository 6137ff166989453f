#pragma once

#include "spec_node.h"

namespace sinew::python {

/// Plugins of elements, bones of skins, and flexes with their bodies.
void bind_spec_extras(py::class_<Node, NodePtr>& node);

}  // namespace sinew::python
