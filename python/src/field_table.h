#pragma once

// Fields of the field tables as attributes of a Python class: one descriptor per row of a table, all with the same two
// functions behind them, which find the field by its number.

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <memory>
#include <span>
#include <vector>

namespace sinew::python {

namespace py = pybind11;

enum class Number : std::uint8_t { Float64, Float32, Int32, Int64, UInt8, Char };

/// One row of a field table, as it stands there.
struct FieldInfo {
  const char* name;
  const char* type;
  const char* rows;
  const char* cols;
  const char* doc;
};

/// Where a field of one object is.
struct FieldPlace {
  void* data = nullptr;
  std::int64_t rows = 0;
  std::int64_t cols = 0;
};

Number number_of(const char* type);
py::dtype dtype_of(Number number);

/// A numpy array over memory that `owner` keeps alive: (rows,) where the table says one column, else (rows, cols).
py::array view_of(const FieldInfo& info, const FieldPlace& place, const std::shared_ptr<void>& owner);

/// The fields of one object: places that never move, and the arrays that were asked for.
class FieldViews {
 public:
  FieldViews() = default;
  FieldViews(std::span<const FieldInfo> table, std::vector<FieldPlace> places, std::shared_ptr<void> owner)
      : table_(table), places_(std::move(places)), arrays_(places_.size()), owner_(std::move(owner)) {}

  py::object get(std::size_t field);
  void set(std::size_t field, py::handle value);
  const FieldPlace& place(std::size_t field) const { return places_[field]; }

 private:
  std::span<const FieldInfo> table_;
  std::vector<FieldPlace> places_;
  std::vector<py::object> arrays_;
  std::shared_ptr<void> owner_;
};

/// A property of a class that needs no closure of its own.
struct Property {
  std::string name;
  std::string doc;
  getter get;
  setter set;  // null: read only
  void* closure;
};

/// Adds properties to a class; their texts live as long as the module.
void add_properties(py::handle type, std::vector<Property> properties);

/// Runs `body` and turns C++ exceptions into Python's, as the functions of a descriptor must.
template <class Body>
auto guarded(Body&& body, decltype(body()) failure) noexcept -> decltype(body()) {
  try {
    return body();
  } catch (py::error_already_set& e) {
    e.restore();
  } catch (const py::builtin_exception& e) {
    e.set_error();
  } catch (const std::exception& e) {
    PyErr_SetString(PyExc_RuntimeError, e.what());
  } catch (...) {
    PyErr_SetString(PyExc_RuntimeError, "unknown C++ exception");
  }
  return failure;
}

/// The C++ object of a Python object, which must have been constructed.
template <class T>
T& self_of(PyObject* self) {
  T* object = py::handle(self).cast<T*>();
  if (!object) throw py::type_error("object was not initialized");
  return *object;
}

}  // namespace sinew::python
