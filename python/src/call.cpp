#include "call.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstring>

#include "bind.h"
#include "dynamics/contact_bodies.h"
#include "sim/ready.h"
#include "sim/sleep.h"

namespace sinew::python {
namespace {

/// The module's callbacks. They belong to the interpreter and are installed in a world when it is run.
struct Callbacks {
  std::array<py::object, 9> slot;
  int state = 1;  // changes with every assignment
};

enum Slot : std::size_t { kPassive, kControl, kContactFilter, kSensor, kTime, kActDyn, kActGain, kActBias, kWarning };
constexpr const char* kSlotNames[] = {"mjcb_passive",  "mjcb_control",  "mjcb_contactfilter",
                                      "mjcb_sensor",   "mjcb_time",     "mjcb_act_dyn",
                                      "mjcb_act_gain", "mjcb_act_bias", "mju_user_warning"};

Callbacks& callbacks() {
  static auto* all = [] {
    auto* made = new Callbacks;  // never destroyed: the interpreter may already have been finalized
    made->slot.fill(py::none());
    return made;
  }();
  return *all;
}

py::object callback(Slot slot) { return callbacks().slot[slot]; }

/// Calls a Python function for the world that the engine works on. If that is a copy of the Python object's world, as
/// for finite differences, the object shows the copy for the duration of the call.
template <class... Args>
py::object invoke(Slot slot, DataCell& cell, Data& d, Args... args) {
  const py::object function = callback(slot);
  PyData* data = cell.running_data ? cell.running_data : cell.object;
  if (function.is_none() || !data) return py::none();
  const py::object model_object =
      cell.running_model ? py::cast(cell.running_model, py::return_value_policy::reference) : data->model_object;
  const py::object data_object = py::cast(data, py::return_value_policy::reference);
  ModelCell& model = cell.running_model ? *cell.running_model->cell : *cell.model;
  if (&d == &cell.data) {
    if (!cell.lent.empty()) lend_again(cell);
    py::object result = function(model_object, data_object, args...);
    require_sound(model);
    if (!cell.lent.empty()) take_back(cell);
    settle(cell);  // the engine continues and may move rows to which the function holds arrays
    return result;
  }
  const Data own(cell.data);
  settle(cell);
  copy_world(d, cell.data);
  if (!cell.lent.empty()) lend_again(cell);
  py::object result;
  try {
    result = function(model_object, data_object, args...);
    require_sound(model);
  } catch (...) {
    settle(cell);
    copy_world(own, cell.data);
    throw;
  }
  settle(cell);
  if (!cell.lent.empty()) take_back(cell);
  copy_world(cell.data, d);
  copy_world(own, cell.data);
  return result;
}

/// Python may edit contacts through arrays; their geoms, flexes and sizes must stay valid for the model. If they do
/// not, all are dropped with their constraint rows, so that the next call finds a valid world.
void require_sound_contacts(const Model& m, Data& d) {
  for (int i = 0; i < d.ncon; ++i) {
    const Contact& c = d.contact[static_cast<std::size_t>(i)];
    const bool sides = side_exists(m, c, 0) && side_exists(m, c, 1);
    const bool dim = c.dim == 1 || c.dim == 3 || c.dim == 4 || c.dim == 6;
    if (sides && dim && c.efc_address >= -1 && c.efc_address < std::max(1, d.nefc)) continue;
    d.ncon = d.ne = d.nf = d.nl = d.nefc = d.nJ = d.nisland = d.nidof = 0;
    throw py::value_error(
        fmt::format("contact {} was edited and is not valid: geom, flex, elem, vert, dim or efc_address", i));
  }
}

/// Sleeping trees form disjoint cycles. If Python wrote anything else, all trees are woken.
void require_sound_sleep(Data& d) {
  const auto count = static_cast<int>(d.tree_asleep.size());
  std::vector<bool> follows(d.tree_asleep.size());
  for (int t = 0; t < count; ++t) {
    const int next = d.tree_asleep[t];
    const bool awake = next < 0 && next >= kFullyAwake;
    if (awake) continue;
    const bool sound =
        next >= 0 && next < count && d.tree_asleep[next] >= 0 && !follows[static_cast<std::size_t>(next)];
    if (sound) {
      follows[static_cast<std::size_t>(next)] = true;
      continue;
    }
    std::ranges::fill(d.tree_asleep, kFullyAwake);
    throw py::value_error(fmt::format("tree_asleep[{}] was edited and is not valid: {}", t, next));
  }
}

void set_callback(Slot slot, py::object function) {
  if (!function.is_none() && !PyCallable_Check(function.ptr()))
    throw py::type_error("callback is not an Optional[Callable]");
  callbacks().slot[slot] = std::move(function);
  ++callbacks().state;
}

double number_of(Slot slot, const py::object& result) {
  try {
    return result.cast<double>();
  } catch (const py::cast_error&) {
    throw py::type_error(std::string(kSlotNames[slot]) + " callback did not return a number");
  }
}

double now() {
  const py::object clock = callback(kTime);
  if (clock.is_none()) {
    const auto t = std::chrono::steady_clock::now().time_since_epoch();
    return std::chrono::duration<double, std::micro>(t).count();
  }
  return number_of(kTime, clock());
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

void install_callbacks(DataCell& cell) {
  if (cell.callbacks == callbacks().state) return;
  cell.callbacks = callbacks().state;
  const auto set = [&](auto& target, Slot slot, auto&& function) {
    if (callback(slot).is_none())
      target = nullptr;
    else
      target = function;
  };
  const auto act = [&cell](Slot slot) {
    return [slot, &cell](const Model&, const Data& d, int id) {
      const py::gil_scoped_acquire acquire;
      return number_of(slot, invoke(slot, cell, const_cast<Data&>(d), id));
    };
  };
  const auto plain = [&cell](Slot slot) {
    return [slot, &cell](const Model&, Data& d) {
      const py::gil_scoped_acquire acquire;
      invoke(slot, cell, d);
    };
  };
  Data::Callbacks& c = cell.data.callbacks;
  set(c.control, kControl, plain(kControl));
  set(c.passive, kPassive, plain(kPassive));
  set(c.act_dyn, kActDyn, act(kActDyn));
  set(c.act_gain, kActGain, act(kActGain));
  set(c.act_bias, kActBias, act(kActBias));
  set(c.sensor, kSensor, [&cell](const Model&, Data& d, Stage stage) {
    const py::gil_scoped_acquire acquire;
    invoke(kSensor, cell, d, static_cast<int>(stage));
  });
  set(c.contact_filter, kContactFilter, [&cell](const Model&, Data& d, int geom1, int geom2) {
    const py::gil_scoped_acquire acquire;
    return number_of(kContactFilter, invoke(kContactFilter, cell, d, geom1, geom2)) != 0;
  });
}

void settle(DataCell& cell) {
  if (cell.rows) require_sound_contacts(cell.model->model, cell.data);
  leave_rows(cell);
}

void leave_rows(DataCell& cell) {
  if (cell.rows && cell.rows.use_count() > 1) {
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

void take_back(DataCell& cell) {
  for (DataCell::Lent& field : cell.lent) std::memcpy(field.data, field.known.data(), field.known.size());
  // an array that only its MjData refers to cannot change before it is accessed again
  std::erase_if(cell.lent, [](const DataCell::Lent& field) {
    PyObject* array = PyWeakref_GetObject(field.array.ptr());
    return array == Py_None || Py_REFCNT(array) <= 1;
  });
}

void lend_again(DataCell& cell) {
  for (DataCell::Lent& field : cell.lent) std::memcpy(field.known.data(), field.data, field.known.size());
}

namespace {

/// Counts an edit as assigning through the field's own operators would.
void count_edit(Model& model, std::size_t field) {
  std::size_t at = 0;
  model.for_each_field([&](auto, auto& array, auto...) {
    if (at++ == field) array.edit();
  });
}

}  // namespace

void require_options(const Model& m) {
  const Status options = options_exist(m.opt);
  if (options) return;
  const int solver = m.opt.solver;
  const bool known = 0 <= solver && solver <= static_cast<int>(SolverKind::Newton);
  throw Exception(Error::message(known ? std::string(options.text())
                                       : fmt::format("mj_fwdConstraint: unknown solver type {}", solver)));
}

void require_sound(ModelCell& cell) {
  for (ModelCell::Watched& field : cell.watched) {
    if (field.known.empty() || std::memcmp(field.data, field.known.data(), field.known.size()) == 0) continue;
    std::memcpy(field.known.data(), field.data, field.known.size());
    count_edit(cell.model, field.field);
  }
  if (!cell.model.is_fresh()) {
    if (const Status status = refresh(cell.model); !status) throw py::value_error(std::string(status.text()));
    // recomputed fields do not count as edits
    for (ModelCell::Watched& field : cell.watched)
      if (!field.known.empty()) std::memcpy(field.known.data(), field.data, field.known.size());
  }
  // an array that only its MjModel refers to cannot change before it is accessed again
  std::erase_if(cell.watched, [](const ModelCell::Watched& field) {
    PyObject* array = PyWeakref_GetObject(field.array.ptr());
    const bool held = array != Py_None && Py_REFCNT(array) > 1;
    if (!held) (*field.flags)[field.field] = false;
    return !held;
  });
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
  require_sound(*model.cell);
  require_options(m);
  if (cell_.reserved != 0 && cell_.reserved >= d.bytes())
    throw Exception(Error::message("mj_stackAlloc: out of memory, stack overflow: pstack leaves nothing of narena"));
  if (cell_.depth >= kMaxDepth) throw std::runtime_error("callbacks call the engine recursively, too deeply");
  settle(cell_);
  if (!cell_.lent.empty()) take_back(cell_);
  cell_.rows_are_made = false;
  if (cell_.sleep_is_shown) require_sound_sleep(d);
  install_callbacks(cell_);
  cell_.running_model = &model;
  cell_.running_data = &data;
  ++cell_.depth;
}

Call::~Call() {
  --cell_.depth;
  if (!cell_.lent.empty()) lend_again(cell_);
  cell_.running_model = outer_model_;
  cell_.running_data = outer_data_;
}

void Call::tell_warnings() {
  const py::object handler = callback(kWarning);
  if (handler.is_none()) return;
  for (std::size_t i = 0; i < warnings_.size(); ++i) {
    if (warnings_[i].number != 0 || d.warning[i].number == 0) continue;
    const std::string text = warning_text(static_cast<int>(i), d.warning[i].lastinfo);
    // a ctypes function takes char*, a Python function a string
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
      return fmt::format("NaN, Inf or huge value in QPOS at DOF {}. The simulation is unstable.", info);
    case Warning::BadQvel:
      return fmt::format("NaN, Inf or huge value in QVEL at DOF {}. The simulation is unstable.", info);
    case Warning::BadQacc:
      return fmt::format("NaN, Inf or huge value in QACC at DOF {}. The simulation is unstable.", info);
    case Warning::BadCtrl:
      return fmt::format("NaN, Inf or huge value in CTRL at ACTUATOR {}. The simulation is unstable.", info);
  }
  return "Unknown warning";
}

void bind_callbacks(py::module_& module) {
  for (std::size_t i = 0; i < std::size(kSlotNames); ++i) {
    const auto slot = static_cast<Slot>(i);
    module.def((std::string("set_") + kSlotNames[i]).c_str(),
               [slot](py::object function) { set_callback(slot, std::move(function)); }, py::arg("callback").none(true),
               "Installs a function for all worlds run from Python; None removes it.");
    module.def((std::string("get_") + kSlotNames[i]).c_str(), [slot] { return callback(slot); },
               "The installed function, or None.");
  }
  module.def(
      "mj_resetCallbacks",
      [] {
        callbacks().slot.fill(py::none());
        ++callbacks().state;
      },
      "Removes all callbacks.");
  module.def("mju_warningText", &warning_text, py::arg("warning"), py::arg("info"), "The text of a counted warning.");
}

}  // namespace sinew::python
