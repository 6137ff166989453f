#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "bind.h"
#include "call.h"
#include "objects.h"

namespace sinew::python {
namespace {

constexpr FieldInfo kFields[] = {
#define SINEW_DATA(group, type, name, rows, cols, writer, doc) {#name, #type, #rows, #cols, doc},
#include "sinew/data_fields.def"
#undef SINEW_DATA
};

constexpr FieldInfo kRows[] = {
#define SINEW_ROW(type, name, rows, cols, writer, doc) {#name, #type, #rows, #cols, doc},
#include "sinew/row_fields.def"
#undef SINEW_ROW
};

constexpr FieldInfo kAbsent[] = {
#define SINEW_ABSENT_DATA(type, name, rows, cols) {#name, #type, #rows, #cols, "not in the engine"},
#include "absent_fields.def"
#undef SINEW_ABSENT_DATA
};

struct Count {
  const char* name;
  int Data::*member;
  const char* doc;
};

/// The integer counts among the scalars of Data, except nJ: MuJoCo's depends on whether the Jacobian is sparse.
std::vector<Count> list_counts() {
  std::vector<Count> out;
  const auto add = [&](const char* name, auto member, const char* doc) {
    if constexpr (std::is_same_v<decltype(member), int Data::*>)
      if (member != &Data::nJ) out.push_back({name, member, doc});
  };
#define SINEW_SCALAR(name, doc, ...) add(#name, &Data::name, doc);
#include "sinew/data_scalars.def"
#undef SINEW_SCALAR
  return out;
}
const std::vector<Count>& counts() {
  static const std::vector<Count> all = list_counts();
  return all;
}

std::vector<FieldPlace> places(Data& data) {
  std::vector<FieldPlace> result;
  result.reserve(std::size(kFields));
  data.for_each_field([&](auto, auto& array, std::int64_t rows, std::int64_t cols, auto...) {
    result.push_back({array.data(), rows, cols});
  });
  return result;
}

/// What an array of contacts or rows keeps alive: the world, and the generation of its memory.
std::shared_ptr<void> row_owner(DataCell& cell, const std::shared_ptr<DataCell>& shared) {
  struct Owner {
    std::shared_ptr<DataCell> cell;
    std::shared_ptr<RowGeneration> rows;
  };
  if (!cell.rows) cell.rows = std::make_shared<RowGeneration>();
  return std::make_shared<Owner>(Owner{shared, cell.rows});
}

/// The array of a field. Integers are results that the engine trusts: it gets them back before the next call, except
/// the sleep state, which is checked before the engine uses it.
py::object field_array(PyData& self, std::size_t field) {
  const py::object object = self.views.get(field);
  if (self.views.info(field).number() != Number::Int32) return object;
  DataCell& cell = *self.cell;
  if (std::strcmp(self.views.info(field).name, "tree_asleep") == 0) {
    cell.sleep_is_shown = true;
    return object;
  }
  auto* data = static_cast<std::byte*>(self.views.place(field).data);
  std::vector<std::byte> computed;
  for (const DataCell::Lent& known : cell.lent) {
    if (known.data != data) continue;
    if (PyWeakref_GetObject(known.array.ptr()) == object.ptr()) return object;
    computed = known.known;  // the array of another MjData of the same world
  }
  if (computed.empty()) computed.assign(data, data + py::reinterpret_borrow<py::array>(object).nbytes());
  if (!computed.empty()) cell.lent.push_back({py::weakref(object), data, std::move(computed)});
  return object;
}

PyObject* get_field(PyObject* self, void* field) {
  return guarded_get([&] { return field_array(self_of<PyData>(self), index_of(field)); });
}

int set_field(PyObject* self, PyObject* value, void* field) {
  return guarded_set(value, [&] { assign(field_array(self_of<PyData>(self), index_of(field)), value); });
}

/// The Jacobian in MuJoCo's layout for small models: dense.
py::object dense_jacobian(const FieldInfo& info, const Data& d) {
  const std::int64_t nv = d.model().nv;
  const bool by_row = std::strcmp(info.rows, "nefc") == 0;
  if (info.number() == Number::Int32) {
    py::array_t<std::int32_t> zeros(by_row ? d.nefc : d.nefc * nv);
    std::fill_n(zeros.mutable_data(), zeros.size(), 0);
    return py::object(zeros);
  }
  py::array_t<double> dense(d.nefc * nv);
  double* out = dense.mutable_data();
  std::fill_n(out, dense.size(), 0.0);
  for (int i = 0; i < d.nefc; ++i) {
    const int start = d.efc_J_rowadr[i];
    for (int k = start; k < start + d.efc_J_rownnz[i]; ++k) out[i * nv + d.efc_J_colind[k]] = d.efc_J[k];
  }
  return py::object(dense);
}

/// Whether an array is made from what the engine stores: part of a dense Jacobian.
bool is_made(const PyData& self, const FieldInfo& info) {
  return std::string_view(info.name).starts_with("efc_J") && !is_sparse(self.cell->model->model) &&
         !self.cell->rows_are_made;
}

py::object row_array(PyData& self, std::size_t field) {
  const Hold hold(*self.cell);
  Data& d = self.data();
  const FieldInfo& info = kRows[field];
  if (is_made(self, info)) return dense_jacobian(info, d);
  FieldPlace place;
  std::size_t at = 0;
  d.for_each_row_field([&](auto, auto& array, std::int64_t rows, std::int64_t cols, auto...) {
    if (at++ == field) place = {array.data(), rows, cols};
  });
  const std::shared_ptr<void> owner = row_owner(*self.cell, self.cell);
  if (info.number() == Number::Int32) {  // the engine trusts its own
    const auto* first = static_cast<const int*>(place.data);
    const auto [shown, fresh] = self.cell->rows->shown.try_emplace(field);
    if (fresh) shown->second.assign(first, first + place.rows * place.cols);
    place.data = shown->second.data();
  }
  if (place.rows * place.cols == 0) {
    std::vector<py::ssize_t> shape = {place.rows};
    if (!info.one_column()) shape.push_back(place.cols);
    return py::array(dtype_of(info.number()), shape);
  }
  return view_of(info, place, base_of(owner));
}

PyObject* get_row(PyObject* self, void* field) {
  return guarded_get([&] { return row_array(self_of<PyData>(self), index_of(field)); });
}

int set_row(PyObject* self, PyObject* value, void* field) {
  return guarded_set(value, [&] {
    auto& data = self_of<PyData>(self);
    const FieldInfo& info = kRows[index_of(field)];
    if (is_made(data, info))
      throw py::attribute_error(
          fmt::format("{} cannot be set: the engine stores the nonzeros of a small Jacobian", info.name));
    assign(row_array(data, index_of(field)), value);
  });
}

PyObject* get_count(PyObject* self, void* count) {
  return guarded_get([&] { return py::int_(self_of<PyData>(self).data().*counts()[index_of(count)].member); });
}

PyObject* get_zero(PyObject*, void*) { return PyLong_FromLong(0); }

PyObject* get_nplugin(PyObject* self, void*) {
  return guarded_get([&] { return py::int_(std::int64_t{self_of<PyData>(self).cell->model->model.nplugin}); });
}

PyObject* get_absent(PyObject* self, void* field) {
  return guarded_get([&] {
    auto& data = self_of<PyData>(self);
    data.absent.resize(std::size(kAbsent));
    py::object& array = data.absent[index_of(field)];
    if (!array) array = absent_array(kAbsent[index_of(field)], data.cell->model->model);
    return array;
  });
}

void locate_contacts(const std::shared_ptr<DataCell>& cell, StructList& list) {
  const Hold hold(*cell);
  list.owner = row_owner(*cell, cell);
  list.at = reinterpret_cast<std::byte*>(cell->data.contact.data());
  list.count = cell->data.ncon;
  std::vector<double>& hessian = cell->rows->hessian;
  const std::size_t numbers = static_cast<std::size_t>(list.count) * kContactHessian;
  if (hessian.size() != numbers) hessian.resize(numbers);  // the first time since the last call
  list.beside = reinterpret_cast<std::byte*>(hessian.data());
}

[[noreturn]] void throw_no_memory(const Data& d) {
  throw Exception(Error::message(
      fmt::format("Insufficient arena memory, currently allocated memory=\"{}K\". Increase using <size memory=\"X\"/>.",
                  d.bytes() / 1024)));
}

constexpr double kMostRowBytes = 4.0 * (1u << 30);

/// Makes contacts and constraint rows for a program that fills them itself.
void realloc_con_efc(PyData& self, int ncon, int nefc, int nJ, int nY, int nA) {
  if (ncon < 0 || nefc < 0) throw py::value_error("ncon and nefc must not be negative");
  if (nY > 0 || nA > 0) throw py::value_error("nY and nA must be 0: efc_Y and efc_AR are internal to the solver");
  DataCell& cell = *self.cell;
  const Hold hold(cell);
  Data& d = cell.data;
  d.ncon = d.ne = d.nf = d.nl = d.nefc = d.nJ = d.nisland = d.nidof = 0;
  leave_rows(cell);
  constexpr double kRowBytes = 200;
  if (ncon * double{sizeof(Contact)} + nefc * kRowBytes + std::max(nJ, 0) * 12.0 > kMostRowBytes) throw_no_memory(d);
  d.contact.assign(static_cast<std::size_t>(ncon), Contact());
  d.ncon = ncon;
  d.nefc = nefc;
  d.nJ = std::max(nJ, 0);
  d.grow_rows();
  d.for_each_row_field([](auto, auto& field, auto...) { std::ranges::fill(field, 0); });
  cell.rows_are_made = true;
  if (!cell.rows) cell.rows = std::make_shared<RowGeneration>();  // contacts are checked before they are used
}

void realloc_island(PyData& self, int nisland, int nidof) {
  if (nisland < 0 || nidof < 0) throw py::value_error("nisland and nidof must not be negative");
  DataCell& cell = *self.cell;
  const Hold hold(cell);
  Data& d = cell.data;
  leave_rows(cell);
  d.nisland = d.nidof = 0;
  constexpr double kIslandBytes = 9 * sizeof(int);
  if (nisland * kIslandBytes + nidof * 8.0 * sizeof(double) > kMostRowBytes) throw_no_memory(d);
  if (nidof > d.model().nv)
    throw py::value_error(fmt::format("nidof is {}, but the model has {} dofs", nidof, d.model().nv));
  d.nisland = nisland;
  d.nidof = nidof;
  d.grow_rows();
  if (!cell.rows) cell.rows = std::make_shared<RowGeneration>();  // contacts are checked before they are used
}

std::vector<Property> properties() {
  std::vector<Property> result;
  result.push_back({"nplugin", "number of plugin instances", get_nplugin, nullptr, nullptr});
  for (const char* name :
       {"pbase", "parena", "threadpool", "nY", "nA", "maxuse_stack", "maxuse_con", "maxuse_efc", "signature"})
    result.push_back({name, "0: not in the engine", get_zero, nullptr, nullptr});
  for (std::size_t i = 0; i < std::size(kAbsent); ++i)
    result.push_back({kAbsent[i].name, kAbsent[i].text(), get_absent, nullptr, closure_of(i)});
  for (std::size_t i = 0; i < counts().size(); ++i)
    result.push_back({counts()[i].name, counts()[i].doc, get_count, nullptr, closure_of(i)});
  for (std::size_t i = 0; i < std::size(kRows); ++i)
    result.push_back({kRows[i].name, kRows[i].text(), get_row, set_row, closure_of(i)});
  for (std::size_t i = 0; i < std::size(kFields); ++i)
    result.push_back({kFields[i].name, kFields[i].text(), get_field, set_field, closure_of(i)});
  return result;
}

template <class T, std::size_t N>
py::array array_member(const PyData& self, Number number, std::array<T, N>& member) {
  return array_over(number, {static_cast<py::ssize_t>(N)}, member.data(), self.cell);
}

void bind_members(py::class_<PyData>& type) {
  type.def_property_readonly(
      "model", [](const PyData& d) { return d.model_object; }, "The MjModel of this world.");
  type.def_property(
      "time", [](PyData& d) { return d.data().time; }, [](PyData& d, double time) { d.data().time = time; }, "s");
  type.def_property(
      "energy", [](PyData& d) { return array_member(d, Number::Float64, d.data().energy); },
      [](PyData& d, py::handle value) { assign(array_member(d, Number::Float64, d.data().energy), value); },
      "(2,) float64. J: potential, kinetic");
  type.def_property(
      "solver_niter", [](PyData& d) { return array_member(d, Number::Int32, d.data().solver_niter); },
      [](PyData& d, py::handle value) { assign(array_member(d, Number::Int32, d.data().solver_niter), value); },
      "(20,) int32. solver iterations, by island");
  type.def_property_readonly(
      "solver_nnz",
      [](PyData&) {
        return py::array_t<std::int32_t>(py::array(py::module_::import("numpy").attr("zeros")(kNumIsland, "int32")));
      },
      "(20,) int32. 0: not in the engine");
  type.def_property(
      "solver_fwdinv", [](PyData& d) { return array_member(d, Number::Float64, d.data().solver_fwdinv); },
      [](PyData& d, py::handle value) { assign(array_member(d, Number::Float64, d.data().solver_fwdinv), value); },
      "(2,) float64. forward/inverse discrepancy: constraint force, applied force");
  type.def_property_readonly(
      "warning", [](PyData& d) { return WarningList(d.cell, d.data().warning.data(), d.data().warning.size()); },
      "Counted warnings, by mjtWarning; live.");
  type.def_property_readonly(
      "timer", [](PyData& d) { return TimerList(d.cell, d.cell->timer.data(), d.cell->timer.size()); },
      "Number and duration of calls, by mjtTimer; live.");
  type.def_property_readonly(
      "contact",
      [](PyData& d) {
        ContactList list(nullptr, nullptr, 0);
        list.locate = [cell = d.cell](StructList& contacts) { locate_contacts(cell, contacts); };
        return list;
      },
      "The contacts of the last collision pass; live.");
  type.def_property_readonly(
      "solver",
      [](PyData& d) {
        const Hold hold(*d.cell);
        return SolverList(row_owner(*d.cell, d.cell), d.data().solver.data(), d.data().solver.size());
      },
      "Solver statistics: mjNSOLVER iterations per island.");
  type.def_property_readonly(
      "nJ",
      [](PyData& d) {
        return is_sparse(d.cell->model->model) ? std::int64_t{d.data().nJ} : d.data().nefc * d.cell->model->model.nv;
      },
      "number of entries of efc_J");
  type.def_property_readonly(
      "nbuffer", [](PyData& d) { return d.data().bytes(); }, "bytes of this world");
  type.def_property_readonly(
      "narena", [](PyData& d) { return d.data().bytes(); }, "bytes of this world");
  type.def_property_readonly(
      "maxuse_arena", [](PyData& d) { return d.data().bytes(); }, "bytes of this world");
  type.def_property(
      "pstack", [](const PyData& d) { return d.cell->reserved; },
      [](PyData& d, std::int64_t bytes) { d.cell->reserved = bytes; },
      "bytes of working memory taken by the program; if nothing of narena is left, no function of the engine runs");
  type.def_property_readonly("_address",
                             [](const PyData& d) { return reinterpret_cast<std::uintptr_t>(&d.cell->data); });
  type.def_property_readonly("_named", [](const PyData& d) { return d.named; });
  // the same world as another object: see MjModel._alias
  type.def("_alias", [](PyData& d) { return PyData(py::cast(PyModel(d.cell->model)), d.cell); });
}

constexpr int kPickleVersion = 1;

std::unique_ptr<PyData> copy_of(PyData& self, py::object model) {
  auto copy = std::make_unique<PyData>(std::move(model));
  const Hold hold(*self.cell);
  take_back(*self.cell);
  copy_world(self.data(), copy->data());
  copy->cell->timer = self.cell->timer;
  return copy;
}

std::unique_ptr<PyData> from_state(const py::tuple& state) {
  if (state.size() != 3 || !py::isinstance<py::int_>(state[0]) || state[0].cast<int>() != kPickleVersion)
    throw py::value_error("the world was saved by another version of sinew");
  if (!py::isinstance<PyModel>(state[1])) throw py::value_error("the saved world has no model");
  auto data = std::make_unique<PyData>(py::object(state[1]));
  if (!unpack_world(state[2].cast<std::string>(), data->data()))
    throw py::value_error("the saved world does not match its model");
  return data;
}

std::string repr(PyData& self) {
  const Data& d = self.data();
  return "<MjData of '" + d.model().modelname + "' at " + std::string(py::str(py::float_(d.time))) +
         " s: " + std::to_string(d.ncon) + " contacts, " + std::to_string(d.nefc) + " constraint rows>";
}

}  // namespace

namespace {

std::shared_ptr<ModelCell> sound(const std::shared_ptr<ModelCell>& cell) {
  require_sound(*cell);
  return cell;
}

}  // namespace

PyData::PyData(py::object model)
    : model_object(std::move(model)),
      cell(std::make_shared<DataCell>(sound(this->model().cell))),
      views(kFields, places(cell->data), cell) {
  cell->object = this;
}

PyData::PyData(py::object model, std::shared_ptr<DataCell> shared)
    : model_object(std::move(model)), cell(std::move(shared)), views(kFields, places(cell->data), cell) {}

PyData::PyData(PyData&& other) noexcept
    : model_object(std::move(other.model_object)),
      cell(std::move(other.cell)),
      views(std::move(other.views)),
      absent(std::move(other.absent)),
      named(std::move(other.named)) {
  if (cell->object == &other) cell->object = this;
}

PyData::~PyData() {
  if (cell && cell->object == this) cell->object = nullptr;
}

void bind_data(py::module_& module) {
  py::class_<PyData> type(module, "MjData",
                          "One world of a model: its state, inputs and everything computed from them.");
  add_properties(type, properties());
  bind_members(type);
  type.def(py::init([](PyModel& model) {
             require_sound(*model.cell);
             return std::make_unique<PyData>(py::cast(&model, py::return_value_policy::reference));
           }),
           py::arg("model"), "A world in the model's initial state.");
  type.def("__copy__", [](PyData& d) { return copy_of(d, d.model_object); });
  type.def("__deepcopy__", [](PyData& d, py::object memo) {
    return copy_of(d, py::module_::import("copy").attr("deepcopy")(d.model_object, memo));
  });
  type.def(py::pickle(
      [](PyData& d) {
        const Hold hold(*d.cell);
        take_back(*d.cell);
        return py::make_tuple(kPickleVersion, d.model_object, py::bytes(pack_world(d.data())));
      },
      &from_state));
  type.def("__repr__", &repr);
  module.def("_realloc_con_efc", &realloc_con_efc, py::arg("d"), py::arg("ncon"), py::arg("nefc"), py::arg("nJ") = -1,
             py::arg("nY") = -1, py::arg("nA") = -1, "Makes contacts and constraint rows, to be filled by the caller.");
  module.def("_realloc_island", &realloc_island, py::arg("d"), py::arg("nisland"), py::arg("nidof"),
             "Makes islands, to be filled by the caller.");
  module.attr("_data_fields") = table_as_tuples(kFields);
  module.attr("_row_fields") = table_as_tuples(kRows);
  module.attr("_absent_data_fields") = table_as_tuples(kAbsent);
}

}  // namespace sinew::python
