#pragma once

// The Python objects MjModel and MjData, and their ownership.
//
// A cell is the C++ object that the engine works on. It is shared by the Python object, by every array made from it
// and, for a model, by its worlds: it is destroyed with the last of them. Arrays are cached per field, so that reading
// an attribute costs a lookup; they refer to the cell and not to the Python object, so there is no cycle.

#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "field_table.h"
#include "sinew/data.h"
#include "sinew/error.h"
#include "sinew/spec.h"
#include "structs.h"

namespace sinew::python {

inline constexpr int kNumTimer = 15;  // size of mjtTimer

class PyModel;
class PyData;

/// A model that Python may edit between calls; the engine receives it as const.
struct ModelCell {
  explicit ModelCell(Model&& m, std::shared_ptr<const Spec> from = nullptr)
      : model(std::move(m)), source(std::move(from)) {}
  Model model;
  std::shared_ptr<const Spec> source;  // what it was compiled from, or null

  /// Integers of a model are indices, counts and types that the engine trusts. Integer arrays held by Python are
  /// compared with their previous values before each engine call, and an edited model is validated again.
  struct Watched {
    py::weakref array;
    const std::byte* data;
    std::vector<std::byte> known;
    std::shared_ptr<std::vector<bool>> flags;  // which arrays of the MjModel that made it are watched
    std::size_t field;
  };
  std::vector<Watched> watched;
};

/// Contacts, constraint rows and solver statistics move when they grow, but arrays held by Python must stay valid.
/// Before an engine call while such arrays exist, their memory is moved to the generation that they refer to, and the
/// engine gets a copy. So an array keeps the values from the time of access.
struct RowGeneration {
  std::vector<Contact> contact;
  std::vector<SolverStat> solver;
  std::vector<double> hessian;                    // H of the contacts, which the engine does not have
  std::map<std::size_t, std::vector<int>> shown;  // integer rows as Python sees and may change them, by field
#define SINEW_ROW(type, name, rows, cols, writer, doc) std::vector<type> name;
#include "sinew/row_fields.def"
#undef SINEW_ROW
};

/// One world. `busy` is held while the engine works on it without the GIL.
struct DataCell {
  explicit DataCell(std::shared_ptr<ModelCell> m) : model(std::move(m)), data(model->model) {}
  std::shared_ptr<ModelCell> model;
  Data data;
  std::array<TimerStat, kNumTimer> timer{};
  std::recursive_mutex busy;
  int depth = 0;                     // nested engine calls, through callbacks
  int callbacks = 0;                 // state of the module's callbacks installed in `data`
  PyData* object = nullptr;          // the MjData that made it, while it lives
  PyModel* running_model = nullptr;  // of the current call, passed to callbacks
  PyData* running_data = nullptr;
  std::shared_ptr<RowGeneration> rows;  // null: no array refers to contacts or rows
  std::int64_t reserved = 0;            // bytes of working memory that the program says are taken: pstack
  bool sleep_is_shown = false;          // Python has an array of tree_asleep and may write to it
  bool rows_are_made = false;           // by _realloc_con_efc: the Jacobian has as many numbers as asked for

  /// Other integers are results that the engine trusts. Python may write to arrays of them as to the others, but
  /// before an engine call they get back what the engine had computed.
  struct Lent {
    py::weakref array;
    std::byte* data;
    std::vector<std::byte> known;
  };
  std::vector<Lent> lent;
};

class PyModel {
 public:
  explicit PyModel(Model&& model, std::shared_ptr<const Spec> source = nullptr);
  explicit PyModel(std::shared_ptr<ModelCell> cell);

  Model& model() { return cell->model; }
  const Model& model() const { return cell->model; }

  std::shared_ptr<ModelCell> cell;
  FieldViews views;
  std::shared_ptr<std::vector<bool>> watched;
  py::object opt, vis, stat;  // made on first access
  py::dict named;             // views by name, cached by sinew/_named.py
};

class PyData {
 public:
  /// A world of the model in its initial state.
  explicit PyData(py::object model);
  PyData(py::object model, std::shared_ptr<DataCell> shared);
  PyData(PyData&& other) noexcept;
  ~PyData();

  Data& data() { return cell->data; }
  PyModel& model() { return *model_object.cast<PyModel*>(); }

  py::object model_object;  // the MjModel passed to the constructor
  std::shared_ptr<DataCell> cell;
  FieldViews views;
  std::vector<py::object> absent;  // arrays of fields that the engine does not have
  py::dict named;
};

/// Type and shape of a field that the engine does not have, for a model.
py::object absent_array(const FieldInfo& info, const Model& model);

/// Whether the constraint Jacobian is shown as sparse: the rule of mj_isSparse.
bool is_sparse(const Model& model);

/// Copies a world, except its callbacks, to one of a model with the same sizes.
void copy_world(const Data& from, Data& to);

/// A world, except its callbacks, as bytes; and back, false if they do not match the model's sizes.
std::string pack_world(Data& data);
bool unpack_world(const std::string& bytes, Data& data);

/// The error of an invalid model, in MuJoCo's form: ValueError. `spec`: the model that did not compile.
[[noreturn]] void throw_refused(const char* kind, const Error& error, const Spec* spec = nullptr);

/// Locks the mutex of a world, waiting without the GIL.
class Hold {
 public:
  explicit Hold(DataCell& cell);
  ~Hold() { cell_.busy.unlock(); }
  Hold(const Hold&) = delete;
  Hold& operator=(const Hold&) = delete;

 private:
  DataCell& cell_;
};

}  // namespace sinew::python

namespace pybind11::detail {
template <>
struct type_caster<sinew::python::PyModel> : sinew::python::ConstructedCaster<sinew::python::PyModel> {};
template <>
struct type_caster<sinew::python::PyData> : sinew::python::ConstructedCaster<sinew::python::PyData> {};
}  // namespace pybind11::detail
