#include "derivative/sensor.h"

#include <algorithm>

#include "constraint/reference.h"
#include "derivative/constraint.h"
#include "derivative/moved_world.h"
#include "dynamics/acceleration.h"
#include "dynamics/actuation.h"
#include "dynamics/bias.h"
#include "dynamics/energy.h"
#include "dynamics/passive.h"
#include "dynamics/velocity.h"
#include "sensor/sensors.h"

namespace sinew {
namespace {

constexpr double kStep = 1e-6;

/// Evaluates the sensors after a small move along one column.
class MovedSensors {
 public:
  MovedSensors(const Model& m, const Data& d, const DerivativeState& s, const SensorInputs& in, Data& world)
      : m_(m), d_(d), columns_(s.columns), in_(in), x_(world), moved_(m, d, s.constraints->contact_rates(), world) {}

  void evaluate(int column, double eps) {
    perturb(column, eps);
    actuation(m_, x_);
    smooth_acceleration(m_, x_);
    accelerate(column, eps);
  }

  /// Columns: position, velocity, acceleration.
  void evaluate_inverse(int column, double eps) {
    if (column < 2 * m_.nv) {
      perturb(column, eps);
    } else {
      x_ = d_;
    }
    accelerate(column, eps);
  }

 private:
  void perturb(int column, double eps) {
    if (column < columns_.v()) {
      moved_.move(column, eps);
      if (m_.opt.enabled(kEnableEnergy)) potential_energy(m_, x_);
    } else {
      x_ = d_;
      if (column < columns_.act()) {
        x_.qvel[column - columns_.v()] += eps;
      } else if (column < columns_.ctrl()) {
        x_.act[column - columns_.act()] += eps;
      } else {
        x_.ctrl[column - columns_.ctrl()] += eps;
      }
    }
    sensors(m_, x_, Stage::Pos);
    if (column < columns_.act()) velocity();
    sensors(m_, x_, Stage::Vel);
  }

  void velocity() {
    tendon_velocity(m_, x_);
    actuator_velocity(m_, x_);
    com_velocity(m_, x_);
    passive_forces(m_, x_);
    if (d_.nefc > 0) constraint_reference(m_, x_);
    bias_forces(m_, x_);
    if (m_.opt.enabled(kEnableEnergy)) kinetic_energy(m_, x_);
  }

  void accelerate(int column, double eps) {
    for (int i = 0; i < m_.nv; ++i) x_.qacc[i] = in_.acc[i] + eps * in_.da(i, column);
    for (int r = 0; r < d_.nefc; ++r) x_.efc_force[r] = d_.efc_force[r] + eps * in_.df(r, column);
    sensors(m_, x_, Stage::Acc);
  }

  const Model& m_;
  const Data& d_;
  const ColumnLayout& columns_;
  const SensorInputs& in_;
  Data& x_;
  MovedWorld moved_;
};

/// Columns 0 … count - 1 of out by centered differences.
template <class Evaluate>
void difference_sensors(const Model& m, int count, double step, SensorShadow& shadow, Evaluate&& evaluate,
                        Matrix& out) {
  const int n = static_cast<int>(m.nsensordata);
  out.reset(n, count);
  for (int k = 0; k < count; ++k) {
    evaluate(k, step);
    shadow.plus.assign(shadow.world.sensordata.begin(), shadow.world.sensordata.end());
    evaluate(k, -step);
    for (int i = 0; i < n; ++i) out(i, k) = (shadow.plus[i] - shadow.world.sensordata[i]) / (2 * step);
  }
}

}  // namespace

void sensor_columns(const Model& m, const Data& d, const DerivativeState& s, const SensorInputs& in,
                    SensorShadow& shadow, Matrix& out) {
  MovedSensors moved(m, d, s, in, shadow.world);
  const auto evaluate = [&](int k, double eps) { moved.evaluate(k, eps); };
  difference_sensors(m, s.columns.count(), kStep, shadow, evaluate, out);
}

void inverse_sensor_columns(const Model& m, const Data& d, const DerivativeState& s, const SensorInputs& in,
                            Matrix& out) {
  SensorShadow shadow(m);
  MovedSensors moved(m, d, s, in, shadow.world);
  const auto evaluate = [&](int k, double eps) { moved.evaluate_inverse(k, eps); };
  // at fixed acceleration forces change so fast that the third derivative matters: extrapolated
  Matrix coarse;
  difference_sensors(m, 3 * s.columns.nv, 2 * kStep, shadow, evaluate, coarse);
  difference_sensors(m, 3 * s.columns.nv, kStep, shadow, evaluate, out);
  for (int i = 0; i < out.rows(); ++i)
    for (int k = 0; k < out.cols(); ++k) out(i, k) += (out(i, k) - coarse(i, k)) / 3;
}

}  // namespace sinew
