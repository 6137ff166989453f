#include <cmath>
#include <cstdio>
#include <string>

#include "sinew/sinew.h"

// Control by inverse dynamics: the forces that give a two-link arm the accelerations of a planned motion, plus a
// correction of its errors. The same arm without the plan's accelerations, with the correction only, lags behind.
//
//   example_tracking FOLDER      writes FOLDER/tracking.svg

namespace {

constexpr double kStiffness = 100, kDamping = 20;  // 1/s^2, 1/s: critically damped errors

/// Planned angle of a joint with its two derivatives.
struct Plan {
  double q, v, a;
};
Plan plan(int joint, double t) {
  const double size = joint == 0 ? 0.8 : 0.5, rate = joint == 0 ? 3 : 5;
  return {size * std::sin(rate * t), size * rate * std::cos(rate * t), -size * rate * rate * std::sin(rate * t)};
}

/// Largest error after the first second, rad.
double track(const sinew::Model& model, bool with_model, sinew::Recorder* recorder) {
  sinew::Data data(model);
  sinew::reset(model, data);
  double worst = 0;
  while (data.time < 4) {
    sinew::forward(model, data);
    if (recorder) recorder->sample(data);
    for (std::size_t i = 0; i < 2; ++i) {
      const Plan p = plan(static_cast<int>(i), data.time);
      if (data.time > 1) worst = std::fmax(worst, std::fabs(p.q - data.qpos[i]));
      data.qacc[i] = p.a + kDamping * (p.v - data.qvel[i]) + kStiffness * (p.q - data.qpos[i]);
    }
    if (with_model) {
      sinew::inverse(model, data);
      for (std::size_t i = 0; i < 2; ++i) data.ctrl[i] = data.qfrc_inverse[i];
    } else {
      for (std::size_t i = 0; i < 2; ++i) data.ctrl[i] = 0.1 * data.qacc[i];
    }
    sinew::step(model, data);
  }
  return worst;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string folder = argc > 1 ? argv[1] : ".";
  const sinew::Model model = sinew::load_string(R"(<mujoco><option timestep="0.001"/>
    <default><geom type="capsule" size="0.03" contype="0" conaffinity="0"/></default>
    <worldbody><body name="upper" pos="0 0 1"><joint name="shoulder" axis="0 1 0"/><geom fromto="0 0 0 0.4 0 0"/>
      <body name="lower" pos="0.4 0 0"><joint name="elbow" axis="0 1 0"/><geom fromto="0 0 0 0.3 0 0"/></body></body>
    </worldbody><actuator><motor joint="shoulder"/><motor joint="elbow"/></actuator></mujoco>)")
                                 .value_or_throw();
  sinew::Recorder recorder =
      sinew::Recorder::open(model, folder + "/tracking.svg",
                            {.signals = {"qpos", "ctrl"}, .every = 10, .title = "an arm follows two sines"})
          .value_or_throw();
  const double with_model = track(model, true, &recorder);
  recorder.close().value_or_throw();
  std::printf("error with inverse dynamics %.1e rad, without %.1e rad\n", with_model, track(model, false, nullptr));
}
