#include <cmath>
#include <cstdio>

#include "optimize.h"

// Three trajectories, found by iLQR: an underactuated pendulum swings up, an arm reaches for a point, and a hopper
// jumps off the ground. Prints its progress; the exit code is 0 if all of them reach their targets.

namespace {

using examples::Ilqr;
using examples::Residual;
using examples::Task;
using examples::Vector;
using sinew::Data;
using sinew::Model;

/// Weighted distance of one state component from its target. index: i for qpos[i], nv + i for qvel[i], in models whose
/// joints are all scalar.
void aim(Residual& residual, const Model& m, const Data& d, int row, int index, double target, double weight) {
  const double now = index < m.nv ? d.qpos[index] : d.qvel[index - m.nv];
  residual.r[row] = weight * (now - target);
  residual.J(row, index) = weight;
}

/// The gravity torque is up to 5.4 N m, the motor has 2: it has to swing back and forth first.
Task pendulum() {
  static constexpr double kUp = 3.14159265358979323846;
  Task task;
  task.name = "pendulum swing-up";
  task.mjcf = R"(<mujoco><option timestep=".02"/><worldbody>
    <body><joint name="hinge" axis="0 1 0" damping=".02"/>
      <geom type="capsule" fromto="0 0 0 0 0 -.5" size=".03" mass=".2"/>
      <geom size=".06" pos="0 0 -.5" mass="1"/></body></worldbody>
    <actuator><motor joint="hinge" ctrlrange="-2 2"/></actuator></mujoco>)";
  task.horizon = 200;
  task.control_weight = 0.01;
  task.residual = [](const Model& m, const Data& d, bool last) {
    Residual residual(2, 2);
    aim(residual, m, d, 0, 0, kUp, last ? 20 : 0.05);
    aim(residual, m, d, 1, 1, 0, last ? 5 : 0);
    return residual;
  };
  task.guess = [](int step, Vector& u) { u[0] = 0.5 * std::sin(0.06 * step); };
  task.miss = [](const Model&, const Data& d) { return std::abs(d.qpos[0] - kUp) + std::abs(d.qvel[0]); };
  task.tolerance = 0.02;
  return task;
}

/// Four joints against gravity; the hand has to be at rest at a point behind the shoulder.
Task arm() {
  static constexpr double kTarget[3] = {-0.35, 0.3, 0.45};
  Task task;
  task.name = "arm reach";
  task.mjcf = R"(<mujoco><option timestep=".01"/><default><joint damping=".1" armature=".01"/>
    <geom type="capsule" size=".03" contype="0" conaffinity="0"/></default><worldbody>
    <body><joint name="turn" axis="0 0 1"/><joint name="lift" axis="0 1 0"/><geom fromto="0 0 0 .4 0 0"/>
      <body pos=".4 0 0"><joint name="elbow" axis="0 1 0"/><geom fromto="0 0 0 .35 0 0"/>
        <body pos=".35 0 0"><joint name="wrist" axis="0 0 1"/><geom fromto="0 0 0 .1 0 0"/>
          <site name="hand" pos=".1 0 0"/></body></body></body></worldbody>
    <actuator><motor joint="turn" gear="5"/><motor joint="lift" gear="20"/><motor joint="elbow" gear="10"/>
      <motor joint="wrist" gear="2"/></actuator></mujoco>)";
  task.horizon = 100;
  task.control_weight = 0.01;
  task.residual = [](const Model& m, const Data& d, bool last) {
    const int nv = static_cast<int>(m.nv);
    Residual residual(3 + nv, 2 * nv);
    std::vector<double> J(static_cast<std::size_t>(3 * nv));
    sinew::jac_site(m, d, J.data(), nullptr, 0);
    const double weight = last ? 100 : 0.3;
    for (int i = 0; i < 3; ++i) {
      residual.r[i] = weight * (d.site_xpos[i] - kTarget[i]);
      for (int k = 0; k < nv; ++k) residual.J(i, k) = weight * J[static_cast<std::size_t>(i * nv + k)];
    }
    for (int i = 0; i < nv; ++i) aim(residual, m, d, 3 + i, nv + i, 0, last ? 5 : 0.02);
    return residual;
  };
  task.guess = [](int, Vector& u) { u.setZero(); };
  task.miss = [](const Model&, const Data& d) {
    return std::hypot(d.site_xpos[0] - kTarget[0], d.site_xpos[1] - kTarget[1], d.site_xpos[2] - kTarget[2]);
  };
  task.tolerance = 0.005;
  return task;
}

/// A body on a leg with a hinge and a slide. At the end it has to be in the air, half a meter ahead, at the apex of its
/// jump: all forces that take it there act through the contact of its foot.
Task hopper() {
  static constexpr double kAhead = 0.5, kHigh = 0.4;
  Task task;
  task.name = "hopper";
  task.mjcf = R"(<mujoco><option timestep=".005" integrator="implicitfast"/><worldbody>
    <geom type="plane" size="5 5 .1"/>
    <body pos="0 0 .75"><joint type="slide" axis="1 0 0"/><joint type="slide" axis="0 0 1"/>
      <geom type="box" size=".12 .1 .08" mass="3" contype="0" conaffinity="0"/>
      <body><joint name="hip" axis="0 1 0" damping=".1"/><geom type="capsule" fromto="0 0 0 0 0 -.35" size=".03" mass=".4"
            contype="0" conaffinity="0"/>
        <body pos="0 0 -.35"><joint name="leg" type="slide" axis="0 0 1" damping="5" stiffness="200"/>
          <geom type="capsule" fromto="0 0 0 0 0 -.32" size=".02" mass=".2" contype="0" conaffinity="0"/>
          <geom size=".05" pos="0 0 -.35" mass=".1" friction="1.2" solref=".03 1" solimp=".2 .95 .02"/></body></body></body></worldbody>
    <actuator><motor joint="hip" gear="10"/><motor joint="leg" gear="-50"/></actuator>
    </mujoco>)";
  task.horizon = 160;
  task.control_weight = 0.02;
  task.residual = [](const Model& m, const Data& d, bool last) {
    Residual residual(8, static_cast<int>(2 * m.nv));
    aim(residual, m, d, 0, 0, kAhead, last ? 30 : 0);
    aim(residual, m, d, 1, 1, kHigh, last ? 30 : 0);
    aim(residual, m, d, 2, 2, 0, last ? 2 : 0.05);
    aim(residual, m, d, 3, 3, 0, last ? 2 : 0.1);
    for (int i = 0; i < 4; ++i) aim(residual, m, d, 4 + i, 4 + i, 0, last ? (i < 2 ? 4 : 0.2) : 0.01);
    return residual;
  };
  task.guess = [](int step, Vector& u) {
    u[0] = 0;
    u[1] = step < 40 ? 0.4 : step < 80 ? 2.5 : 0;  // crouches, then pushes off
  };
  task.miss = [](const Model&, const Data& d) { return std::hypot(d.qpos[0] - kAhead, d.qpos[1] - kHigh); };
  task.tolerance = 0.03;
  return task;
}

}  // namespace

int main() {
  bool all = true;
  for (const Task& task : {pendulum(), arm(), hopper()}) all = Ilqr(task).run() && all;
  return all ? 0 : 1;
}
