#include <cstdio>
#include <string>

#include "sinew/sinew.h"

// A muscle's force over its length: it is held at each length, fully active. Its optimal length follows from the length
// range (0.75 to 1.05 m) and `range` (0.75 to 1.05 optimal lengths): here 1 m, where it pulls with its `force`.
//
//   example_muscle FOLDER      writes FOLDER/muscle.svg: force over time, with a length of 0.5 m + time * 1 m/s

int main(int argc, char** argv) {
  const std::string folder = argc > 1 ? argv[1] : ".";
  const sinew::Model model = sinew::load_string(R"(<mujoco><option gravity="0 0 0"/>
    <worldbody><body><joint name="length" type="slide" axis="1 0 0"/><geom size="0.1"/></body></worldbody>
    <actuator><muscle name="muscle" joint="length" lengthrange="0.75 1.05" range="0.75 1.05" force="200"/></actuator>
    </mujoco>)")
                                 .value_or_throw();
  sinew::Data data(model);
  sinew::reset(model, data);
  sinew::Recorder recorder = sinew::Recorder::open(model, folder + "/muscle.svg",
                                                   {.signals = {"actuator_force.muscle", "actuator_length.muscle"},
                                                    .title = "an active muscle: length = 0.5 m + time"})
                                 .value_or_throw();
  double strongest = 0, best_length = 0, passive = 0;
  for (int i = 0; i <= 110; ++i) {
    data.time = 0.01 * i;
    data.qpos[0] = 0.5 + data.time;
    data.act[0] = 1;
    sinew::forward(model, data);
    recorder.sample(data);
    const double total = -data.actuator_force[0];
    data.act[0] = 0;
    sinew::forward(model, data);
    passive = -data.actuator_force[0];
    if (total - passive > strongest) {
      strongest = total - passive;
      best_length = data.qpos[0];
    }
  }
  recorder.close().value_or_throw();
  std::printf("its activity pulls with up to %.2f N, at %.2f m; passive at %.1f m: %.1f N\n", strongest, best_length,
              data.qpos[0], passive);
}
