#include "field_table.h"

#include <cstring>
#include <deque>
#include <string_view>

namespace sinew::python {

Number number_of(const char* type) {
  const std::string_view name(type);
  if (name == "double" || name == "Real") return Number::Float64;
  if (name == "float") return Number::Float32;
  if (name == "std::int64_t") return Number::Int64;
  if (name == "std::uint8_t") return Number::UInt8;
  if (name == "char") return Number::Char;
  return Number::Int32;
}

py::dtype dtype_of(Number number) {
  switch (number) {
    case Number::Float64: return py::dtype::of<double>();
    case Number::Float32: return py::dtype::of<float>();
    case Number::Int64: return py::dtype::of<std::int64_t>();
    case Number::UInt8: return py::dtype::of<std::uint8_t>();
    case Number::Char: return py::dtype::of<char>();
    case Number::Int32: break;
  }
  return py::dtype::of<std::int32_t>();
}

py::array view_of(const FieldInfo& info, const FieldPlace& place, const std::shared_ptr<void>& owner) {
  const py::capsule base(new std::shared_ptr<void>(owner),
                         [](void* p) { delete static_cast<std::shared_ptr<void>*>(p); });
  std::vector<py::ssize_t> shape = {place.rows};
  if (std::string_view(info.cols) != "1") shape.push_back(place.cols);
  // an empty vector has no address, and numpy would then take memory of its own
  static double nothing;
  return py::array(dtype_of(number_of(info.type)), shape, {}, place.data ? place.data : &nothing, base);
}

py::object FieldViews::get(std::size_t field) {
  py::object& array = arrays_[field];
  if (!array) {
    if (number_of(table_[field].type) == Number::Char) {
      const FieldPlace& place = places_[field];
      array = py::bytes(static_cast<const char*>(place.data), static_cast<std::size_t>(place.rows));
    } else {
      array = view_of(table_[field], places_[field], owner_);
    }
  }
  return array;
}

void FieldViews::set(std::size_t field, py::handle value) {
  const py::object array = get(field);
  if (PyObject_SetItem(array.ptr(), py::ellipsis().ptr(), value.ptr()) != 0) throw py::error_already_set();
}

void add_properties(py::handle type, std::vector<Property> properties) {
  static std::deque<std::pair<Property, PyGetSetDef>> kept;  // descriptors point into it
  for (Property& property : properties) {
    auto& [text, def] = kept.emplace_back(std::move(property), PyGetSetDef{});
    def = {text.name.c_str(), text.get, text.set, text.doc.c_str(), text.closure};
    const auto descriptor =
        py::reinterpret_steal<py::object>(PyDescr_NewGetSet(reinterpret_cast<PyTypeObject*>(type.ptr()), &def));
    if (!descriptor || PyObject_SetAttrString(type.ptr(), def.name, descriptor.ptr()) != 0)
      throw py::error_already_set();
  }
}

}  // namespace sinew::python
