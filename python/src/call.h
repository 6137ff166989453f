#pragma once

#include "objects.h"

namespace sinew::python {

/// Requires that `data` has the sizes of `model`; throws ValueError naming the first that differs.
void require_fit(const PyModel& model, const PyData& data);

/// Requires that integers of a model that Python may have edited are valid; throws ValueError naming the invalid one.
void require_sound(ModelCell& cell);

/// Requires that the integrator, solver and cone of a model exist; throws Exception.
void require_options(const Model& m);

/// A model for functions that take no world.
inline const Model& sound(PyModel& model) {
  require_sound(*model.cell);
  return model.model();
}

/// Call it before the engine may move contacts and rows, with the world's lock held: see RowGeneration. Throws
/// ValueError if contacts that Python may have edited refer to objects that do not exist.
void settle(DataCell& cell);
/// The same without the check: contacts are not used before the next call.
void leave_rows(DataCell& cell);

/// Restores integers that Python has written to: see DataCell::Lent.
void take_back(DataCell& cell);
/// Notes the integers that Python may write to, after a call that has computed them.
void lend_again(DataCell& cell);

/// Installs the module's callbacks in a world. Needs the GIL.
void install_callbacks(DataCell& cell);

/// Reads a world: waits for other threads that use it, checks that the model matches.
class Look {
 public:
  Look(PyModel& model, PyData& data) : hold_(*data.cell), cell_(*data.cell), m(model.model()), d(data.data()) {
    require_fit(model, data);
    require_sound(*model.cell);
    if (!cell_.lent.empty()) take_back(cell_);
  }
  ~Look() {
    if (!cell_.lent.empty()) lend_again(cell_);
  }
  Look(const Look&) = delete;
  Look& operator=(const Look&) = delete;

 private:
  Hold hold_;
  DataCell& cell_;

 public:
  const Model& m;
  Data& d;
};

/// Runs the engine on a world: as Look, with the module's callbacks installed and arrays held by Python kept valid.
/// The GIL is released while `work` runs; exceptions of callbacks propagate.
class Call {
 public:
  Call(PyModel& model, PyData& data);
  ~Call();
  Call(const Call&) = delete;
  Call& operator=(const Call&) = delete;

  template <class Work>
  void operator()(Work&& work) {
    {
      const py::gil_scoped_release release;
      work(m, d);
    }
    tell_warnings();
  }

 private:
  void tell_warnings();

  Hold hold_;
  DataCell& cell_;
  PyModel* outer_model_;
  PyData* outer_data_;
  std::array<WarningStat, kNumWarning> warnings_;

 public:
  const Model& m;
  Data& d;
};

/// Adds its lifetime to a timer of the world (mjtTimer) and counts its calls. The clock is the callback mjcb_time if
/// set; it is called with the GIL held.
class Timed {
 public:
  Timed(PyData& data, int timer, int calls = 1);
  /// Not a destructor: a user clock may throw.
  void stop();

 private:
  TimerStat& stat_;
  int calls_;
  double start_;
};

/// The text of a counted warning.
std::string warning_text(int warning, int info);

}  // namespace sinew::python
