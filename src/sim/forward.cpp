#include "sim/forward.h"

#include "collision/collide.h"
#include "constraint/assemble.h"
#include "constraint/islands.h"
#include "constraint/reference.h"
#include "constraint/solve.h"
#include "dynamics/acceleration.h"
#include "dynamics/actuation.h"
#include "dynamics/bias.h"
#include "dynamics/camera_light.h"
#include "dynamics/com.h"
#include "dynamics/energy.h"
#include "dynamics/flex.h"
#include "dynamics/flex_metric.h"
#include "dynamics/inertia.h"
#include "dynamics/passive.h"
#include "dynamics/tendon.h"
#include "dynamics/transmission.h"
#include "dynamics/velocity.h"
#include "sensor/sensors.h"
#include "sim/sleep.h"
#include "sim/unchecked.h"

namespace sinew {
namespace {

constexpr NamedStage kPosition[] = {
    {"kinematics", kinematics_and_waking},
    {"com_position", com_position<double>},
    {"camera_and_light_poses", camera_and_light_poses<double>},
    {"flex_positions", flex_positions},
    {"tendon_paths", tendon_paths<double>},
    {"composite_inertia", composite_inertia<double>},
    {"factor_inertia", factor_inertia<double>},
    {"collide", collide_and_waking},
    {"build_constraints", build_constraints},
    {"find_islands", find_islands},
    {"project_constraints", project_constraints},
    {"transmission", transmission<double>},
};

constexpr NamedStage kVelocity[] = {
    {"flex_velocities", flex_velocities},
    {"tendon_velocity", tendon_velocity<double>},
    {"actuator_velocity", actuator_velocity<double>},
    {"com_velocity", com_velocity<double>},
    {"passive_forces", passive_forces<double>},
    {"flex_metric", flex_metric},
    {"constraint_reference", constraint_reference},
    {"bias_forces", bias_forces<double>},
};

constexpr NamedStage kAcceleration[] = {
    {"actuation", actuation<double>},
    {"smooth_acceleration", smooth_acceleration<double>},
    {"solve_constraints", solve_constraints},
};

void run(std::span<const NamedStage> stages, const Model& m, Data& d) {
  for (const NamedStage& stage : stages) stage.run(m, d);
}

}  // namespace

std::span<const NamedStage> position_stages() { return kPosition; }
std::span<const NamedStage> velocity_stages() { return kVelocity; }
std::span<const NamedStage> acceleration_stages() { return kAcceleration; }

void position(const Model& m, Data& d, Waking waking) {
  for (const NamedStage& stage : kPosition) {
    const bool only_collide = waking == Waking::ByUser && stage.run == collide_and_waking;
    (only_collide ? collide : stage.run)(m, d);
  }
  d.energy = {};
  if (m.opt.enabled(kEnableEnergy)) potential_energy(m, d);
}

void velocity(const Model& m, Data& d) {
  run(kVelocity, m, d);
  if (m.opt.enabled(kEnableEnergy)) kinetic_energy(m, d);
}

void acceleration(const Model& m, Data& d) { run(kAcceleration, m, d); }

void unchecked::forward_skip(const Model& m, Data& d, Stage skip, bool skip_sensors) {
  if (skip < Stage::Pos) {
    position(m, d);
    if (!skip_sensors) sensors(m, d, Stage::Pos);
  }
  if (skip < Stage::Vel) {
    velocity(m, d);
    if (!skip_sensors) sensors(m, d, Stage::Vel);
  }
  if (d.callbacks.control && !m.opt.disabled(kDisableActuation)) d.callbacks.control(m, d);
  acceleration(m, d);
  if (!skip_sensors) sensors(m, d, Stage::Acc);
}

void unchecked::forward(const Model& m, Data& d) { unchecked::forward_skip(m, d, Stage::None, false); }

}  // namespace sinew
