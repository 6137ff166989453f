#include "struct_table.h"

#include <cstring>

namespace sinew::python {
namespace {

std::size_t bytes_of(Number number) {
  switch (number) {
    case Number::Float64:
    case Number::Int64:
    case Number::UInt64: return 8;
    case Number::Float32:
    case Number::Int32: return 4;
    default: return 1;
  }
}

py::object scalar(const StructField& field, const std::byte* at) {
  switch (field.number) {
    case Number::Float64: {
      double x;
      std::memcpy(&x, at, sizeof x);
      return py::float_(x);
    }
    case Number::Float32: {
      float x;
      std::memcpy(&x, at, sizeof x);
      return py::float_(x);
    }
    case Number::UInt8: return py::int_(static_cast<int>(*at));
    case Number::Bool: return py::int_(*reinterpret_cast<const bool*>(at) ? 1 : 0);
    default: {
      std::int32_t x;
      std::memcpy(&x, at, sizeof x);
      return py::int_(x);
    }
  }
}

void set_scalar(const StructField& field, std::byte* at, py::handle value) {
  switch (field.number) {
    case Number::Float64: {
      const double x = value.cast<double>();
      std::memcpy(at, &x, sizeof x);
      break;
    }
    case Number::Float32: {
      const float x = value.cast<float>();
      std::memcpy(at, &x, sizeof x);
      break;
    }
    case Number::UInt8: *at = static_cast<std::byte>(value.cast<std::uint8_t>()); break;
    case Number::Bool: *reinterpret_cast<bool*>(at) = value.cast<int>() != 0; break;
    default: {
      const auto x = value.cast<std::int32_t>();
      std::memcpy(at, &x, sizeof x);
    }
  }
}

py::object get(const Struct& self, const StructField& field) {
  if (!field.count) return scalar(field, self.place(field));
  return array_over(field.number, {field.count}, self.place(field), self.owner);
}

PyObject* get_field(PyObject* self, void* closure) {
  return guarded_get([&] { return get(self_of<Struct>(self), *static_cast<const StructField*>(closure)); });
}

int set_field(PyObject* self, PyObject* value, void* closure) {
  return guarded_set(value, [&] {
    const auto& field = *static_cast<const StructField*>(closure);
    Struct& object = self_of<Struct>(self);
    if (field.count) return assign(get(object, field), value);
    try {
      set_scalar(field, object.place(field), value);
    } catch (const py::cast_error&) {
      throw py::type_error(std::string(field.name) + " must be a number, not " +
                           std::string(py::str(py::type::handle_of(value).attr("__name__"))));
    }
  });
}

py::array column(const StructList& list, const StructField& field) {
  const StructList self = list.now();
  const bool beside = field.offset == kBeside;
  std::vector<py::ssize_t> shape = {self.count}, strides = {beside ? self.beside_stride : self.stride};
  if (field.count) {
    shape.push_back(field.count);
    strides.push_back(static_cast<py::ssize_t>(bytes_of(field.number)));
  }
  return array_over(field.number, shape, self.count ? self[0].place(field) : nullptr, self.owner, strides);
}

PyObject* get_column(PyObject* self, void* closure) {
  return guarded_get([&] { return column(self_of<StructList>(self), *static_cast<const StructField*>(closure)); });
}

int set_column(PyObject* self, PyObject* value, void* closure) {
  return guarded_set(
      value, [&] { assign(column(self_of<StructList>(self), *static_cast<const StructField*>(closure)), value); });
}

std::string repr(const py::object& object) {
  const Struct& self = self_of<Struct>(object.ptr());
  std::string text = std::string("<") + Py_TYPE(object.ptr())->tp_name;
  if (const auto dot = text.rfind('.'); dot != std::string::npos) text.erase(1, dot);
  for (const StructField& field : self.info->fields)
    text += std::string("\n  ") + field.name + ": " + std::string(py::str(get(self, field)));
  return text + "\n>";
}

bool equal(const Struct& a, const Struct& b) {
  if (a.info != b.info) return false;
  for (const StructField& field : a.info->fields) {
    const std::size_t bytes = bytes_of(field.number) * static_cast<std::size_t>(std::max(1, field.count));
    // values, not bits: 0 and -0 are equal, NaNs are not
    if (std::memcmp(a.place(field), b.place(field), bytes) != 0 &&
        !py::bool_(py::module_::import("numpy").attr("array_equal")(get(a, field), get(b, field))))
      return false;
  }
  return true;
}

std::string bytes_in(const Struct& s) {
  std::string out(reinterpret_cast<const char*>(s.at), s.info->size);
  if (s.beside) out.append(reinterpret_cast<const char*>(s.beside), s.info->beside);
  return out;
}

void set_bytes(Struct& s, const std::string& bytes) {
  if (bytes.size() != s.info->size + (s.beside ? s.info->beside : 0))
    throw py::value_error("the object was saved by another version of sinew");
  std::memcpy(s.at, bytes.data(), s.info->size);
  if (s.beside) std::memcpy(s.beside, bytes.data() + s.info->size, s.info->beside);
}

py::object copy(py::object self) {
  py::object other = py::type::of(self)();
  set_bytes(self_of<Struct>(other.ptr()), bytes_in(self_of<Struct>(self.ptr())));
  return other;
}

bool equal_lists(const StructList& one, const StructList& other) {
  const StructList a = one.now(), b = other.now();
  if (a.info != b.info || a.count != b.count) return false;
  for (py::ssize_t i = 0; i < a.count; ++i)
    if (!equal(a[i], b[i])) return false;
  return true;
}

}  // namespace

Struct::Struct(const StructInfo& of) : info(&of) {
  // in units aligned for every field
  const std::size_t units = of.size / sizeof(double) + 1;
  std::shared_ptr<double[]> memory(new double[units + of.beside / sizeof(double)]());
  at = reinterpret_cast<std::byte*>(memory.get());
  if (of.beside) beside = reinterpret_cast<std::byte*>(memory.get() + units);
  owner = std::move(memory);
  of.fill(at);
}

std::vector<Property> struct_properties(const StructInfo& info) {
  std::vector<Property> result;
  for (const StructField& field : info.fields) result.push_back({field.name, field.doc, get_field, set_field, &field});
  return result;
}

std::vector<Property> list_properties(const StructInfo& info) {
  std::vector<Property> result;
  for (const StructField& field : info.fields)
    result.push_back({field.name, field.doc, get_column, set_column, &field});
  return result;
}

Range range_of(py::handle key, py::ssize_t n) {
  if (PySlice_Check(key.ptr())) {
    py::ssize_t start, stop, step;
    if (PySlice_Unpack(key.ptr(), &start, &stop, &step) != 0) throw py::error_already_set();
    const py::ssize_t count = PySlice_AdjustIndices(n, &start, &stop, step);
    return {count ? start : 0, count, step, false};
  }
  if (!PyIndex_Check(key.ptr())) throw py::type_error("indices must be integers or slices");
  py::ssize_t i = PyNumber_AsSsize_t(key.ptr(), PyExc_IndexError);
  if (i == -1 && PyErr_Occurred()) throw py::error_already_set();
  if (i < 0) i += n;
  if (i < 0 || i >= n) throw py::index_error("index out of range");
  return {i, 1, 1, true};
}

void bind_struct_base(py::module_& module) {
  py::class_<Struct> type(module, "_MjStruct", "A struct of the engine; its fields are attributes.");
  type.def("__repr__", &repr);
  type.def("__eq__", [](const Struct& a, py::handle b) -> py::object {
    if (!py::isinstance<Struct>(b)) return py::reinterpret_borrow<py::object>(Py_NotImplemented);
    return py::bool_(equal(a, self_of<Struct>(b.ptr())));
  });
  type.def("__copy__", &copy);
  type.def("__deepcopy__", [](py::object self, py::handle) { return copy(std::move(self)); });
  type.def("_bytes", [](const Struct& s) { return py::bytes(bytes_in(s)); });
  type.def("_set_bytes", &set_bytes);
  type.attr("__hash__") = py::none();

  py::class_<StructList> list(module, "_MjStructList", "A list of structs; attributes are arrays over all of them.");
  list.def("__len__", [](const StructList& l) { return l.now().count; });
  list.def("__eq__", [](const StructList& a, py::handle b) -> py::object {
    if (!py::isinstance<StructList>(b)) return py::reinterpret_borrow<py::object>(Py_NotImplemented);
    return py::bool_(equal_lists(a, self_of<StructList>(b.ptr())));
  });
  list.def("__repr__", [](const StructList& l) {
    return std::string("<list of ") + std::to_string(l.now().count) + " " + l.info->name + ">";
  });
  list.attr("__hash__") = py::none();
}

}  // namespace sinew::python
