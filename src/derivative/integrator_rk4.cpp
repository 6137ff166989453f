#include <algorithm>
#include <array>

#include "derivative/acceleration.h"
#include "derivative/integrator.h"
#include "derivative/smooth.h"
#include "dynamics/joint_table.h"
#include "sinew/step.h"

// Runge-Kutta: each stage starts at X_i = X_0 ⊕ h c_i F_{i-1}, F = (v, a, act_dot). Its tangent follows from that of
// the stage before; the accelerations of every stage are differentiated with its own active set.

namespace sinew {
namespace {

constexpr int kStages = 4;
constexpr std::array<double, kStages> kFraction = {0, 0.5, 0.5, 1};
constexpr std::array<double, kStages> kWeight = {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6};

/// y += c x
void add(Matrix& y, int first, const Matrix& x, double c) {
  for (int i = 0; i < x.rows(); ++i) add_scaled(y.row(first + i), x.row(i), c, x.stride());
}

/// out = local · (tangent of the stage; identity for the controls).
void chain(const Matrix& local, const Matrix& tangent, Matrix& out) {
  out.reset(local.rows(), local.cols());
  const int states = tangent.rows();
  for (int i = 0; i < local.rows(); ++i) {
    for (int k = 0; k < states; ++k)
      if (local(i, k) != 0) add_scaled(out.row(i), tangent.row(k), local(i, k), out.stride());
    for (int k = states; k < local.cols(); ++k) out(i, k) += local(i, k);
  }
}

struct StageState {
  std::vector<double> qpos, qvel, act;
  double time = 0;

  void take(const Data& d) {
    qpos.assign(d.qpos.begin(), d.qpos.end());
    qvel.assign(d.qvel.begin(), d.qvel.end());
    act.assign(d.act.begin(), d.act.end());
    time = d.time;
  }
  void restore(Data& d) const {
    d.time = time;
    std::ranges::copy(qpos, d.qpos.begin());
    std::ranges::copy(qvel, d.qvel.begin());
    std::ranges::copy(act, d.act.begin());
  }
};

/// Rates of a stage, or their mean, with the columns of the velocity, the acceleration and act_dot.
struct StageRates {
  std::vector<double> qvel, qacc, act_dot;
  Matrix speed, acc, act;

  void clear(int nv, int na, int n) {
    qvel.assign(nv, 0.0);
    qacc.assign(nv, 0.0);
    act_dot.assign(na, 0.0);
    speed.reset(nv, n);
    acc.reset(nv, n);
    act.reset(na, n);
  }
  void add(const StageRates& x, double c) {
    const auto sum = [c](std::vector<double>& y, const std::vector<double>& z) {
      for (std::size_t i = 0; i < y.size(); ++i) y[i] += c * z[i];
    };
    sum(qvel, x.qvel);
    sum(qacc, x.qacc);
    sum(act_dot, x.act_dot);
    sinew::add(speed, 0, x.speed, c);
    sinew::add(acc, 0, x.acc, c);
    sinew::add(act, 0, x.act, c);
  }
};

}  // namespace

struct RungeKuttaColumns {
  StageState start;
  StageRates stage, mean;
  Matrix identity, tangent, length, velocity;
  std::vector<double> speed;

  /// The state of a stage, a fraction c of the step along the rates of the stage before, and its tangent.
  void begin_stage(const Model& m, Data& d, double c) {
    const double h = m.opt.timestep;
    start.restore(d);
    d.time += c * h;
    for (int i = 0; i < m.nv; ++i) speed[i] = c * stage.qvel[i];
    integrate_position(m, d.qpos.data(), static_cast<const double*>(speed.data()), h);
    for (int i = 0; i < m.nv; ++i) d.qvel[i] += h * c * stage.qacc[i];
    for (int i = 0; i < m.na; ++i) d.act[i] += h * c * stage.act_dot[i];
    tangent = identity;
    move_position_columns(m, {speed.data(), stage.speed, 0, c}, h, tangent);
    add(tangent, static_cast<int>(m.nv), stage.acc, c * h);
    add(tangent, static_cast<int>(2 * m.nv), stage.act, c * h);
    forward_skip(m, d, Stage::None, true);
  }

  void take_rates(const Model& m, const Data& d, const DerivativeState& s) {
    const int nv = static_cast<int>(m.nv);
    stage.qvel.assign(d.qvel.begin(), d.qvel.end());
    stage.qacc = s.acc;
    stage.act_dot.assign(d.act_dot.begin(), d.act_dot.end());
    stage.speed.reset(nv, s.columns.count());
    for (int i = 0; i < nv; ++i) std::copy_n(tangent.row(nv + i), s.columns.count(), stage.speed.row(i));
    chain(s.residual, tangent, stage.acc);
    chain(s.act_dot, tangent, stage.act);
  }
};

void RungeKuttaDeleter::operator()(RungeKuttaColumns* columns) const { delete columns; }

void rk4_columns(const Model& m, Data& d, DerivativeState& s, Matrix& next) {
  const double h = m.opt.timestep;
  const int nv = static_cast<int>(m.nv), na = static_cast<int>(m.na), n = s.columns.count();
  if (!s.runge_kutta) s.runge_kutta.reset(new RungeKuttaColumns);
  RungeKuttaColumns& rk = *s.runge_kutta;
  rk.start.take(d);
  rk.speed.resize(nv);
  rk.identity.reset(s.columns.state(), n);
  for (int i = 0; i < s.columns.state(); ++i) rk.identity(i, i) = 1;
  rk.tangent = rk.identity;
  rk.mean.clear(nv, na, n);
  for (int stage = 0; stage < kStages; ++stage) {
    if (stage > 0) rk.begin_stage(m, d, kFraction[stage]);
    differentiate_acceleration(m, d, s);
    rk.take_rates(m, d, s);
    rk.mean.add(rk.stage, kWeight[stage]);
  }
  // activations advance with the mean rate, but with the actuators' lengths and velocities of the last stage
  chain(s.act_length, rk.tangent, rk.length);
  chain(s.act_velocity, rk.tangent, rk.velocity);
  std::swap(s.act_length, rk.length);
  std::swap(s.act_velocity, rk.velocity);
  std::swap(s.act_dot, rk.mean.act);
  rk.start.restore(d);
  std::ranges::copy(rk.mean.act_dot, d.act_dot.begin());
  next.reset(s.columns.state(), n);
  move_position_columns(m, {rk.mean.qvel.data(), rk.mean.speed, 0, 1}, h, next);
  for (int i = 0; i < nv; ++i) {
    next(nv + i, s.columns.v() + i) = 1;
    add_scaled(next.row(nv + i), rk.mean.acc.row(i), h, n);
  }
  next_activations(m, d, s, next, 2 * nv);
}

}  // namespace sinew
