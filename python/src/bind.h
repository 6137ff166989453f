#pragma once

#include <pybind11/pybind11.h>

// One function per subject, in the order in which the module calls them: classes before functions that take them.

namespace sinew::python {

void bind_errors(pybind11::module_& module);
void bind_structs(pybind11::module_& module);
void bind_plugin(pybind11::module_& module);
void bind_model(pybind11::module_& module);
void bind_data(pybind11::module_& module);
void bind_callbacks(pybind11::module_& module);
void bind_step(pybind11::module_& module);
void bind_state(pybind11::module_& module);
void bind_support(pybind11::module_& module);
void bind_query(pybind11::module_& module);
void bind_math(pybind11::module_& module);
void bind_matrix(pybind11::module_& module);
void bind_muscle(pybind11::module_& module);
void bind_derivatives(pybind11::module_& module);
void bind_rollout(pybind11::module_& module);
void bind_batch(pybind11::module_& module);
void bind_spec(pybind11::module_& module);

}  // namespace sinew::python
