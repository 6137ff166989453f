#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <string>

#include "spec/schema.h"
#include "spec_tables.h"

namespace sinew::python {

/// The value of an attribute, from the text that its row prints: a number, an array, a flag, a text; an enumeration as
/// its number. NaN if it is not given.
pybind11::object to_python(const mjcf::Attribute& row, const std::string& text);

/// The text for the row to read, from a Python value. Throws TypeError or ValueError.
std::string to_text(const mjcf::Attribute& row, pybind11::handle value);
/// The same with MuJoCo's messages about the number of values; numbers that are not given may become zero.
std::string to_text(const SpecAttribute& row, pybind11::handle value);

}  // namespace sinew::python
