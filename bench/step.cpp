// bench_step MODELS: time of every stage of the step along a trajectory, against the peer's function for the same work.
// Both start from the first keyframe, or else from the initial state. A stage without a counterpart is counted with the
// stage in which the peer does its work.

#include <fmt/core.h>
#include <mujoco/mujoco.h>

#include <chrono>
#include <map>
#include <string_view>

#include "sensor/sensors.h"
#include "sim/checks.h"
#include "sim/forward.h"
#include "sim/integrator_table.h"
#include "sinew/load.h"
#include "timing.h"

extern "C" void mj_implicit(const mjModel*, mjData*);  // exported, but 2.2.2 does not declare it

namespace {

constexpr int kSteps = 250;  // of one timed run
constexpr int kRuns = 40;

using Clock = std::chrono::steady_clock;
using Times = std::map<std::string_view, double>;  // microseconds of one step, by stage

double microseconds(Clock::duration t) { return std::chrono::duration<double, std::micro>(t).count(); }

/// The cost of reading the clock, which is part of every measured interval.
double clock_cost() {
  std::vector<double> costs;
  for (int i = 0; i < 1001; ++i) {
    const auto start = Clock::now();
    costs.push_back(microseconds(Clock::now() - start));
  }
  return bench::median(costs);
}

template <class Work>
void time_stage(Times& times, std::string_view name, Work&& work) {
  const auto start = Clock::now();
  work();
  times[name] += microseconds(Clock::now() - start) / kSteps;
}

/// The row of the table to which one of our stages belongs.
std::string_view row_of(std::string_view stage) {
  if (stage == "find_islands") return "build_constraints";
  if (stage == "actuator_velocity") return "tendon_velocity";
  return stage;
}

Times our_times(const sinew::Model& m, sinew::Data& d) {
  Times times;
  if (m.nkey > 0) {
    sinew::reset_to_keyframe(m, d, 0);
  } else {
    sinew::reset(m, d);
  }
  for (int i = 0; i < kSteps; ++i) {
    time_stage(times, "checks", [&] {
      sinew::check_positions(m, d);
      sinew::check_velocities(m, d);
    });
    for (const auto& stage : sinew::position_stages()) time_stage(times, row_of(stage.name), [&] { stage.run(m, d); });
    time_stage(times, "sensors", [&] { sinew::sensors(m, d, sinew::Stage::Pos); });
    for (const auto& stage : sinew::velocity_stages()) time_stage(times, row_of(stage.name), [&] { stage.run(m, d); });
    time_stage(times, "sensors", [&] { sinew::sensors(m, d, sinew::Stage::Vel); });
    for (const auto& stage : sinew::acceleration_stages())
      time_stage(times, row_of(stage.name), [&] { stage.run(m, d); });
    time_stage(times, "sensors", [&] { sinew::sensors(m, d, sinew::Stage::Acc); });
    time_stage(times, "checks", [&] { sinew::check_accelerations(m, d); });
    time_stage(times, "integrate", [&] { sinew::integrator(m.opt.integrator).integrate(m, d); });
  }
  return times;
}

struct PeerStage {
  std::string_view row;
  void (*run)(const mjModel*, mjData*);
};

void peer_velocities(const mjModel* m, mjData* d) {
  mju_mulMatVec(d->ten_velocity, d->ten_J, d->qvel, m->ntendon, m->nv);
  mju_mulMatVec(d->actuator_velocity, d->actuator_moment, d->qvel, m->nu, m->nv);
}

void peer_integrate(const mjModel* m, mjData* d) {
  switch (m->opt.integrator) {
    case mjINT_RK4: return mj_RungeKutta(m, d, 4);
    case mjINT_IMPLICIT: return mj_implicit(m, d);
    default: return mj_Euler(m, d);
  }
}

constexpr PeerStage kPeerStages[] = {
    {"checks", mj_checkPos},
    {"checks", mj_checkVel},
    {"kinematics", mj_kinematics},
    {"com_position", mj_comPos},
    {"camera_and_light_poses", mj_camlight},
    {"tendon_paths", mj_tendon},
    {"composite_inertia", mj_crb},
    {"factor_inertia", mj_factorM},
    {"collide", mj_collision},
    {"build_constraints", mj_makeConstraint},
    {"project_constraints", mj_projectConstraint},
    {"transmission", mj_transmission},
    {"sensors", mj_sensorPos},
    {"tendon_velocity", peer_velocities},
    {"com_velocity", mj_comVel},
    {"passive_forces", mj_passive},
    {"constraint_reference", mj_referenceConstraint},
    {"bias_forces", [](const mjModel* m, mjData* d) { mj_rne(m, d, 0, d->qfrc_bias); }},
    {"sensors", mj_sensorVel},
    {"actuation", mj_fwdActuation},
    {"smooth_acceleration", mj_fwdAcceleration},
    {"solve_constraints", mj_fwdConstraint},
    {"sensors", mj_sensorAcc},
    {"checks", mj_checkAcc},
    {"integrate", peer_integrate},
};

Times peer_times(const mjModel* m, mjData* d) {
  Times times;
  if (m->nkey > 0) {
    mj_resetDataKeyframe(m, d, 0);
  } else {
    mj_resetData(m, d);
  }
  for (int i = 0; i < kSteps; ++i)
    for (const PeerStage& stage : kPeerStages) time_stage(times, stage.row, [&] { stage.run(m, d); });
  return times;
}

/// The number of timed intervals summed in a row.
int intervals(std::string_view row, bool ours) {
  int n = 0;
  if (ours) {
    for (const auto& list : {sinew::position_stages(), sinew::velocity_stages(), sinew::acceleration_stages()})
      for (const auto& stage : list) n += row_of(stage.name) == row;
    return row == "sensors" ? 3 : row == "checks" ? 2 : std::max(n, 1);
  }
  for (const PeerStage& stage : kPeerStages) n += stage.row == row;
  return n;
}

void compare(const std::string& file, const std::string& name) {
  const auto model = sinew::load(file);
  char error[1000] = "";
  mjModel* peer = mj_loadXML(file.c_str(), nullptr, error, sizeof error);
  if (!model || !peer) return;
  mjData* peer_data = mj_makeData(peer);
  sinew::Data data(*model);
  std::map<std::string_view, std::pair<std::vector<double>, std::vector<double>>> runs;
  for (int i = 0; i < kRuns; ++i) {
    for (const auto& [row, t] : our_times(*model, data)) runs[row].first.push_back(t);
    for (const auto& [row, t] : peer_times(peer, peer_data)) runs[row].second.push_back(t);
  }
  const double tick = clock_cost();
  fmt::print("\n{:26}{:>10}{:>10}{:>8}\n", name, "sinew", "peer", "ratio");
  double ours_sum = 0, peers_sum = 0;
  const auto print = [](std::string_view row, double ours, double peers) {
    fmt::print("{:26}{:10.3f}{:10.3f}{:8.2f}\n", row, ours, peers, peers / ours);
  };
  for (const PeerStage& stage : kPeerStages) {
    auto found = runs.find(stage.row);
    if (found == runs.end()) continue;
    const double ours = std::max(0.001, std::ranges::min(found->second.first) - tick * intervals(stage.row, true));
    const double peers = std::max(0.001, std::ranges::min(found->second.second) - tick * intervals(stage.row, false));
    ours_sum += ours;
    peers_sum += peers;
    print(stage.row, ours, peers);
    runs.erase(found);
  }
  print("sum", ours_sum, peers_sum);
  mj_deleteData(peer_data);
  mj_deleteModel(peer);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    fmt::print(stderr, "usage: bench_step MODELS\n");
    return 2;
  }
  fmt::print("stages: microseconds per step, best of {} runs; the peer is MuJoCo {}\n", kRuns, mj_versionString());
  for (const auto& path : bench::models_in(argv[1])) compare(path.string(), path.stem().string());
}
