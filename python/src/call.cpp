#include "call.h"

#include <fmt/format.h>

#include <chrono>
#include <cstring>

#include "bind.h"

namespace sinew::python {
namespace {

/// The module's callbacks. They belong to the interpreter and are installed into a world when it is run.
struct Callbacks {
  std::array<py::object, 9> slot;
  int state = 1;  // changes with every set
};

enum Slot : std::size_t { kPassive, kControl, kContactFilter, kSensor, kTime, kActDyn, kActGain, kActBias, kWarning };
constexpr const char* kSlotNames[] = {"mjcb_passive",  "mjcb_control",  "mjcb_contactfilter",
                                      "mjcb_sensor",   "mjcb_time",     "mjcb_act_dyn",
                                      "mjcb_act_gain", "mjcb_act_bias", "mju_user_warning"};

Callbacks& callbacks() {
  static auto* all = [] {
    auto* made = new Callbacks;  // never destroyed: the interpreter may be gone by then
    made->slot.fill(py::none());
    return made;
  }();
  return *all;
}

py::object callback(Slot slot) { return callbacks().slot[slot]; }

template <class... Args>
py::object invoke(Slot slot, DataCell& cell, Args... args) {
  const py::object function = callback(slot);
  if (function.is_none()) return py::none();
  return function(py::cast(cell.running_model, py::return_value_policy::reference),
                  py::cast(cell.running_data, py::return_value_policy::reference), args...);
}

void install(DataCell& cell) {
  if (cell.callbacks == callbacks().state) return;
  cell.callbacks = callbacks().state;
  const auto set = [&](auto& target, Slot slot, auto&& function) {
    if (callback(slot).is_none())
      target = nullptr;
    else
      target = function;
  };
  const auto act = [&cell](Slot slot) {
    return [slot, &cell](const Model&, const Data&, int id) {
      const py::gil_scoped_acquire acquire;
      return invoke(slot, cell, id).cast<double>();
    };
  };
  const auto plain = [&cell](Slot slot) {
    return [slot, &cell](const Model&, Data&) {
      const py::gil_scoped_acquire acquire;
      invoke(slot, cell);
    };
  };
  Data::Callbacks& c = cell.data.callbacks;
  set(c.control, kControl, plain(kControl));
  set(c.passive, kPassive, plain(kPassive));
  set(c.act_dyn, kActDyn, act(kActDyn));
  set(c.act_gain, kActGain, act(kActGain));
  set(c.act_bias, kActBias, act(kActBias));
  set(c.sensor, kSensor, [&cell](const Model&, Data&, Stage stage) {
    const py::gil_scoped_acquire acquire;
    invoke(kSensor, cell, static_cast<int>(stage));
  });
}

/// See RowGeneration.
void settle(DataCell& cell) {
  if (!cell.rows) return;
  if (cell.rows.use_count() > 1) {
    RowGeneration& kept = *cell.rows;
    Data& d = cell.data;
    kept.contact = std::move(d.contact);
    d.contact = kept.contact;
    kept.solver = std::move(d.solver);
    d.solver = kept.solver;
#define SINEW_ROW(type, name, rows, cols, writer, doc) \
  kept.name = std::move(d.name);                       \
  d.name = kept.name;
#include "sinew/row_fields.def"
#undef SINEW_ROW
  }
  cell.rows.reset();
}

void set_callback(Slot slot, py::object function) {
  if (!function.is_none() && !PyCallable_Check(function.ptr()))
    throw py::type_error("callback is not an Optional[Callable]");
  if (slot == kContactFilter && !function.is_none())
    throw py::value_error("mjcb_contactfilter: the engine has no contact filter callback");
  callbacks().slot[slot] = std::move(function);
  ++callbacks().state;
}

double now() {
  const py::object clock = callback(kTime);
  if (clock.is_none()) {
    const auto t = std::chrono::steady_clock::now().time_since_epoch();
    return std::chrono::duration<double, std::micro>(t).count();
  }
  try {
    return clock().cast<double>();
  } catch (const py::cast_error&) {
    throw py::type_error("mjcb_time callback did not return a number");
  }
}

constexpr int kMaxDepth = 16;

}  // namespace

Hold::Hold(DataCell& cell) : cell_(cell) {
  if (cell.busy.try_lock()) return;
  const py::gil_scoped_release release;
  cell.busy.lock();
}

void require_fit(const PyModel& model, const PyData& data) {
  if (model.cell == data.cell->model) return;
  const Model& a = model.cell->model;
  const Model& b = data.cell->model->model;
#define SINEW_SIZE(name, doc) \
  if (a.name != b.name)       \
    throw py::value_error(    \
        fmt::format("the data belongs to another model: {} is {} there and {} here", #name, b.name, a.name));
#include "sinew/model_sizes.def"
#undef SINEW_SIZE
}

Call::Call(PyModel& model, PyData& data)
    : hold_(*data.cell),
      cell_(*data.cell),
      outer_model_(cell_.running_model),
      outer_data_(cell_.running_data),
      warnings_(data.data().warning),
      m(model.model()),
      d(data.data()) {
  require_fit(model, data);
  if (cell_.depth >= kMaxDepth) throw std::runtime_error("callbacks call the engine too deeply");
  settle(cell_);
  install(cell_);
  cell_.running_model = &model;
  cell_.running_data = &data;
  ++cell_.depth;
}

Call::~Call() {
  --cell_.depth;
  cell_.running_model = outer_model_;
  cell_.running_data = outer_data_;
}

void Call::tell_warnings() {
  const py::object handler = callback(kWarning);
  if (handler.is_none()) return;
  for (std::size_t i = 0; i < warnings_.size(); ++i) {
    if (warnings_[i].number != 0 || d.warning[i].number == 0) continue;
    const std::string text = warning_text(static_cast<int>(i), d.warning[i].lastinfo);
    // a ctypes function takes char*, a function of Python a string
    const bool foreign = py::isinstance(handler, py::module_::import("ctypes").attr("_CFuncPtr"));
    if (foreign)
      handler(py::bytes(text));
    else
      handler(text);
  }
}

Timed::Timed(PyData& data, int timer, int calls)
    : stat_(data.cell->timer[static_cast<std::size_t>(timer)]), calls_(calls), start_(now()) {}

void Timed::stop() {
  stat_.duration += now() - start_;
  stat_.number += calls_;
}

std::string warning_text(int warning, int info) {
  switch (static_cast<Warning>(warning)) {
    case Warning::Inertia: return fmt::format("Inertia matrix is too close to singular at dof {}", info);
    case Warning::ContactFull: return "Too many contacts";
    case Warning::ConstraintFull: return "Too many constraint rows";
    case Warning::BadQpos:
      return fmt::format("NaN, Inf or huge value in qpos at dof {}: the simulation is unstable", info);
    case Warning::BadQvel:
      return fmt::format("NaN, Inf or huge value in qvel at dof {}: the simulation is unstable", info);
    case Warning::BadQacc:
      return fmt::format("NaN, Inf or huge value in qacc at dof {}: the simulation is unstable", info);
    case Warning::BadCtrl: return fmt::format("NaN, Inf or huge value in ctrl at control {}", info);
  }
  return "Unknown warning";
}

void bind_callbacks(py::module_& module) {
  for (std::size_t i = 0; i < std::size(kSlotNames); ++i) {
    const auto slot = static_cast<Slot>(i);
    module.def((std::string("set_") + kSlotNames[i]).c_str(),
               [slot](py::object function) { set_callback(slot, std::move(function)); }, py::arg("callback").none(true),
               "Installs a function for all worlds that are run from Python; None removes it.");
    module.def((std::string("get_") + kSlotNames[i]).c_str(), [slot] { return callback(slot); },
               "The function that is installed, or None.");
  }
  module.def("mj_resetCallbacks", [] {
    callbacks().slot.fill(py::none());
    ++callbacks().state;
  });
  module.def("mju_warningText", &warning_text, py::arg("warning"), py::arg("info"));
}

}  // namespace sinew::python
