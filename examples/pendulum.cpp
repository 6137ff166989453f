#include <cmath>
#include <cstdio>
#include <string>

#include "sinew/sinew.h"

// A first simulation: a pendulum swings for ten seconds; its angle and its energy are recorded as a plot.
//
//   example_pendulum FOLDER      writes FOLDER/pendulum.svg

int main(int argc, char** argv) {
  const std::string folder = argc > 1 ? argv[1] : ".";
  const sinew::Model model = sinew::load_string(R"(<mujoco>
    <option timestep="0.002" integrator="RK4"><flag energy="enable"/></option>
    <worldbody><body pos="0 0 1"><joint name="hinge" axis="0 1 0"/>
      <geom type="sphere" pos="0 0 -0.5" size="0.02" mass="1"/></body></worldbody></mujoco>)")
                                 .value_or_throw();
  sinew::Data data(model);
  sinew::reset(model, data);
  data.qpos[0] = 0.1;

  sinew::Recorder recorder = sinew::Recorder::open(model, folder + "/pendulum.svg",
                                                   {.signals = {"qpos", "energy"}, .every = 5, .title = "pendulum"})
                                 .value_or_throw();
  double energy = 0, drift = 0, last_crossing = 0, period = 0;
  while (data.time < 10) {
    const double before = data.qpos[0];
    sinew::begin_step(model, data);  // forces and energy of this instant
    recorder.sample(data);
    const double now = data.energy[0] + data.energy[1];
    if (energy == 0) energy = now;
    drift = std::fmax(drift, std::fabs(now - energy));
    sinew::finish_step(model, data);
    if (before < 0 && data.qpos[0] >= 0) {  // every crossing in this direction is a period later
      const double crossing = data.time - model.opt.timestep * data.qpos[0] / (data.qpos[0] - before);
      if (last_crossing > 0) period = crossing - last_crossing;
      last_crossing = crossing;
    }
  }
  recorder.close().value_or_throw();
  std::printf("period %.5f s\nenergy drifts by %.1e J\n", period, drift);
}
