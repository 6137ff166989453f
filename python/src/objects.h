#pragma once

// The Python objects MjModel and MjData, and the rule of ownership behind them.
//
// A cell is the C++ object that the engine works on. It is shared by the Python object, by every array that was handed
// out and, for a model, by its worlds: it goes when the last of them goes. Arrays are made once per field and kept, so
// that reading an attribute costs a lookup; they refer to the cell and not to the Python object, so there is no cycle.

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <memory>
#include <mutex>
#include <vector>

#include "field_table.h"
#include "sinew/sinew.h"

namespace sinew::python {

namespace py = pybind11;

/// A model that Python may write to between calls; the engine gets it as const.
struct ModelCell {
  explicit ModelCell(Model&& m) : model(std::move(m)) {}
  Model model;
};

/// One world. The lock is held while the engine works on it without the interpreter's lock.
struct DataCell {
  explicit DataCell(std::shared_ptr<ModelCell> m) : model(std::move(m)), data(model->model) {}
  std::shared_ptr<ModelCell> model;
  Data data;
  std::recursive_mutex busy;
};

class PyModel {
 public:
  explicit PyModel(Model&& model);
  explicit PyModel(std::shared_ptr<ModelCell> cell);

  Model& model() { return cell->model; }

  std::shared_ptr<ModelCell> cell;
  FieldViews views;
};

class PyData {
 public:
  /// A world of the model in its initial state.
  explicit PyData(py::object model);

  Data& data() { return cell->data; }
  PyModel& model() { return *model_object.cast<PyModel*>(); }

  py::object model_object;  // the MjModel that it was made with
  std::shared_ptr<DataCell> cell;
  FieldViews views;
};

}  // namespace sinew::python
