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
  double time;

  explicit StageState(const Data& d)
      : qpos(d.qpos.begin(), d.qpos.end()),
        qvel(d.qvel.begin(), d.qvel.end()),
        act(d.act.begin(), d.act.end()),
        time(d.time) {}
  void restore(Data& d) const {
    d.time = time;
    std::ranges::copy(qpos, d.qpos.begin());
    std::ranges::copy(qvel, d.qvel.begin());
    std::ranges::copy(act, d.act.begin());
  }
};

/// Rates of one stage, and their tangents by row: position (the velocity), velocity, activation.
struct StageRates {
  std::vector<double> qvel, qacc, act_dot;
  Matrix speed, acc, act;
};

}  // namespace

void rk4_columns(const Model& m, Data& d, DerivativeState& s, Matrix& next) {
  const double h = m.opt.timestep;
  const int nv = static_cast<int>(m.nv), na = static_cast<int>(m.na), n = s.columns.count();
  const StageState start(d);
  Matrix identity, tangent;
  identity.reset(s.columns.state(), n);
  for (int i = 0; i < s.columns.state(); ++i) identity(i, i) = 1;
  tangent = identity;
  StageRates rates;
  std::vector<double> mean_speed(nv, 0.0), mean_act(na, 0.0), step(nv);
  Matrix mean_qvel, mean_qacc, mean_act_dot;
  mean_qvel.reset(nv, n);
  mean_qacc.reset(nv, n);
  mean_act_dot.reset(na, n);
  for (int stage = 0; stage < kStages; ++stage) {
    if (stage > 0) {
      const double c = kFraction[stage];
      start.restore(d);
      d.time += c * h;
      for (int i = 0; i < nv; ++i) step[i] = c * rates.qvel[i];
      integrate_position(m, d.qpos.data(), step.data(), h);
      for (int i = 0; i < nv; ++i) d.qvel[i] += h * c * rates.qacc[i];
      for (int i = 0; i < na; ++i) d.act[i] += h * c * rates.act_dot[i];
      tangent = identity;
      move_position_columns(m, {step.data(), rates.speed, 0, c}, h, tangent);
      add(tangent, nv, rates.acc, c * h);
      add(tangent, 2 * nv, rates.act, c * h);
      forward_skip(m, d, Stage::None, true);
    }
    differentiate_acceleration(m, d, s);
    rates.qvel.assign(d.qvel.begin(), d.qvel.end());
    rates.qacc = s.acc;
    rates.act_dot.assign(d.act_dot.begin(), d.act_dot.end());
    rates.speed.reset(nv, n);
    for (int i = 0; i < nv; ++i) std::copy_n(tangent.row(nv + i), n, rates.speed.row(i));
    chain(s.residual, tangent, rates.acc);
    chain(s.act_dot, tangent, rates.act);
    add(mean_qvel, 0, rates.speed, kWeight[stage]);
    add(mean_qacc, 0, rates.acc, kWeight[stage]);
    add(mean_act_dot, 0, rates.act, kWeight[stage]);
    for (int i = 0; i < nv; ++i) mean_speed[i] += kWeight[stage] * rates.qvel[i];
    for (int i = 0; i < na; ++i) mean_act[i] += kWeight[stage] * rates.act_dot[i];
  }
  // activations advance with the mean rate, but with the actuators' lengths and velocities of the last stage
  Matrix length, velocity;
  chain(s.act_length, tangent, length);
  chain(s.act_velocity, tangent, velocity);
  std::swap(s.act_length, length);
  std::swap(s.act_velocity, velocity);
  std::swap(s.act_dot, mean_act_dot);
  start.restore(d);
  std::ranges::copy(mean_act, d.act_dot.begin());
  next.reset(s.columns.state(), n);
  move_position_columns(m, {mean_speed.data(), mean_qvel, 0, 1}, h, next);
  for (int i = 0; i < nv; ++i) {
    next(nv + i, s.columns.v() + i) = 1;
    add_scaled(next.row(nv + i), mean_qacc.row(i), h, n);
  }
  next_activations(m, d, s, next, 2 * nv);
}

}  // namespace sinew
