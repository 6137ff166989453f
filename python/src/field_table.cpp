#include "field_table.h"

#include <deque>
#include <string_view>

namespace sinew::python {

Number FieldInfo::number() const {
  const std::string_view t(type), n(name);
  if (t == "double" || t == "Real") return Number::Float64;
  if (t == "float") return Number::Float32;
  if (t == "std::int64_t") return Number::Int64;
  if (t == "std::uint64_t") return Number::UInt64;
  if (t == "bool") return Number::Bool;
  if (t == "char") return Number::Char;
  // bytes in the tables are flags, except these
  if (t == "std::uint8_t")
    return n == "tex_data" || n == "body_simple" || n.ends_with("_sameframe") ? Number::UInt8 : Number::Bool;
  return Number::Int32;
}

const char* numpy_name(Number number) {
  switch (number) {
    case Number::Float64: return "float64";
    case Number::Float32: return "float32";
    case Number::Int64: return "int64";
    case Number::UInt64: return "uint64";
    case Number::UInt8: return "uint8";
    case Number::Bool: return "bool";
    case Number::Char: return "bytes";
    case Number::Int32: break;
  }
  return "int32";
}

py::dtype dtype_of(Number number) { return py::dtype(number == Number::Char ? "uint8" : numpy_name(number)); }

std::string FieldInfo::text() const {
  const Number kind = number();
  std::string shape =
      kind == Number::Char ? "" : std::string("(") + rows + (one_column() ? ",)" : std::string(", ") + cols + ")");
  return shape + (shape.empty() ? "" : " ") + numpy_name(kind) + (*doc ? std::string(". ") + doc : "");
}

py::capsule base_of(const std::shared_ptr<void>& owner) {
  return {new std::shared_ptr<void>(owner), [](void* p) { delete static_cast<std::shared_ptr<void>*>(p); }};
}

py::array array_over(Number number, std::vector<py::ssize_t> shape, void* data, const py::capsule& base,
                     std::vector<py::ssize_t> strides) {
  static double nothing;  // an empty vector has no address, and numpy would then allocate its own memory
  return py::array(dtype_of(number), std::move(shape), std::move(strides), data ? data : &nothing, base);
}

py::array view_of(const FieldInfo& info, const FieldPlace& place, const py::capsule& base) {
  std::vector<py::ssize_t> shape = {place.rows};
  if (!info.one_column()) shape.push_back(place.cols);
  return array_over(info.number(), std::move(shape), place.data, base);
}

void assign(const py::object& array, py::handle value) {
  if (PyObject_SetItem(array.ptr(), py::ellipsis().ptr(), value.ptr()) != 0) throw py::error_already_set();
}

py::object FieldViews::get(std::size_t field) {
  py::object& array = arrays_[field];
  if (!array) {
    const FieldPlace& place = places_[field];
    if (table_[field].number() == Number::Char)
      array = py::bytes(static_cast<const char*>(place.data), static_cast<std::size_t>(place.rows));
    else
      array = view_of(table_[field], place, py::reinterpret_borrow<py::capsule>(base_));
  }
  return array;
}

void add_properties(py::handle type, std::vector<Property> properties) {
  static std::deque<std::pair<Property, PyGetSetDef>> kept;  // descriptors point into it
  for (Property& property : properties) {
    auto& [text, def] = kept.emplace_back(std::move(property), PyGetSetDef{});
    def = {text.name.c_str(), text.get, text.set, text.doc.c_str(), const_cast<void*>(text.closure)};
    const auto descriptor =
        py::reinterpret_steal<py::object>(PyDescr_NewGetSet(reinterpret_cast<PyTypeObject*>(type.ptr()), &def));
    if (!descriptor || PyObject_SetAttrString(type.ptr(), def.name, descriptor.ptr()) != 0)
      throw py::error_already_set();
  }
}

py::tuple table_as_tuples(std::span<const FieldInfo> table) {
  py::tuple result(table.size());
  for (std::size_t i = 0; i < table.size(); ++i)
    result[i] =
        py::make_tuple(table[i].name, numpy_name(table[i].number()), table[i].rows, table[i].cols, table[i].doc);
  return result;
}

void set_error_from_exception() noexcept {
  try {
    throw;
  } catch (py::error_already_set& e) {
    e.restore();
  } catch (const py::builtin_exception& e) {
    e.set_error();
  } catch (const std::bad_alloc&) {
    PyErr_NoMemory();
  } catch (const std::exception& e) {
    PyErr_SetString(PyExc_RuntimeError, e.what());
  } catch (...) {
    PyErr_SetString(PyExc_RuntimeError, "unknown C++ exception");
  }
}

bool is_constructed(PyObject* self) {
  auto* instance = reinterpret_cast<py::detail::instance*>(self);
  return instance->get_value_and_holder().holder_constructed();
}

}  // namespace sinew::python
