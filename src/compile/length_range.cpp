#include "compile/length_range.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <string>

#include "base/limits.h"
#include "dynamics/inertia.h"
#include "dynamics/reflected.h"
#include "math/elementary.h"
#include "model/equality_kinds.h"
#include "model/transmission_kinds.h"
#include "sim/unchecked.h"

namespace sinew {
namespace {

struct Range {
  double low = 0;
  double high = 0;
};

/// An output of an actuator: length ranges belong to outputs; nearly every actuator has one.
struct Output {
  int actuator;
  int row;
};

bool is_selected(const Model& m, int a) {
  const auto gain = static_cast<GainType>(m.actuator_gaintype[a]);
  const auto bias = static_cast<BiasType>(m.actuator_biastype[a]);
  const bool muscle = gain == GainType::Muscle || bias == BiasType::Muscle;
  const bool user = gain == GainType::User || bias == BiasType::User;
  switch (m.lropt.mode) {
    case LengthRangeMode::None: return false;
    case LengthRangeMode::Muscle: return muscle;
    case LengthRangeMode::MuscleUser: return muscle || user;
    case LengthRangeMode::All: break;
  }
  return true;
}

/// The limit of the joint or tendon that the actuator drives, as stored in the model: gears do not scale it.
std::optional<Range> limit_of_target(const Model& m, int a) {
  const int target = m.actuator_trnid[2 * a];
  if (!transmission_kind(m, a).follows_target) return {};
  const bool tendon = drives_tendon(m, a);
  if (!(tendon ? m.tendon_limited : m.jnt_limited)[target]) return {};
  const double* range = &(tendon ? m.tendon_range : m.jnt_range)[2 * target];
  return Range{range[0], range[1]};
}

double length_of(std::span<const double> v) {
  double sum = 0;
  for (double x : v) sum += x * x;
  return std::sqrt(sum);
}

/// qfrc_applied along the moment of an output, scaled to accelerate the model by lropt.accel.
void pull(const Model& m, Data& d, int row, double direction) {
  const std::span<double> force = d.qfrc_applied;
  const int adr = d.moment_rowadr[row], end = adr + d.moment_rownnz[row];
  std::fill(force.begin(), force.end(), 0.0);
  for (int k = adr; k < end; ++k) force[d.moment_colind[k]] = d.actuator_moment[k];
  solve_inertia(m, d, force.data());
  const double scale = direction * m.lropt.accel / std::max(kMinVal, length_of(force));

  std::fill(force.begin(), force.end(), 0.0);
  for (int k = adr; k < end; ++k) force[d.moment_colind[k]] = d.actuator_moment[k] * scale;
  const double size = length_of(force);
  if (m.lropt.maxforce > 0 && size > m.lropt.maxforce)
    for (double& f : force) f *= m.lropt.maxforce / size;
}

bool is_unstable(const Data& d) {
  for (Warning w : {Warning::BadQpos, Warning::BadQvel, Warning::BadQacc})
    if (d.warning[static_cast<int>(w)].number > 0) return true;
  return false;
}

/// Pulls one output to an end and returns its lengths during the last interval; nothing if the simulation diverges.
/// Time is accumulated as in a step, which determines the number of steps.
std::optional<Range> pull_to_end(const Model& m, Data& d, int row, double direction, Budget* budget) {
  const double decay = elementary::exp(-m.opt.timestep / std::max(0.01, m.lropt.timeconst));
  Range range{std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()};
  unchecked::reset(m, d);
  while (d.time < m.lropt.inttotal) {
    if (budget) budget->go_on();
    for (double& v : d.qvel) v *= decay;
    unchecked::step1(m, d);
    pull(m, d, row, direction);
    unchecked::step2(m, d);
    if (is_unstable(d)) return {};
    if (d.time <= m.lropt.inttotal - m.lropt.interval) continue;
    range = {std::min(range.low, d.actuator_length[row]), std::max(range.high, d.actuator_length[row])};
  }
  return range;
}

/// Tendons whose length does not affect the motion: with springs, dampers, dry friction and actuators disabled, those
/// without limit, armature and equality. While one output is pulled, the paths of all others are left empty.
class IdleTendons {
 public:
  explicit IdleTendons(Model& m) : m_(m), num_(m.tendon_num), idle_(num_.size()) {
    constexpr int kForces = kDisableSpring | kDisableDamper | kDisableFrictionloss | kDisableActuation;
    if ((m.opt.disableflags & kForces) != kForces) return;
    for (int t = 0; t < m.ntendon; ++t) idle_[t] = !m.tendon_limited[t] && total_tendon_armature(m, t) == 0;
    for (int e = 0; e < m.neq; ++e) {
      if (equality_kind(m, e).objects != EqualityObjects::Tendons) continue;
      for (const int t : {m.eq_obj1id[e], m.eq_obj2id[e]})
        if (t >= 0) idle_[t] = false;
    }
  }
  ~IdleTendons() { m_.tendon_num = num_; }
  IdleTendons(const IdleTendons&) = delete;
  IdleTendons& operator=(const IdleTendons&) = delete;

  /// Called before the outputs of this actuator are pulled.
  void follow_only(int actuator) {
    for (std::size_t t = 0; t < num_.size(); ++t) m_.tendon_num[t] = idle_[t] ? 0 : num_[t];
    if (!drives_tendon(m_, actuator)) return;
    const auto target = static_cast<std::size_t>(m_.actuator_trnid[2 * actuator]);
    m_.tendon_num[target] = num_[target];
  }

 private:
  Model& m_;
  const std::vector<int> num_;
  std::vector<bool> idle_;
};

Problem refusal(const Model& m, int actuator, std::string message) {
  Problem p;
  p.element = "actuator";
  p.name = std::string(m.name(ObjType::Actuator, actuator));
  p.attribute = "lengthrange";
  p.message = std::move(message);
  p.hint = "write lengthrange on the actuator, or set its options with <compiler><lengthrange …/>";
  return p;
}

/// Finds the range of one output by simulation; a problem if it does not settle.
std::optional<Problem> simulate(const Model& m, Data& d, const Output& output, Range& result, Budget* budget) {
  Range end[2];
  for (int side = 0; side < 2; ++side) {
    const std::optional<Range> lengths = pull_to_end(m, d, output.row, side == 0 ? -1 : 1, budget);
    if (!lengths) return refusal(m, output.actuator, "the simulation that pulls the actuator to its limits diverges");
    end[side] = *lengths;
  }
  result = {end[0].low, end[1].high};
  const double span = result.high - result.low;
  if (!(span > 0))
    return refusal(m, output.actuator,
                   fmt::format("the length does not change: range ({:g}, {:g})", result.low, result.high));
  for (const Range& e : end)
    if (e.high - e.low > m.lropt.tolrange * span)
      return refusal(m, output.actuator,
                     fmt::format("the simulation that pulls the actuator to its limits does not settle: "
                                 "lengths ({:g}, {:g}) at the end, range ({:g}, {:g})",
                                 e.low, e.high, result.low, result.high));
  return {};
}

/// Whether the range of an output is found by simulation: it is neither kept nor taken from a limit.
bool needs_simulation(const Model& m, const Output& output) {
  const double* given = &m.actuator_lengthrange[2 * output.row];
  if (m.lropt.useexisting && given[0] < given[1]) return false;
  return !m.lropt.uselimit || !limit_of_target(m, output.actuator);
}

template <class Visit>
void for_each_output(const Model& m, Visit&& visit) {
  for (int a = 0; a < m.nactuator; ++a) {
    if (!is_selected(m, a)) continue;
    for (int row = m.actuator_outadr[a]; row < m.actuator_outadr[a] + m.actuator_outnum[a]; ++row)
      visit(Output{a, row});
  }
}

/// A problem if the options require more steps than allowed while loading.
std::optional<Problem> check_work(const Model& m) {
  double outputs = 0;
  for_each_output(m, [&](const Output& output) { outputs += needs_simulation(m, output); });
  if (outputs == 0) return {};
  const double steps_of_end = std::ceil(m.lropt.inttotal / m.opt.timestep);
  const double steps = 2 * outputs * steps_of_end;
  const double numbers = static_cast<double>(m.nbody + m.ngeom + m.nsite + m.nv + m.nC + m.nJmom);
  const double most = std::min(limits::kLengthRangeSteps, limits::kLengthRangeWork / numbers);
  if (!(steps > most)) return {};  // an inttotal of NaN means no steps
  const LengthRangeOptions usual;
  Problem p;
  p.element = "lengthrange";
  p.attribute = m.lropt.inttotal <= usual.inttotal && m.opt.timestep < usual.timestep ? "timestep" : "inttotal";
  p.message = fmt::format(
      "{:g} s in steps of {:g} s takes {:.3g} steps to pull {} actuator{} to both limits; at most {:.3g} are allowed "
      "for a model of this size",
      m.lropt.inttotal, m.opt.timestep, steps, outputs, outputs == 1 ? "" : "s", most);
  p.hint = "reduce inttotal, increase timestep, or write lengthrange on the actuators";
  return p;
}

}  // namespace

std::vector<Problem> compute_length_ranges(Model& m, Budget* budget) {
  if (std::optional<Problem> problem = check_work(m)) return {*problem};
  std::vector<Problem> problems;
  std::vector<double> ranges = m.actuator_lengthrange;
  std::optional<Data> d;
  IdleTendons tendons(m);
  for_each_output(m, [&](const Output& output) {
    Range range{ranges[2 * output.row], ranges[2 * output.row + 1]};
    if (m.lropt.useexisting && range.low < range.high) return;
    if (!needs_simulation(m, output)) {
      range = *limit_of_target(m, output.actuator);
    } else {
      if (!d) d.emplace(m, Blank{});
      tendons.follow_only(output.actuator);
      if (std::optional<Problem> problem = simulate(m, *d, output, range, budget)) problems.push_back(*problem);
    }
    ranges[2 * output.row] = range.low;
    ranges[2 * output.row + 1] = range.high;
  });
  if (problems.empty()) m.actuator_lengthrange = std::move(ranges);
  return problems;
}

std::vector<Problem> compute_length_ranges_at_compile(Model& m, Budget* budget) {
  const double timestep = m.opt.timestep;
  const int disableflags = m.opt.disableflags;
  if (m.lropt.timestep > 0) m.opt.timestep = m.lropt.timestep;
  m.opt.disableflags = kDisableFrictionloss | kDisableContact | kDisableSpring | kDisableDamper | kDisableGravity |
                       kDisableActuation | kDisableSensor;
  std::vector<Problem> problems = compute_length_ranges(m, budget);
  m.opt.timestep = timestep;
  m.opt.disableflags = disableflags;
  return problems;
}

}  // namespace sinew
