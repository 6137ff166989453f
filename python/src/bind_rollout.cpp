#include <pybind11/stl.h>

#include <algorithm>
#include <optional>

#include "bind.h"
#include "call.h"
#include "objects.h"
#include "sinew/rollout.h"
#include "sinew/state.h"

namespace sinew::python {
namespace {

using Numbers = py::array_t<double, py::array::c_style>;

/// Memory of an argument that may be None. sinew/rollout.py has checked the shapes; the engine checks the lengths
/// again.
std::span<const double> input(const std::optional<Numbers>& array) {
  return array ? std::span(array->data(), static_cast<std::size_t>(array->size())) : std::span<const double>();
}

/// Results are written to the caller's memory, so the array must match without conversion.
std::span<double> output(const char* name, py::handle array) {
  if (array.is_none()) return {};
  if (!py::isinstance<Numbers>(array))
    throw py::value_error(std::string(name) + " must be a contiguous array of float64");
  auto numbers = py::reinterpret_borrow<Numbers>(array);
  if (!numbers.writeable()) throw py::value_error(std::string(name) + " is read-only");
  return std::span(numbers.mutable_data(), static_cast<std::size_t>(numbers.size()));
}

/// All worlds used by the threads, locked in the same order by all callers.
std::vector<std::unique_ptr<Call>> calls_of(PyModel& model, std::vector<PyData*> datas) {
  std::ranges::sort(datas, {}, [](const PyData* data) { return data->cell.get(); });
  std::vector<std::unique_ptr<Call>> calls;
  for (PyData* data : datas) calls.push_back(std::make_unique<Call>(model, *data));
  return calls;
}

/// The thread pool of one Rollout, null once it is closed.
class PyRollout {
 public:
  explicit PyRollout(int nthread) : rollout_(std::make_shared<Rollout>(std::max(1, nthread))) {}

  void close() { rollout_.reset(); }

  py::array_t<int> run(const std::vector<PyModel*>& models, const std::vector<PyData*>& datas, const py::dict& arrays) {
    const std::shared_ptr<Rollout> rollout = rollout_;  // another thread may close it concurrently
    if (!rollout) throw std::runtime_error("rollout requested after thread pool shutdown");
    for (PyModel* model : models) require_sound(*model->cell);
    for (const PyData* data : datas)
      if (std::ranges::count(datas, data->cell, &PyData::cell) > 1)
        throw py::value_error("a data instance is in the list twice");
    const auto get = [&](const char* name) { return arrays[name].cast<std::optional<Numbers>>(); };
    const auto initial_state = get("initial_state"), warmstart = get("initial_warmstart"), control = get("control");

    std::vector<const Model*> raw_models;
    for (PyModel* model : models) raw_models.push_back(&model->model());
    std::vector<Data*> workers;
    for (PyData* data : datas) workers.push_back(&data->data());
    const RolloutTask task{.models = raw_models,
                           .nroll = arrays["nbatch"].cast<int>(),
                           .nstep = arrays["nstep"].cast<int>(),
                           .initial_state = input(initial_state),
                           .initial_warmstart = input(warmstart),
                           .control = input(control),
                           .control_spec = arrays["control_spec"].cast<int>(),
                           .state = output("state", arrays["state"]),
                           .sensordata = output("sensordata", arrays["sensordata"])};
    const int chunk = arrays["chunk_size"].cast<int>();
    std::vector<int> diverged;
    for (const Model* model : raw_models) require_options(*model);
    const std::vector<std::unique_ptr<Call>> calls = calls_of(*models[0], datas);
    try {
      const py::gil_scoped_release release;
      diverged = rollout->run(task, workers, chunk);
    } catch (const Exception& e) {
      throw py::value_error(e.what());
    }
    return py::array_t<int>(static_cast<py::ssize_t>(diverged.size()), diverged.data());
  }

 private:
  std::shared_ptr<Rollout> rollout_;
};

bool same_sizes(PyModel& a, PyModel& b) {
  bool same = true;
#define SINEW_SIZE(name, doc) same = same && a.model().name == b.model().name;
#include "sinew/model_sizes.def"
#undef SINEW_SIZE
  return same;
}

}  // namespace

void bind_rollout(py::module_& module) {
  py::class_<PyRollout> rollout(module, "_Rollout", "The threads behind sinew.rollout.Rollout.");
  rollout.def(py::init<int>(), py::arg("nthread"));
  rollout.def("close", &PyRollout::close);
  rollout.def("run", &PyRollout::run, py::arg("models"), py::arg("datas"), py::arg("arrays"));
  rollout.def_static("state_size", [](PyModel& m, int spec) { return state_size(m.model(), spec); });
  rollout.def_static("same_sizes", &same_sizes);
  rollout.attr("mjSTATE_CTRL") = static_cast<int>(kStateCtrl);
  rollout.attr("mjSTATE_FULLPHYSICS") = static_cast<int>(kStateFullPhysics);
  rollout.attr("mjSTATE_USER") = static_cast<int>(kStateUser);
}

}  // namespace sinew::python
