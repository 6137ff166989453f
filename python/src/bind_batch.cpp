#include <pybind11/stl.h>

#include <algorithm>
#include <cstddef>
#include <string_view>

#include "batch_object.h"
#include "bind.h"
#include "call.h"
#include "objects.h"
#include "sinew/batch.h"
#include "sinew/state.h"

namespace sinew::python {
namespace {

constexpr FieldInfo kFields[] = {
#define SINEW_DATA(group, type, name, rows, cols, writer, doc) {#name, #type, #rows, #cols, doc},
#include "sinew/data_fields.def"
#undef SINEW_DATA
};

/// Whether a field has more than one column in the model's table.
bool has_columns(std::string_view field) {
#define SINEW_FIELD(type, name, rows, cols, doc) \
  if (field == #name) return std::string_view(#cols) != "1";
#include "sinew/model_fields.def"
#undef SINEW_FIELD
  return false;
}

/// A list of integers, or one.
std::vector<int> integers(const py::object& value, const char* complaint) {
  const py::array array = py::array::ensure(value);
  if (!array || array.ndim() > 1) throw py::value_error(complaint);
  if (array.size() > 0 && array.dtype().kind() != 'i' && array.dtype().kind() != 'u') throw py::type_error(complaint);
  const py::array_t<std::int64_t, py::array::c_style | py::array::forcecast> numbers(array);
  std::vector<int> out;
  for (const std::int64_t number : std::span(numbers.data(), static_cast<std::size_t>(numbers.size()))) {
    if (number != static_cast<int>(number)) throw py::index_error(std::to_string(number) + " is too large");
    out.push_back(static_cast<int>(number));
  }
  return out;
}

/// Runs without the GIL; exceptions of the engine become ValueErrors.
template <class Work>
auto without_interpreter(Work&& work) {
  try {
    const py::gil_scoped_release release;
    return work();
  } catch (const Exception& e) {
    throw py::value_error(e.what());
  }
}

void check_world(int world, int n) {
  if (world < 0 || world >= n)
    throw py::index_error("world " + std::to_string(world) + " does not exist: there are " + std::to_string(n));
}

/// The worlds selected by a call: None (all), a mask of n flags, an index or a list of indices.
class Selection {
 public:
  Selection(const py::object& which, int n) {
    if (which.is_none()) return;
    all_ = false;
    const py::array array = py::array::ensure(which);
    masked_ = array && array.dtype().kind() == 'b';
    if (masked_) {
      set_mask(array, n);
      return;
    }
    indices_ = integers(which, "worlds must be None, a mask, an index or a list of indices");
    for (const int world : indices_) check_world(world, n);
  }

  Worlds worlds() const { return all_ ? Worlds() : masked_ ? Worlds::mask(flags_) : Worlds::list(indices_); }

 private:
  void set_mask(const py::object& mask, int n) {
    const py::array_t<bool, py::array::c_style | py::array::forcecast> flags(mask);
    if (flags.size() != n || flags.ndim() != 1)
      throw py::value_error("the mask has " + std::to_string(flags.size()) + " flags, but there are " +
                            std::to_string(n) + " worlds");
    flags_.assign(flags.data(), flags.data() + n);
  }

  bool all_ = true;
  bool masked_ = false;
  std::vector<std::uint8_t> flags_;
  std::vector<int> indices_;
};

class PyBatch {
 public:
  PyBatch(py::object model, int n, const BatchOptions& options)
      : model_object(std::move(model)), arrays_(std::size(kFields)) {
    require_sound(*model_object.cast<PyModel&>().cell);
    const Model& m = model_object.cast<PyModel&>().model();
    batch_ = without_interpreter([&] { return std::make_shared<Batch>(m, n, options); });
  }

  Batch& batch() { return *batch_; }
  const std::shared_ptr<Batch>& shared() const { return batch_; }

  /// An array over memory of the batch; it keeps the batch alive.
  py::array view(py::dtype type, std::vector<py::ssize_t> shape, void* data,
                 std::vector<py::ssize_t> strides = {}) const {
    const py::capsule base(new std::shared_ptr<Batch>(batch_),
                           [](void* p) { delete static_cast<std::shared_ptr<Batch>*>(p); });
    static double nothing;  // target of the pointer of an empty array
    return py::array(std::move(type), std::move(shape), std::move(strides), data ? data : &nothing, base);
  }

  /// The array of a row of data_fields.def, cached.
  py::object field(std::size_t index) {
    py::object& array = arrays_[index];
    if (array) return array;
    batch_->for_each_field([&](std::string_view name, auto span, std::int64_t rows, std::int64_t cols, auto...) {
      if (name != kFields[index].name) return;
      std::vector<py::ssize_t> shape = {batch_->size(), rows};
      if (std::string_view(kFields[index].cols) != "1") shape.push_back(cols);
      array = view(dtype_of(kFields[index].number()), std::move(shape), span.data());
    });
    if (!array) {
      const std::string name = kFields[index].name;
      throw py::attribute_error("'" + name + "' is not recorded: list it in Batch(model, n, observe=['" + name +
                                "', ...])");
    }
    return array;
  }

  py::object vary(const std::string& name) {
    const BatchField field = without_interpreter([&] { return batch_->vary(name); });
    return array_of(field);
  }

  py::dict varied() {
    py::dict result;
    for (const BatchField& field : batch_->varied()) result[field.name.c_str()] = array_of(field);
    return result;
  }

  py::object model_object;  // the MjModel passed to the constructor

 private:
  /// (n, rows) or (n, rows, cols) for a field, (n,) or (n, cols) for an option.
  py::array array_of(const BatchField& field) const {
    const bool option = field.name.find('.') != std::string::npos;
    std::vector<py::ssize_t> shape = {batch_->size()};
    if (!option) shape.push_back(field.rows);
    if (option ? field.cols != 1 : has_columns(field.name)) shape.push_back(field.cols);
    return std::visit(
        [&](auto values) {
          return view(py::dtype::of<typename decltype(values)::value_type>(), std::move(shape), values.data());
        },
        field.values);
  }

  std::shared_ptr<Batch> batch_;
  std::vector<py::object> arrays_;
};

PyObject* get_field(PyObject* self, void* field) {
  return guarded_get([&] { return self_of<PyBatch>(self).field(index_of(field)); });
}

int set_field(PyObject* self, PyObject* value, void* field) {
  return guarded_set(value, [&] { assign(self_of<PyBatch>(self).field(index_of(field)), value); });
}

/// Keyframes by number or name: one, or one for each world.
std::vector<int> keys_of(const Model& m, const py::object& keyframe) {
  if (!py::isinstance<py::str>(keyframe)) return integers(keyframe, "keyframe must be a number or a name");
  const auto name = keyframe.cast<std::string>();
  const int key = m.id(ObjType::Key, name);
  if (key < 0) throw py::key_error("there is no keyframe '" + name + "'");
  return {key};
}

void reset(PyBatch& self, const py::object& worlds, const py::object& keyframe, const py::object& state, int spec) {
  Batch& batch = self.batch();
  const Selection which(worlds, batch.size());
  if (!keyframe.is_none() && !state.is_none()) throw py::value_error("pass either keyframe or state, not both");
  if (!keyframe.is_none()) {
    const std::vector<int> keys = keys_of(batch.model(), keyframe);
    without_interpreter([&] { batch.reset_to_keyframe(keys, which.worlds()); });
  } else if (!state.is_none()) {
    const py::array_t<double, py::array::c_style | py::array::forcecast> numbers(state);
    const std::span<const double> values(numbers.data(), static_cast<std::size_t>(numbers.size()));
    without_interpreter([&] { batch.reset_to_state(values, spec, which.worlds()); });
  } else {
    without_interpreter([&] { batch.reset(which.worlds()); });
  }
}

py::array get_state(PyBatch& self, int spec, const py::object& worlds) {
  Batch& batch = self.batch();
  const Selection which(worlds, batch.size());
  const int width = without_interpreter([&] { return state_size(batch.model(), spec); });
  const auto count = static_cast<py::ssize_t>(which.worlds().indices(batch.size()).size());
  py::array_t<double> out(std::vector<py::ssize_t>{count, width});
  const std::span<double> values(out.mutable_data(), static_cast<std::size_t>(out.size()));
  without_interpreter([&] { batch.get_state(values, spec, which.worlds()); });
  return out;
}

std::unique_ptr<PyModel> world_model(PyBatch& self, int world) {
  check_world(world, self.batch().size());
  return std::make_unique<PyModel>(without_interpreter([&] { return self.batch().world_model(world); }));
}

std::unique_ptr<PyData> world_data(PyBatch& self, int world) {
  auto data = std::make_unique<PyData>(py::cast(world_model(self, world)));
  without_interpreter([&] { self.batch().copy_world(world, data->data()); });
  return data;
}

/// The arrays that are not in data_fields.def.
void bind_other_arrays(py::class_<PyBatch>& type) {
  const auto add = [&](const char* name, const char* doc, auto get) {
    type.def_property(
        name, get, [get](PyBatch& self, const py::object& value) { assign(get(self), value); }, doc);
  };
  add("time", "s, (n,): simulation time",
      [](PyBatch& b) { return b.view(py::dtype::of<double>(), {b.batch().size()}, b.batch().time.data()); });
  add("energy", "J, (n, 2): potential and kinetic energy", [](PyBatch& b) {
    return b.view(py::dtype::of<double>(), {b.batch().size(), 2}, b.batch().energy.data());
  });
  add("warning", "(n, mjNWARNING): number of warnings, by mjtWarning", [](PyBatch& b) {
    const py::ssize_t step = sizeof(WarningStat);
    return b.view(py::dtype::of<int>(), {b.batch().size(), kNumWarning}, &b.batch().warning[0].number,
                  {kNumWarning * step, step});
  });
  add("diverged", "(n,): qpos, qvel or qacc was invalid since the last reset",
      [](PyBatch& b) { return b.view(py::dtype::of<bool>(), {b.batch().size()}, b.batch().diverged.data()); });
  add("ncon", "(n,): number of contacts of the last step or forward",
      [](PyBatch& b) { return b.view(py::dtype::of<int>(), {b.batch().size()}, b.batch().ncon.data()); });
  add("nefc", "(n,): number of constraint rows of the last step or forward",
      [](PyBatch& b) { return b.view(py::dtype::of<int>(), {b.batch().size()}, b.batch().nefc.data()); });
}

std::string repr(PyBatch& self) {
  const Model& m = self.batch().model();
  return "<sinew.Batch of " + std::to_string(self.batch().size()) + " worlds" +
         (m.modelname.empty() ? "" : " of '" + m.modelname + "'") + ": nq=" + std::to_string(m.nq) +
         ", nv=" + std::to_string(m.nv) + ", nu=" + std::to_string(m.nu) +
         ", threads=" + std::to_string(self.batch().threads()) + ">";
}

constexpr const char* kDoc = R"(n independent worlds of one model, stepped on many threads.

Every array has one row per world: qpos is (n, nq), xpos (n, nbody, 3). State and inputs always exist, outputs if
they are listed in `observe` ("*": all). The arrays are the worlds: writes take effect in the next step. Results are
the same for any number of threads, bit for bit. The model is copied.

Worlds are selected by None (all), a mask of n bools, an index or a list of indices.)";

}  // namespace

std::shared_ptr<Batch> batch_of(const py::object& object) {
  if (!py::isinstance<PyBatch>(object)) throw py::type_error("batch must be a sinew.Batch");
  return object.cast<PyBatch&>().shared();
}

std::vector<int> selected_worlds(const py::object& which, int n) { return Selection(which, n).worlds().indices(n); }

void bind_batch(py::module_& module) {
  py::class_<PyBatch> batch(module, "Batch", kDoc);
  std::vector<Property> properties;
  std::size_t index = 0;
  for (const FieldInfo& field : kFields)
    properties.push_back({field.name, std::string("(n, ") + field.rows + ", " + field.cols + "): " + field.doc,
                          get_field, set_field, closure_of(index++)});
  add_properties(batch, std::move(properties));
  batch.def(py::init([](py::object model, int n, int threads, std::vector<std::string> observe) {
              if (!py::isinstance<PyModel>(model)) throw py::type_error("Batch needs an MjModel");
              return std::make_unique<PyBatch>(std::move(model), n, BatchOptions{threads, std::move(observe)});
            }),
            py::arg("model"), py::arg("n"), py::kw_only(), py::arg("threads") = 0,
            py::arg("observe") = BatchOptions().observe);
  bind_other_arrays(batch);

  batch.def(
      "step",
      [](PyBatch& self, int nstep, const py::object& worlds) {
        if (nstep < 0) throw py::value_error("nstep must not be negative");
        const Selection which(worlds, self.batch().size());
        without_interpreter([&] { self.batch().step(nstep, which.worlds()); });
      },
      py::arg("nstep") = 1, py::arg("worlds") = py::none(), "Advances the worlds by nstep steps, on all threads.");
  batch.def(
      "forward",
      [](PyBatch& self, const py::object& worlds) {
        const Selection which(worlds, self.batch().size());
        without_interpreter([&] { self.batch().forward(which.worlds()); });
      },
      py::arg("worlds") = py::none(), "Computes everything that follows from state and inputs, without a step.");
  batch.def("reset", &reset, py::arg("worlds") = py::none(), py::kw_only(), py::arg("keyframe") = py::none(),
            py::arg("state") = py::none(), py::arg("spec") = static_cast<int>(kStateFullPhysics),
            "Resets to the initial state, a keyframe (number or name, or one per world) or a state (one row, or one "
            "per world).");
  batch.def("get_state", &get_state, py::arg("spec") = static_cast<int>(kStateFullPhysics),
            py::arg("worlds") = py::none(), "(k, mj_stateSize(spec)): parts of the state of the worlds.");
  batch.def(
      "vary", &PyBatch::vary, py::arg("name"),
      "Gives every world its own values of a float field of the model or an option ('opt.gravity'); returns them, "
      "(n, ...), initially those of the model.");
  batch.def_property_readonly("varied", &PyBatch::varied, "The arrays returned by vary, by name.");
  batch.def(
      "update_constants",
      [](PyBatch& self, const py::object& worlds) {
        const Selection which(worlds, self.batch().size());
        without_interpreter([&] { self.batch().update_constants(which.worlds()); });
      },
      py::arg("worlds") = py::none(),
      "Recomputes the constants derived from varied masses, inertias, poses, gears: mj_setConst for each world.");
  batch.def("world_model", &world_model, py::arg("world"), "A new MjModel with the values of one world.");
  batch.def("world_data", &world_data, py::arg("world"),
            "A new MjData, of a new MjModel, with the state, inputs and recorded outputs of one world.");
  batch.def_property_readonly(
      "model", [](const PyBatch& b) { return b.model_object; }, "The MjModel passed to the constructor.");
  batch.def_property_readonly("threads", [](PyBatch& b) { return b.batch().threads(); });
  batch.def_property_readonly(
      "nbytes", [](PyBatch& b) { return b.batch().bytes(); }, "Total bytes of all worlds.");
  batch.def_property_readonly(
      "nbytes_per_world", [](PyBatch& b) { return b.batch().bytes_per_world(); }, "Bytes per additional world.");
  batch.def("__len__", [](PyBatch& b) { return b.batch().size(); });
  batch.def("__repr__", &repr);
}

}  // namespace sinew::python
