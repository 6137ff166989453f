#include "bind.h"
#include "scene_objects.h"
#include "sinew/version.h"

PYBIND11_MODULE(_sinew, module) {
  using namespace sinew::python;
  module.doc() = "The compiled part of the package sinew.";
  module.attr("_version") = sinew::kVersion;
  module.attr("_mujoco_version") = sinew::kMujocoVersion;
  bind_errors(module);
  bind_structs(module);
  bind_plugin(module);
  bind_model(module);
  bind_data(module);
  bind_callbacks(module);
  bind_step(module);
  bind_state(module);
  bind_support(module);
  bind_query(module);
  bind_math(module);
  bind_matrix(module);
  bind_muscle(module);
  bind_derivatives(module);
  bind_rollout(module);
  bind_scene(module);
  bind_render(module);
  bind_view(module);
  bind_batch(module);
  bind_spec(module);
}
