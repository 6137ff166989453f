#pragma once

#include "sinew/scene.h"
#include "struct_table.h"

namespace sinew::python {

#define SINEW_SCENE_BEGIN(record, python, doc) extern const StructInfo k##record##Info;
#define SINEW_SCENE(...)
#define SINEW_SCENE_END(record) using Py##record = StructOf<k##record##Info>;
#include "sinew/scene_fields.def"
#undef SINEW_SCENE_BEGIN
#undef SINEW_SCENE
#undef SINEW_SCENE_END

using SceneGeomList = ListOf<kSceneGeomInfo>;
using SceneLightList = ListOf<kSceneLightInfo>;
using SceneViewList = ListOf<kSceneViewInfo>;

/// The record of a Python object.
template <class Record>
Record& record_of(const Struct& object) {
  return *reinterpret_cast<Record*>(object.at);
}

void bind_scene(py::module_& module);
void bind_render(py::module_& module);
void bind_view(py::module_& module);

/// MjvScene: a list of fixed length, so that arrays over its geoms stay valid.
struct PyScene {
  std::shared_ptr<Scene> scene;
};

}  // namespace sinew::python

namespace pybind11::detail {
template <>
struct type_caster<sinew::python::PyScene> : sinew::python::ConstructedCaster<sinew::python::PyScene> {};
}  // namespace pybind11::detail
