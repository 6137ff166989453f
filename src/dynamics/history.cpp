#include "dynamics/history.h"

#include <algorithm>
#include <cmath>

#include "math/dual.h"

namespace sinew {
namespace {

/// Slope of the values over time from sample a to sample b.
template <class Real>
Real slope(const Real& va, double ta, const Real& vb, double tb) {
  return (vb - va) / Real(tb - ta);
}

/// Cubic with values v0, v1 and slopes m0, m1 (per unit of α) at α = 0 and 1.
template <class Real>
Real hermite(double alpha, const Real& v0, const Real& m0, const Real& v1, const Real& m1) {
  const double a2 = alpha * alpha, a3 = a2 * alpha;
  return Real(2 * a3 - 3 * a2 + 1) * v0 + Real(a3 - 2 * a2 + alpha) * m0 + Real(-2 * a3 + 3 * a2) * v1 +
         Real(a3 - a2) * m1;
}

}  // namespace

template <class Real>
int HistoryBuffer<Real>::first_not_before(double t) const {
  int lo = 0, hi = n_;
  while (lo < hi) {
    const int mid = (lo + hi) / 2;
    if (time(mid) < t)
      lo = mid + 1;
    else
      hi = mid;
  }
  return lo;
}

template <class Real>
void HistoryBuffer<Real>::read(double t, Interp interp, Real* out) const {
  if (t <= time(0) + kMinVal) return void(std::copy_n(values(0), dim_, out));
  if (t >= time(n_ - 1) - kMinVal) return void(std::copy_n(values(n_ - 1), dim_, out));
  const int i = first_not_before(t);
  const double t0 = time(i - 1), t1 = time(i), alpha = (t - t0) / (t1 - t0);
  if (std::abs(t - t1) < kMinVal) return void(std::copy_n(values(i), dim_, out));
  for (int k = 0; k < dim_; ++k) {
    const Real v0 = values(i - 1)[k], v1 = values(i)[k];
    switch (interp) {
      case Interp::Zoh: out[k] = v0; break;
      case Interp::Linear: out[k] = v0 + Real(alpha) * (v1 - v0); break;
      case Interp::Cubic: {
        // slopes from the neighbors on both sides; flat at the ends of the buffer
        const Real m0 = i > 1 ? slope(values(i - 2)[k], time(i - 2), v1, t1) : Real(0);
        const Real m1 = i < n_ - 1 ? slope(v0, t0, values(i + 1)[k], time(i + 1)) : Real(0);
        out[k] = hermite(alpha, v0, m0 * Real(t1 - t0), v1, m1 * Real(t1 - t0));
        break;
      }
    }
  }
}

template <class Real>
void HistoryBuffer<Real>::write(int k, double t, const Real* values) {
  memory_[2 + at(k)] = Real(t);
  std::copy_n(values, dim_, memory_ + 2 + n_ + at(k) * dim_);
}

template <class Real>
void HistoryBuffer<Real>::insert(double t, const Real* values) {
  // the ends first, as MuJoCo: it matters where a time in between is not a number
  const int i = t <= time(0) ? 0 : t > time(n_ - 1) ? n_ : first_not_before(t);
  if (i < n_ && std::abs(t - time(i)) < kMinVal) {
    std::copy_n(values, dim_, memory_ + 2 + n_ + at(i) * dim_);
  } else if (i == n_) {
    // the slot after the newest sample held the oldest
    memory_[1] = Real((cursor() + 1) % n_);
    write(n_ - 1, t, values);
  } else if (i == 0) {
    write(0, t, values);
  } else {
    // between two samples: drop the oldest, shift those before t down
    for (int k = 1; k < i; ++k) write(k - 1, time(k), this->values(k));
    write(i - 1, t, values);
  }
}

template <class Real>
HistoryBuffer<Real> actuator_history(const Model& m, BasicData<Real>& d, int actuator) {
  // only the first control is delayed
  return {&d.history[m.actuator_historyadr[actuator]], m.actuator_history[2 * actuator], 1};
}

template <class Real>
HistoryBuffer<Real> sensor_history(const Model& m, BasicData<Real>& d, int sensor) {
  return {&d.history[m.sensor_historyadr[sensor]], m.sensor_history[2 * sensor], m.sensor_dim[sensor]};
}

template <class Real>
void reset_histories(const Model& m, BasicData<Real>& d) {
  const double dt = m.opt.timestep;
  for (int a = 0; a < m.nactuator; ++a) {
    const int n = m.actuator_history[2 * a];
    if (n <= 0) continue;
    auto buffer = actuator_history(m, d, a);
    buffer.user() = Real(0);
    buffer.reset([&](int k) { return -(n - k) * dt; });
  }
  for (int s = 0; s < m.nsensor; ++s) {
    const int n = m.sensor_history[2 * s];
    if (n <= 0) continue;
    auto buffer = sensor_history(m, d, s);
    const double period = m.sensor_interval[2 * s], phase = m.sensor_interval[2 * s + 1];
    if (period > 0) {
      // sampled at the first step at or after the due time
      const double newest = phase != 0 ? phase : -period;
      buffer.user() = Real(newest);
      buffer.reset([&](int k) { return std::ceil((newest - (n - 1 - k) * period) / dt) * dt; });
    } else {
      buffer.user() = Real(-dt);
      buffer.reset([&](int k) { return -(n - k) * dt; });
    }
  }
}

template <class Real>
void record_controls(const Model& m, BasicData<Real>& d) {
  if (m.nhistory == 0) return;
  for (int a = 0; a < m.nactuator; ++a) {
    if (m.actuator_history[2 * a] > 0) actuator_history(m, d, a).insert(d.time, &d.ctrl[m.actuator_ctrladr[a]]);
  }
}

template class HistoryBuffer<double>;
template HistoryBuffer<double> actuator_history(const Model&, BasicData<double>&, int);
template HistoryBuffer<double> sensor_history(const Model&, BasicData<double>&, int);
template void reset_histories(const Model&, BasicData<double>&);
template void record_controls(const Model&, BasicData<double>&);

template class HistoryBuffer<Dual4>;
template HistoryBuffer<Dual4> actuator_history(const Model&, BasicData<Dual4>&, int);
template HistoryBuffer<Dual4> sensor_history(const Model&, BasicData<Dual4>&, int);
template void reset_histories(const Model&, BasicData<Dual4>&);
template void record_controls(const Model&, BasicData<Dual4>&);

}  // namespace sinew
