#include "bind.h"
#include "sinew/error.h"

namespace sinew::python {

namespace py = pybind11;

/// FatalError: errors of the engine during a simulation, as in MuJoCo.
void bind_errors(py::module_& module) {
  static py::exception<Exception> fatal(module, "FatalError");
  static py::exception<std::logic_error> unexpected(module, "UnexpectedError");
  py::register_exception_translator([](std::exception_ptr pointer) {
    try {
      if (pointer) std::rethrow_exception(pointer);
    } catch (const Exception& e) {
      const std::string text = e.error().problems().empty() ? e.what() : e.error().first().message;
      fatal(text.c_str());
    }
  });
}

}  // namespace sinew::python
