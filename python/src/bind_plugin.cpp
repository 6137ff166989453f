#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include <stdexcept>

#include "bind.h"
#include "plugin.h"

// Plugins written in Python. Their functions get copies of arrays and return values, so nothing that they keep can
// refer to memory of a world that is gone. They are called with the GIL, from any thread.

namespace sinew::python {
namespace {

namespace py = pybind11;

/// A Python object that is released with the GIL, wherever it is destroyed.
using Handle = std::shared_ptr<py::object>;

Handle hold(py::object object) {
  return {new py::object(std::move(object)), [](py::object* held) {
            if (!Py_IsInitialized()) return;  // the interpreter is gone: nothing to release
            const py::gil_scoped_acquire locked;
            delete held;
          }};
}

/// Runs `work` with the GIL; an exception of Python becomes one of C++ that needs no GIL.
template <class Work>
auto in_python(Work&& work) {
  const py::gil_scoped_acquire locked;
  std::string problem;
  try {
    return work();
  } catch (const py::error_already_set& e) {
    problem = e.what();
  } catch (const py::cast_error& e) {
    problem = std::string("a function of the plugin returned a value of the wrong type: ") + e.what();
  }
  throw std::runtime_error(problem);
}

template <class Values>
py::object copy_of(const Values& values, std::int64_t rows, std::int64_t cols) {
  using T = std::remove_cv_t<std::remove_reference_t<decltype(values[0])>>;
  std::vector<py::ssize_t> shape = {static_cast<py::ssize_t>(rows)};
  if (cols != 1) shape.push_back(static_cast<py::ssize_t>(cols));
  return py::array_t<T>(shape, values.data());
}

/// What a plugin sees of the model: every size as a number, every field as a copy.
struct ModelView {
  const Model* m = nullptr;  // null: the call is over

  const Model& model() const {
    if (!m) throw std::runtime_error("the arguments of a plugin's function are valid only during the call");
    return *m;
  }
  py::object get(const std::string& name) const {
    py::object found;
    model().for_each_size([&](std::string_view size, const auto& value, auto) {
      if (size == name) found = py::int_(std::int64_t{value});
    });
    model().for_each_field([&](std::string_view field, const auto& values, std::int64_t rows, std::int64_t cols, auto) {
      if (field == name) found = copy_of(values, rows, cols);
    });
    if (name == "timestep") found = py::float_(model().opt.timestep);
    if (!found) throw py::attribute_error("a model has no field '" + name + "'");
    return found;
  }
};

/// The same of a world.
struct WorldView {
  ModelView model;
  Data* d = nullptr;
  int instance = 0;

  Data& data() const {
    model.model();
    return *d;
  }
  py::object get(const std::string& name) const {
    py::object found;
    data().for_each_field([&](std::string_view field, auto& values, std::int64_t rows, std::int64_t cols, auto...) {
      if (field == name) found = copy_of(values, rows, cols);
    });
    if (name == "time") found = py::float_(data().time);
    if (!found) throw py::attribute_error("a world has no field '" + name + "'");
    return found;
  }
  py::object state() const {
    const std::span<double> own = plugin_state(model.model(), data(), instance);
    return copy_of(own, static_cast<std::int64_t>(own.size()), 1);
  }
};

/// Calls object.function(view, …) if it exists; the view ends with the call. Needs the GIL.
template <class... Args>
py::object call(const py::object& object, const char* function, const Model& m, Data& d, int instance, Args... args) {
  if (!py::hasattr(object, function)) return py::none();
  py::object view = py::cast(WorldView{{&m}, &d, instance});
  struct End {
    WorldView& view;
    ~End() { view.model.m = nullptr; }
  } const end{view.cast<WorldView&>()};
  return object.attr(function)(view, args...);
}

std::vector<double> numbers(const py::object& result, std::size_t count, const char* function) {
  auto values = result.cast<std::vector<double>>();
  if (values.size() != count)
    throw std::runtime_error(std::string(function) + " returned " + std::to_string(values.size()) + " numbers, needs " +
                             std::to_string(count));
  return values;
}

class PythonInstance : public PluginInstance {
 public:
  PythonInstance(Handle object, int instance) : object_(std::move(object)), instance_(instance) {}

  std::unique_ptr<PluginInstance> clone() const override {
    return in_python([&] {
      py::object copy = py::module_::import("copy").attr("deepcopy")(*object_);
      return std::unique_ptr<PluginInstance>(std::make_unique<PythonInstance>(hold(std::move(copy)), instance_));
    });
  }
  void reset(const Model& m, Data& d) override { set_state(m, d, "reset"); }
  void advance(const Model& m, Data& d) override { set_state(m, d, "advance"); }
  void compute_act_dot(const Model& m, Data& d) override {
    in_python([&] {
      for (int i = 0; i < m.nactuator; ++i) {
        if (m.actuator_plugin[i] != instance_) continue;
        const py::object rates = call(*object_, "act_dot", m, d, instance_, i);
        if (rates.is_none()) continue;
        const auto own = static_cast<std::size_t>(m.actuator_actnum[i] - (m.actuator_dyntype[i] != 0));
        const std::vector<double> values = numbers(rates, own, "act_dot");
        std::copy(values.begin(), values.end(), d.act_dot.begin() + std::max(0, m.actuator_actadr[i]));
      }
    });
  }
  void compute_actuator_force(const Model& m, Data& d) override {
    in_python([&] {
      for (int i = 0; i < m.nactuator; ++i)
        if (m.actuator_plugin[i] == instance_)
          d.actuator_force[m.actuator_outadr[i]] = call(*object_, "actuator_force", m, d, instance_, i).cast<double>();
    });
  }
  void add_passive_force(const Model& m, Data& d) override {
    in_python([&] {
      const py::object force = call(*object_, "passive_force", m, d, instance_);
      if (force.is_none()) return;
      const std::vector<double> values = numbers(force, d.qfrc_passive.size(), "passive_force");
      for (std::size_t i = 0; i < values.size(); ++i) d.qfrc_passive[i] += values[i];
    });
  }
  void compute_sensors(const Model& m, Data& d) override {
    in_python([&] {
      for (int i = 0; i < m.nsensor; ++i) {
        if (m.sensor_plugin[i] != instance_) continue;
        const py::object result = call(*object_, "sensor", m, d, instance_, i);
        const std::vector<double> values = numbers(result, static_cast<std::size_t>(m.sensor_dim[i]), "sensor");
        std::copy(values.begin(), values.end(), d.sensordata.begin() + m.sensor_adr[i]);
      }
    });
  }

 private:
  void set_state(const Model& m, Data& d, const char* function) {
    in_python([&] {
      const py::object state = call(*object_, function, m, d, instance_);
      if (state.is_none()) return;
      const std::span<double> own = plugin_state(m, d, instance_);
      const std::vector<double> values = numbers(state, own.size(), function);
      std::copy(values.begin(), values.end(), own.begin());
    });
  }

  Handle object_;
  int instance_;
};

py::array_t<double> point(const double x[3]) { return py::array_t<double>(3, x); }

class PythonShape : public SignedDistance {
 public:
  /// Needs the GIL.
  explicit PythonShape(const py::object& object)
      : object_(hold(object)), has_gradient_(py::hasattr(object, "gradient")) {
    const auto [center, half] = object.attr("box")().cast<std::pair<std::array<double, 3>, std::array<double, 3>>>();
    box_ = {center, half};
  }
  double distance(const double x[3]) const override {
    return in_python([&] { return object_->attr("distance")(point(x)).cast<double>(); });
  }
  void gradient(const double x[3], double g[3]) const override {
    if (!has_gradient_) return SignedDistance::gradient(x, g);
    in_python([&] {
      const std::vector<double> values = numbers(object_->attr("gradient")(point(x)), 3, "gradient");
      std::copy(values.begin(), values.end(), g);
    });
  }
  Box box() const override { return box_; }

 private:
  Handle object_;
  bool has_gradient_;
  Box box_;
};

class PythonPlugin : public Plugin {
 public:
  /// Needs the GIL.
  explicit PythonPlugin(const py::object& object)
      : object_(hold(object)),
        name_(object.attr("name").cast<std::string>()),
        capabilities_(static_cast<int>(py::int_(object.attr("capabilities")))),
        attributes_(object.attr("attributes").cast<std::vector<std::string>>()) {
    const int stage = static_cast<int>(py::int_(object.attr("stage")));
    if (stage < 0 || stage > static_cast<int>(Stage::Acc)) throw py::value_error("stage of plugin '" + name_ + "'");
    stage_ = static_cast<Stage>(stage);
  }
  std::string name() const override { return name_; }
  int capabilities() const override { return capabilities_; }
  std::vector<std::string> attributes() const override { return attributes_; }
  Stage stage() const override { return stage_; }
  Result<int> sensor_size(const PluginConfig& config) const override { return size("sensor_size", config); }
  Result<int> state_size(const PluginConfig& config) const override { return size("state_size", config); }
  Result<std::unique_ptr<PluginInstance>> make(const Model& m, int instance) const override {
    return in_python([&]() -> Result<std::unique_ptr<PluginInstance>> {
      py::object view = py::cast(ModelView{&m});
      struct End {
        ModelView& view;
        ~End() { view.m = nullptr; }
      } const end{view.cast<ModelView&>()};
      const py::object made = object_->attr("make")(view, instance, dict_of(plugin_config(m, instance)));
      if (made.is_none()) return std::unique_ptr<PluginInstance>();
      return std::unique_ptr<PluginInstance>(std::make_unique<PythonInstance>(hold(made), instance));
    });
  }
  Result<std::unique_ptr<SignedDistance>> shape(const PluginConfig& config) const override {
    return in_python([&]() -> Result<std::unique_ptr<SignedDistance>> {
      const py::object made = object_->attr("shape")(dict_of(config));
      if (made.is_none()) return std::unique_ptr<SignedDistance>();
      return std::unique_ptr<SignedDistance>(std::make_unique<PythonShape>(made));
    });
  }

 private:
  py::dict dict_of(const PluginConfig& config) const {
    py::dict out;
    for (const std::string& attribute : attributes_)
      out[py::str(attribute)] = py::str(std::string(config.text(attribute)));
    return out;
  }
  Result<int> size(const char* function, const PluginConfig& config) const {
    return in_python([&]() -> Result<int> { return object_->attr(function)(dict_of(config)).cast<int>(); });
  }

  Handle object_;
  std::string name_;
  int capabilities_;
  std::vector<std::string> attributes_;
  Stage stage_ = Stage::Acc;
};

}  // namespace

PluginRegistry registry_of(const py::object& plugins) {
  PluginRegistry registry;
  if (plugins.is_none()) return registry;
  for (const py::handle& item : plugins) {
    auto plugin = std::make_shared<PythonPlugin>(py::reinterpret_borrow<py::object>(item));
    if (const Result<bool> added = registry.add(std::move(plugin)); !added)
      throw py::value_error(added.error().first().message);
  }
  return registry;
}

void bind_plugin(py::module_& module) {
  py::class_<ModelView>(module, "PluginModel", "What a plugin sees of the model: sizes, and copies of fields by name.")
      .def("__getattr__", &ModelView::get);
  py::class_<WorldView>(module, "PluginWorld", "What a plugin sees of a world: copies of fields by name.")
      .def_property_readonly(
          "model", [](const WorldView& w) { return w.model; }, "Sizes and fields of the model.")
      .def_property_readonly("state", &WorldView::state, "The numbers of this instance in plugin_state.")
      .def("__getattr__", &WorldView::get);
}

}  // namespace sinew::python
