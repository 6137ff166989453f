#pragma once

#include "math/scalar.h"
#include "sinew/data.h"

namespace sinew {

/// One delay buffer inside Data::history: [user, cursor, times(n), values(n dim)]. The newest sample is at the cursor,
/// the oldest right after it (cyclic); times ascend from the oldest to the newest.
template <class Real>
class HistoryBuffer {
 public:
  HistoryBuffer(Real* memory, int samples, int dim) : memory_(memory), n_(samples), dim_(dim) {}

  /// A number for the owner: sensors store the time of their last sample in it.
  Real& user() { return memory_[0]; }

  /// The dim values at time t, by `interp`; clamped to the oldest and the newest sample.
  void read(double t, Interp interp, Real* values) const;
  /// Stores a sample. One at the same time is replaced; a full buffer drops its oldest sample.
  void insert(double t, const Real* values);
  /// Values zero; time(k) for the k-th sample, oldest first.
  template <class Time>
  void reset(Time&& time) {
    memory_[1] = Real(n_ - 1);
    for (int k = 0; k < n_; ++k) memory_[2 + k] = Real(time(k));
    for (int k = 0; k < n_ * dim_; ++k) memory_[2 + n_ + k] = Real(0);
  }

 private:
  /// The buffer is part of the state, which users may write: an invalid cursor is treated as that of a new buffer.
  int cursor() const {
    const double place = value_of(memory_[1]);
    return place >= 0 && place < n_ ? int(place) : n_ - 1;
  }
  /// Physical index of the k-th oldest sample.
  int at(int k) const { return (cursor() + 1 + k) % n_; }
  double time(int k) const { return value_of(memory_[2 + at(k)]); }
  const Real* values(int k) const { return memory_ + 2 + n_ + at(k) * dim_; }
  void write(int k, double t, const Real* values);
  /// The first sample at or after t; n_ if all are earlier.
  int first_not_before(double t) const;

  Real* memory_;
  int n_, dim_;
};

/// The buffers of actuator and sensor i; only valid if actuator_history or sensor_history has samples.
template <class Real>
HistoryBuffer<Real> actuator_history(const Model& m, BasicData<Real>& d, int actuator);
template <class Real>
HistoryBuffer<Real> sensor_history(const Model& m, BasicData<Real>& d, int sensor);

/// Resets all buffers: zeros, at the times at which they would have been sampled before time 0.
/// Reads: nothing. Writes: history.
template <class Real>
void reset_histories(const Model& m, BasicData<Real>& d);

/// Stores the controls of this step in the actuators' buffers; called at the end of a step, before time advances.
/// Reads: time, ctrl, history. Writes: history.
template <class Real>
void record_controls(const Model& m, BasicData<Real>& d);

}  // namespace sinew
