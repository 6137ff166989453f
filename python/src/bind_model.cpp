#include <pybind11/stl.h>

#include "bind.h"
#include "objects.h"

namespace sinew::python {
namespace {

constexpr FieldInfo kFields[] = {
#define SINEW_FIELD(type, name, rows, cols, doc) {#name, #type, #rows, #cols, doc},
#include "sinew/model_fields.def"
#undef SINEW_FIELD
};

constexpr std::int64_t Model::*kSizes[] = {
#define SINEW_SIZE(name, doc) &Model::name,
#include "sinew/model_sizes.def"
#undef SINEW_SIZE
};

std::vector<FieldPlace> places(Model& model) {
  std::vector<FieldPlace> result;
  model.for_each_field([&](auto, auto& array, std::int64_t rows, std::int64_t cols, auto) {
    result.push_back({array.data(), rows, cols});
  });
  return result;
}

PyObject* get_field(PyObject* self, void* field) {
  return guarded([&] { return self_of<PyModel>(self).views.get(reinterpret_cast<std::size_t>(field)).release().ptr(); },
                 static_cast<PyObject*>(nullptr));
}

int set_field(PyObject* self, PyObject* value, void* field) {
  return guarded(
      [&] {
        if (!value) throw py::attribute_error("a field cannot be deleted");
        self_of<PyModel>(self).views.set(reinterpret_cast<std::size_t>(field), value);
        return 0;
      },
      -1);
}

PyObject* get_size(PyObject* self, void* size) {
  return guarded(
      [&] { return PyLong_FromLongLong(self_of<PyModel>(self).model().*kSizes[reinterpret_cast<std::size_t>(size)]); },
      static_cast<PyObject*>(nullptr));
}

std::vector<Property> properties() {
  std::vector<Property> result;
  std::size_t index = 0;
#define SINEW_SIZE(name, doc) result.push_back({#name, doc, get_size, nullptr, reinterpret_cast<void*>(index++)});
#include "sinew/model_sizes.def"
#undef SINEW_SIZE
  index = 0;
  for (const FieldInfo& field : kFields)
    result.push_back({field.name, field.doc, get_field, set_field, reinterpret_cast<void*>(index++)});
  return result;
}

using Assets = std::map<std::string, std::string>;

PyModel checked(Result<Model> result) {
  if (!result) throw py::value_error(result.error().text());
  return PyModel(std::move(result).value());
}

PyModel from_xml_string(const std::string& xml, const std::optional<Assets>& assets) {
  LoadOptions options;
  if (assets) options.files = &*assets;
  auto result = [&] {
    const py::gil_scoped_release release;
    return load_string(xml, options);
  }();
  return checked(std::move(result));
}

PyModel from_xml_path(const std::string& path, const std::optional<Assets>& assets) {
  LoadOptions options;
  if (assets) options.files = &*assets;
  auto result = [&] {
    const py::gil_scoped_release release;
    return load(path, options);
  }();
  return checked(std::move(result));
}

}  // namespace

PyModel::PyModel(Model&& model) : PyModel(std::make_shared<ModelCell>(std::move(model))) {}
PyModel::PyModel(std::shared_ptr<ModelCell> shared)
    : cell(std::move(shared)), views(kFields, places(cell->model), cell) {}

void bind_model(py::module_& module) {
  py::class_<PyModel> model(module, "MjModel", "A compiled model: the constants of a simulation.");
  add_properties(model, properties());
  model.def_static("from_xml_string", &from_xml_string, py::arg("xml"), py::arg("assets") = py::none());
  model.def_static("from_xml_path", &from_xml_path, py::arg("filename"), py::arg("assets") = py::none());
}

}  // namespace sinew::python
