#include <cstdio>
#include <string>

#include "sinew/sinew.h"

// A robot from its URDF file, with a position servo at every joint. A servo without an integral gives way to gravity by
// (torque of gravity) / kp; adding that torque as a feed-forward leaves little of it.
//
//   example_robot FOLDER [ROBOT.urdf]      writes FOLDER/robot.svg

int main(int argc, char** argv) {
  const std::string folder = argc > 1 ? argv[1] : ".";
  constexpr double kStiffness = 200;
  sinew::UrdfOptions urdf;
  urdf.base = sinew::UrdfOptions::Base::Fixed;
  urdf.actuators = sinew::UrdfOptions::Actuators::Position;
  urdf.kp = kStiffness;
  urdf.kv = 20;
  sinew::LoadOptions options;
  options.urdf = &urdf;
  const auto model = sinew::load(argc > 2 ? argv[2] : "models/manipulator.urdf", options);
  if (!model) return std::puts(model.error().text().c_str()), 1;

  sinew::Data data(*model);
  sinew::reset(*model, data);
  sinew::Recorder recorder =
      sinew::Recorder::open(*model, folder + "/robot.svg",
                            {.signals = {"qpos", "actuator_force"}, .every = 5, .title = "manipulator"})
          .value_or_throw();
  const auto joint = static_cast<std::size_t>(model->actuator_trnid[2]);  // of the second actuator
  const auto dof = static_cast<std::size_t>(model->jnt_dofadr[joint]);
  data.ctrl[1] = 0.5;
  const auto hold = [&](double until) {
    while (data.time < until) {
      sinew::begin_step(*model, data);
      recorder.sample(data);
      sinew::finish_step(*model, data);
    }
    sinew::forward(*model, data);
    return data.ctrl[1] - data.qpos[dof];
  };
  const double error = hold(3), expected = data.qfrc_bias[dof] / kStiffness;
  for (std::size_t i = 0; i < data.qfrc_applied.size(); ++i) data.qfrc_applied[i] = data.qfrc_bias[i];
  const double corrected = hold(6);
  recorder.close().value_or_throw();
  std::printf("joint %s: error %.5f rad, torque of gravity / kp %.5f rad; with feed-forward %.1e rad\n",
              std::string(model->name(sinew::ObjType::Joint, static_cast<std::int64_t>(joint))).c_str(), error,
              expected, corrected);
}
