#include "bind.h"
#include "objects.h"

namespace sinew::python {
namespace {

void mj_step(PyModel& model, PyData& data, int nstep) {
  const py::gil_scoped_release release;
  const std::scoped_lock lock(data.cell->busy);
  for (int i = 0; i < nstep; ++i) step(model.model(), data.data());
}

}  // namespace

void bind_step(py::module_& module) {
  module.def("mj_step", &mj_step, py::arg("m"), py::arg("d"), py::arg("nstep") = 1);
}

}  // namespace sinew::python
