#include "bind.h"
#include "sinew/version.h"

PYBIND11_MODULE(_sinew, module) {
  using namespace sinew::python;
  module.doc() = "The compiled part of the package sinew.";
  module.attr("version") = sinew::kVersion;
  module.attr("mujoco_version") = sinew::kMujocoVersion;
  bind_model(module);
  bind_data(module);
  bind_step(module);
  bind_rollout(module);
  bind_batch(module);
}
