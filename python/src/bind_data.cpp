#include "bind.h"
#include "objects.h"

namespace sinew::python {
namespace {

constexpr FieldInfo kFields[] = {
#define SINEW_DATA(group, type, name, rows, cols, writer, doc) {#name, #type, #rows, #cols, doc},
#include "sinew/data_fields.def"
#undef SINEW_DATA
};

std::vector<FieldPlace> places(Data& data) {
  std::vector<FieldPlace> result;
  data.for_each_field([&](auto, auto& array, std::int64_t rows, std::int64_t cols, auto...) {
    result.push_back({array.data(), rows, cols});
  });
  return result;
}

PyObject* get_field(PyObject* self, void* field) {
  return guarded([&] { return self_of<PyData>(self).views.get(reinterpret_cast<std::size_t>(field)).release().ptr(); },
                 static_cast<PyObject*>(nullptr));
}

int set_field(PyObject* self, PyObject* value, void* field) {
  return guarded(
      [&] {
        if (!value) throw py::attribute_error("a field cannot be deleted");
        self_of<PyData>(self).views.set(reinterpret_cast<std::size_t>(field), value);
        return 0;
      },
      -1);
}

std::vector<Property> properties() {
  std::vector<Property> result;
  std::size_t index = 0;
  for (const FieldInfo& field : kFields)
    result.push_back({field.name, field.doc, get_field, set_field, reinterpret_cast<void*>(index++)});
  return result;
}

}  // namespace

PyData::PyData(py::object model)
    : model_object(std::move(model)),
      cell(std::make_shared<DataCell>(this->model().cell)),
      views(kFields, places(cell->data), cell) {
  reset(cell->model->model, cell->data);
}

void bind_data(py::module_& module) {
  py::class_<PyData> data(module, "MjData",
                          "One world of a model: its state, inputs and everything computed from them.");
  add_properties(data, properties());
  data.def(py::init([](py::object model) {
             if (!py::isinstance<PyModel>(model)) throw py::type_error("MjData needs an MjModel");
             return std::make_unique<PyData>(std::move(model));
           }),
           py::arg("model"));
  data.def_property_readonly("model", [](const PyData& d) { return d.model_object; });
  data.def_property(
      "time", [](PyData& d) { return d.data().time; }, [](PyData& d, double time) { d.data().time = time; });
}

}  // namespace sinew::python
