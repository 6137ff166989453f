#pragma once

#include "objects.h"

namespace sinew::python {

/// Whether `data`, made with another model, has the sizes of `model`; throws ValueError naming the first that differs.
void require_fit(const PyModel& model, const PyData& data);

/// Whether the integers of a model that Python may have written are sound; throws ValueError naming what is not.
void require_sound(ModelCell& cell);

/// A model for functions that take no world.
inline const Model& sound(PyModel& model) {
  require_sound(*model.cell);
  return model.model();
}

/// Before the engine may move contacts and rows, with the world's lock held: see RowGeneration. Throws ValueError where
/// contacts that Python may have written refer to what does not exist.
void settle(DataCell& cell);

/// The module's callbacks into a world. Needs the interpreter's lock.
void install_callbacks(DataCell& cell);

/// Reads a world: waits for whoever works on it, checks that the model fits.
class Look {
 public:
  Look(PyModel& model, PyData& data) : hold_(*data.cell), m(model.model()), d(data.data()) {
    require_fit(model, data);
    require_sound(*model.cell);
  }

 private:
  Hold hold_;

 public:
  const Model& m;
  Data& d;
};

/// Runs the engine on a world: as Look, with the module's callbacks installed and the arrays that Python holds safe.
/// The interpreter's lock is free while `work` runs; an exception of a callback goes through.
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

/// Adds the time of its life to a timer of the world (mjtTimer) and counts its calls. The clock is the callback
/// mjcb_time where one is set; it is asked with the interpreter's lock held.
class Timed {
 public:
  Timed(PyData& data, int timer, int calls = 1);
  /// Not a destructor: a clock of the user may throw.
  void stop();

 private:
  TimerStat& stat_;
  int calls_;
  double start_;
};

/// What a counted warning says.
std::string warning_text(int warning, int info);

}  // namespace sinew::python
