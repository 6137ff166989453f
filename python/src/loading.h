#pragma once

#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "sinew/load.h"

namespace sinew::python {

/// Passes the seconds that a compilation took to the function that asked for them, if any.
void report_compile_time(double seconds);

/// load(options) without the GIL. Ctrl-C ends it: signals are checked while it runs, and exceptions raised by their
/// handlers propagate to the caller.
template <class Load>
auto load_unlocked(const std::map<std::string, std::string>& files, std::optional<std::uint64_t> memory_limit,
                   Load&& load) {
  LoadOptions options;
  if (!files.empty()) options.files = &files;
  options.memory_limit = memory_limit.value_or(options.memory_limit);
  bool raised = false;
  options.interrupt = [&] {
    const pybind11::gil_scoped_acquire locked;
    raised = PyErr_CheckSignals() != 0;
    return raised;
  };
  auto result = [&] {
    const pybind11::gil_scoped_release unlocked;
    return load(options);
  }();
  if (raised) throw pybind11::error_already_set();
  return result;
}

}  // namespace sinew::python
