#include "derivative/transition_fd.h"

#include <algorithm>
#include <memory>

#include "base/pool.h"
#include "derivative/kept_factor.h"
#include "derivative/perturb.h"
#include "sensor/sensors.h"
#include "sim/integrator_table.h"
#include "sim/ready.h"
#include "sinew/derivatives.h"
#include "sinew/error.h"
#include "sinew/state.h"
#include "sinew/step.h"

// Finite differences of a step. A column of A, B, C, D comes from one or two steps of a perturbed world. Columns are
// ordered control, activation, velocity, position, and every worker processes them in this order: results of a level
// from the unperturbed step stay valid in its world until a column perturbs that level.

namespace sinew {
namespace {

enum class Argument { Control, Activation, Velocity, Position };

struct Column {
  Argument argument;
  int index;
};

Column column_of(const Model& m, int k) {
  if (k < m.nu) return {Argument::Control, k};
  k -= int(m.nu);
  if (k < m.na) return {Argument::Activation, k};
  k -= int(m.na);
  return k < m.nv ? Column{Argument::Velocity, k} : Column{Argument::Position, k - int(m.nv)};
}

/// Result of a step: the next state and the sensor values.
struct Outcome {
  std::vector<double> qpos, qvel, act, sensordata;

  void take(const Data& d) {
    qpos.assign(d.qpos.begin(), d.qpos.end());
    qvel.assign(d.qvel.begin(), d.qvel.end());
    act.assign(d.act.begin(), d.act.end());
    sensordata.assign(d.sensordata.begin(), d.sensordata.end());
  }
};

class StepDifferences {
 public:
  StepDifferences(const Model& m, const Data& start, const TransitionOptions& options)
      : m_(m), start_(start), options_(options), center_world_(start) {
    step(center_world_, Stage::None, false);
    center_.take(center_world_);
    copy_state(m_, start_, center_world_, kStateIntegration);
  }

  /// A world in which the stages of the unperturbed step are evaluated.
  const Data& center_world() const { return center_world_; }

  /// The derivative by one argument, through steps of `world`, which belongs to the calling worker.
  void column(Data& world, Column c, Transition& out) const {
    const Nudges nudge = nudges(c);
    Outcome plus, minus;
    if (nudge.forward) plus = perturbed(world, c, options_.eps);
    if (nudge.backward) minus = perturbed(world, c, -options_.eps);
    if (nudge.forward && nudge.backward) {
      store(c, minus, plus, 2 * options_.eps, out);
    } else if (nudge.forward) {
      store(c, center_, plus, options_.eps, out);
    } else if (nudge.backward) {
      store(c, minus, center_, options_.eps, out);
    }
  }

 private:
  Nudges nudges(Column c) const {
    return c.argument == Argument::Control ? control_nudges(m_, start_, c.index, options_)
                                           : Nudges{true, options_.centered};
  }

  Outcome perturbed(Data& world, Column c, double amount) const {
    switch (c.argument) {
      case Argument::Control: world.ctrl[c.index] += amount; break;
      case Argument::Activation: world.act[c.index] += amount; break;
      case Argument::Velocity: world.qvel[c.index] += amount; break;
      case Argument::Position: perturb_position(m_, world, c.index, amount); break;
    }
    step(world, unchanged_by(c.argument), keeps_factor(c.argument));
    Outcome outcome;
    outcome.take(world);
    if (keeps_levels()) {
      copy_state(m_, start_, world, kStateIntegration);
    } else {
      world = start_;
    }
    return outcome;
  }

  /// The levels of a world keep their unperturbed results unless something evaluates them at another state: RK4 does at
  /// its stages, and trees that fall asleep or wake change theirs.
  bool keeps_levels() const {
    return m_.opt.integrator != static_cast<int>(Integrator::RK4) && !m_.opt.enabled(kEnableSleep);
  }

  /// The levels that do not depend on an argument. A user callback for passive forces may depend on anything.
  Stage unchanged_by(Argument argument) const {
    if (!keeps_levels() || argument == Argument::Position) return Stage::None;
    return argument == Argument::Velocity || start_.callbacks.passive ? Stage::Pos : Stage::Vel;
  }

  /// MuJoCo factors its integrator's matrix again only for arguments on which it depends.
  bool keeps_factor(Argument argument) const {
    if (!options_.compatible || !keeps_levels() || argument == Argument::Position) return false;
    return argument != Argument::Velocity || m_.opt.integrator == static_cast<int>(Integrator::Euler);
  }

  void step(Data& d, Stage skip, bool kept_factor) const {
    if (options_.sensors && !options_.compatible) {
      // sensors of a skipped level are still evaluated: kinetic energy belongs to the position level
      if (skip >= Stage::Pos) sensors(m_, d, Stage::Pos);
      if (skip >= Stage::Vel) sensors(m_, d, Stage::Vel);
    }
    forward_skip(m_, d, skip, !options_.sensors);
    if (kept_factor) {
      integrate_with_kept_factor(m_, d);
    } else {
      integrator(m_.opt.integrator).integrate(m_, d);
    }
  }

  /// Column c := (to - from) / h.
  void store(Column c, const Outcome& from, const Outcome& to, double h, Transition& out) const {
    const int nv = int(m_.nv), na = int(m_.na);
    const bool control = c.argument == Argument::Control;
    std::vector<double>& state = control ? out.B : out.A;
    std::vector<double>& sensed = control ? out.D : out.C;
    const int stride = control ? out.nu : out.ndx;
    const int at = c.argument == Argument::Velocity     ? nv + c.index
                   : c.argument == Argument::Activation ? 2 * nv + c.index
                                                        : c.index;
    std::vector<double> dq(static_cast<std::size_t>(nv));
    difference_position(m_, dq.data(), h, from.qpos.data(), to.qpos.data());
    const auto put = [&](std::vector<double>& matrix, int row, double x) {
      matrix[static_cast<std::size_t>(row) * stride + at] = x;
    };
    for (int i = 0; i < nv; ++i) put(state, i, dq[i]);
    for (int i = 0; i < nv; ++i) put(state, nv + i, (to.qvel[i] - from.qvel[i]) / h);
    for (int i = 0; i < na; ++i) put(state, 2 * nv + i, (to.act[i] - from.act[i]) / h);
    for (int i = 0; i < out.nsensordata; ++i) put(sensed, i, (to.sensordata[i] - from.sensordata[i]) / h);
  }

  const Model& m_;
  const Data& start_;
  const TransitionOptions& options_;
  Data center_world_;
  Outcome center_;
};

/// All columns starting at `first`, in the order of column_of.
void difference_columns(const Model& m, const Data& d, const TransitionOptions& options, int first, Transition& out) {
  if (m.nhistory > 0)
    throw Exception(
        Error::message("transition_fd: the model has delay buffers of actuators or sensors, whose contents "
                       "are not part of the differentiated state"));
  const StepDifferences differences(m, d, options);
  const int columns = int(m.nu + m.na + 2 * m.nv) - first;
  const int threads = std::clamp(options.threads, 1, std::max(columns, 1));
  std::vector<std::unique_ptr<Data>> worlds(static_cast<std::size_t>(threads));
  for_each_index(columns, threads, [&](int thread, int k) {
    std::unique_ptr<Data>& world = worlds[static_cast<std::size_t>(thread)];
    if (!world) world = std::make_unique<Data>(differences.center_world());
    differences.column(*world, column_of(m, first + k), out);
  });
}

}  // namespace

void Transition::resize(const Model& m, bool sensors) {
  ndx = int(2 * m.nv + m.na);
  nu = int(m.nu);
  nsensordata = sensors ? int(m.nsensordata) : 0;
  const auto zeros = [](std::vector<double>& matrix, int rows, int cols) {
    matrix.assign(static_cast<std::size_t>(rows) * static_cast<std::size_t>(cols), 0.0);
  };
  zeros(A, ndx, ndx);
  zeros(B, ndx, nu);
  zeros(C, nsensordata, ndx);
  zeros(D, nsensordata, nu);
}

Nudges control_nudges(const Model& m, const Data& d, int control, const TransitionOptions& options) {
  if (!m.actuator_ctrllimited[control] || m.opt.disabled(kDisableClampctrl)) return {true, options.centered};
  const double u = d.ctrl[control], *range = &m.actuator_ctrlrange[2 * control];
  const auto inside = [&](double x) { return x >= range[0] && x <= range[1]; };
  const bool forward = inside(u) && inside(u + options.eps);
  return {forward, (options.centered || !forward) && inside(u) && inside(u - options.eps)};
}

void transition_fd(const Model& m, const Data& d, const TransitionOptions& options, Transition& out) {
  require_ready(m, d);
  out.resize(m, options.sensors);
  difference_columns(m, d, options, 0, out);
}

void difference_positions(const Model& m, const Data& d, const TransitionOptions& options, Transition& out) {
  difference_columns(m, d, options, int(m.nu + m.na + m.nv), out);
}

}  // namespace sinew
