#pragma once

// Fields of the field tables as attributes of a Python class: one descriptor per row of a table; all share a few
// functions, which find the field by its number.

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <memory>
#include <span>
#include <string>
#include <vector>

namespace sinew::python {

namespace py = pybind11;

enum class Number : std::uint8_t { Float64, Float32, Int32, Int64, UInt64, UInt8, Bool, Char };

/// One row of a field table.
struct FieldInfo {
  const char* name;
  const char* type;
  const char* rows;
  const char* cols;
  const char* doc;

  Number number() const;
  bool one_column() const { return cols[0] == '1' && cols[1] == '\0'; }
  /// "(nbody, 3) float64. m, position in the parent"
  std::string text() const;
};

/// Where a field of one object is.
struct FieldPlace {
  void* data = nullptr;
  std::int64_t rows = 0;
  std::int64_t cols = 0;
};

const char* numpy_name(Number number);
py::dtype dtype_of(Number number);

/// Keeps `owner` alive as the base of arrays.
py::capsule base_of(const std::shared_ptr<void>& owner);
/// A numpy array over memory that `base` keeps alive. Strides in bytes; empty: dense.
py::array array_over(Number number, std::vector<py::ssize_t> shape, void* data, const py::capsule& base,
                     std::vector<py::ssize_t> strides = {});
inline py::array array_over(Number number, std::vector<py::ssize_t> shape, void* data,
                            const std::shared_ptr<void>& owner, std::vector<py::ssize_t> strides = {}) {
  return array_over(number, std::move(shape), data, base_of(owner), std::move(strides));
}
/// The same for a field: (rows,) if the table has one column, else (rows, cols).
py::array view_of(const FieldInfo& info, const FieldPlace& place, const py::capsule& base);

/// array[...] = value, with an error that names the field.
void assign(const py::object& array, py::handle value);

/// The fields of one object: their addresses, which never change, and the arrays made so far.
class FieldViews {
 public:
  FieldViews() = default;
  FieldViews(std::span<const FieldInfo> table, std::vector<FieldPlace> places, const std::shared_ptr<void>& owner)
      : table_(table), places_(std::move(places)), arrays_(places_.size()), base_(base_of(owner)) {}

  py::object get(std::size_t field);
  bool has(std::size_t field) const { return static_cast<bool>(arrays_[field]); }
  const FieldInfo& info(std::size_t field) const { return table_[field]; }
  void set(std::size_t field, py::handle value) { assign(get(field), value); }
  const FieldPlace& place(std::size_t field) const { return places_[field]; }

 private:
  std::span<const FieldInfo> table_;
  std::vector<FieldPlace> places_;
  std::vector<py::object> arrays_;
  py::object base_;  // a capsule, common to all arrays
};

/// A property of a class.
struct Property {
  std::string name;
  std::string doc;
  getter get;
  setter set;  // null: read-only
  const void* closure;
};

/// Adds properties to a class; their docstrings live as long as the module.
void add_properties(py::handle type, std::vector<Property> properties);

inline std::size_t index_of(void* closure) { return reinterpret_cast<std::size_t>(closure); }
inline const void* closure_of(std::size_t index) { return reinterpret_cast<const void*>(index); }

/// The table as Python sees it: tuples (name, dtype, rows, cols, doc).
py::tuple table_as_tuples(std::span<const FieldInfo> table);

/// Sets Python's error from the current C++ exception.
void set_error_from_exception() noexcept;

/// Runs `body`, which returns a new reference or throws.
template <class Body>
PyObject* guarded_get(Body&& body) noexcept {
  try {
    return py::object(body()).release().ptr();
  } catch (...) {
    set_error_from_exception();
    return nullptr;
  }
}

/// Runs `body` unless the attribute is being deleted, which is an error.
template <class Body>
int guarded_set(PyObject* value, Body&& body) noexcept {
  try {
    if (!value) throw py::attribute_error("a field cannot be deleted");
    body();
    return 0;
  } catch (...) {
    set_error_from_exception();
    return -1;
  }
}

/// Whether the C++ object of a Python object has been constructed: T.__new__(T) alone does not do that.
bool is_constructed(PyObject* self);

/// The C++ object of a Python object of the right type.
template <class T>
T& self_of(PyObject* self) {
  if (!is_constructed(self)) throw py::type_error("the object was not initialized");
  return *py::handle(self).cast<T*>();
}

/// For classes whose objects Python can create without initializing them: such objects are rejected as arguments.
template <class T>
struct ConstructedCaster : py::detail::type_caster_base<T> {
  bool load(py::handle source, bool convert) {
    if (!source || !py::isinstance<T>(source) || !is_constructed(source.ptr())) return false;
    return py::detail::type_caster_base<T>::load(source, convert);
  }
};

}  // namespace sinew::python
