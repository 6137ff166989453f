#include <array>

#include "base/arena.h"
#include "dynamics/joint_table.h"
#include "sim/advance.h"
#include "sim/integrator_table.h"
#include "sim/unchecked.h"

// Classical Runge-Kutta: four evaluations, the first of which is the preceding forward pass. The stages move from the
// start with a fraction of the rates of the previous stage; the step uses the weighted mean of all.

namespace sinew {
namespace {

constexpr int kStages = 4;
constexpr std::array<double, kStages> kFraction = {0, 0.5, 0.5, 1};
constexpr std::array<double, kStages> kWeight = {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6};

/// Rates of position, velocity and activation of one stage.
struct Rates {
  double* qvel;
  double* qacc;
  double* act_dot;

  Rates(const Model& m, Scratch& scratch)
      : qvel(scratch.take<double>(m.nv)), qacc(scratch.take<double>(m.nv)), act_dot(scratch.take<double>(m.na)) {}

  /// this = factor · the rates of d, or this += factor · the rates of d.
  void set(const Model& m, double factor, const Data& d) {
    for (int i = 0; i < m.nv; ++i) qvel[i] = factor * d.qvel[i];
    for (int i = 0; i < m.nv; ++i) qacc[i] = factor * d.qacc[i];
    for (int i = 0; i < m.na; ++i) act_dot[i] = factor * d.act_dot[i];
  }
  void add(const Model& m, double factor, const Data& d) {
    for (int i = 0; i < m.nv; ++i) qvel[i] += factor * d.qvel[i];
    for (int i = 0; i < m.nv; ++i) qacc[i] += factor * d.qacc[i];
    for (int i = 0; i < m.na; ++i) act_dot[i] += factor * d.act_dot[i];
  }
};

/// The state at the start of the step, to which every stage returns.
struct Start {
  double time;
  double *qpos, *qvel, *act;

  Start(const Model& m, const Data& d, Scratch& scratch)
      : time(d.time),
        qpos(scratch.take<double>(m.nq)),
        qvel(scratch.take<double>(m.nv)),
        act(scratch.take<double>(m.na)) {
    for (int i = 0; i < m.nq; ++i) qpos[i] = d.qpos[i];
    for (int i = 0; i < m.nv; ++i) qvel[i] = d.qvel[i];
    for (int i = 0; i < m.na; ++i) act[i] = d.act[i];
  }
  void restore(const Model& m, Data& d) const {
    d.time = time;
    for (int i = 0; i < m.nq; ++i) d.qpos[i] = qpos[i];
    for (int i = 0; i < m.nv; ++i) d.qvel[i] = qvel[i];
    for (int i = 0; i < m.na; ++i) d.act[i] = act[i];
  }
};

}  // namespace

void integrate_rk4(const Model& m, Data& d) {
  const double h = m.opt.timestep;
  Scratch scratch(d.scratch());
  const Start start(m, d, scratch);
  Rates move(m, scratch), mean(m, scratch);

  mean.set(m, kWeight[0], d);
  for (int i = 1; i < kStages; ++i) {
    move.set(m, kFraction[i], d);
    start.restore(m, d);
    d.time += kFraction[i] * h;
    integrate_position(m, d.qpos.data(), move.qvel, h);
    for (int k = 0; k < m.nv; ++k) d.qvel[k] += h * move.qacc[k];
    for (int k = 0; k < m.na; ++k) d.act[k] += h * move.act_dot[k];  // stages do not clamp activations: the step does

    unchecked::forward_skip(m, d, Stage::None, true);
    mean.add(m, kWeight[i], d);
  }
  start.restore(m, d);
  advance(m, d, mean.act_dot, mean.qacc, mean.qvel);
}

}  // namespace sinew
