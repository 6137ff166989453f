#include <cmath>
#include <cstdio>
#include <string>

#include "sinew/sinew.h"

// Contact and friction: blocks with different friction on a slope of 20 degrees. Those with a coefficient below
// tan 20 = 0.364 slide, with the acceleration g (sin 20 - friction cos 20).
//
//   example_friction FOLDER      writes FOLDER/friction.svg

int main(int argc, char** argv) {
  const std::string folder = argc > 1 ? argv[1] : ".";
  constexpr double kSlope = 20 * M_PI / 180, kGravity = 9.81;
  sinew::Spec spec = sinew::read_mjcf_string(R"(<mujoco><option cone="elliptic" impratio="100" tolerance="1e-12"/>
    <worldbody><geom type="plane" size="20 5 0.1"/></worldbody></mujoco>)")
                         .value_or_throw();
  spec.option.gravity = {kGravity * std::sin(kSlope), 0, -kGravity * std::cos(kSlope)};  // tilted, instead of the floor
  const double frictions[] = {0.1, 0.2, 0.3, 0.45, 0.6};
  for (int i = 0; i < 5; ++i) {
    sinew::spec::Body& block = spec.world.bodies.add();
    block.name = "block" + std::to_string(i);
    block.pos = {0, 0.5 * i, 0.05};
    block.joints.add().type = sinew::JointType::Free;
    sinew::spec::Geom& box = block.geoms.add();
    box.type = sinew::GeomType::Box;
    box.size = {0.1, 0.1, 0.05};
    box.friction[0] = frictions[i];
    box.priority = 1;  // its friction counts, not the larger one of the floor
  }
  const sinew::Model model = sinew::compile(spec).value_or_throw();

  sinew::Data data(model);
  sinew::reset(model, data);
  sinew::RecordOptions options{.signals = {}, .every = 5, .title = "blocks on a slope: xpos, m"};
  for (int i = 0; i < 5; ++i) options.signals.push_back("xpos.block" + std::to_string(i) + ".0");
  sinew::Recorder recorder = sinew::Recorder::open(model, folder + "/friction.svg", options).value_or_throw();
  while (data.time < 1) {
    sinew::begin_step(model, data);
    recorder.sample(data);
    sinew::finish_step(model, data);
  }
  recorder.close().value_or_throw();
  for (std::size_t i = 0; i < 5; ++i)
    std::printf("friction %.2f: %.4f m in a second, formula %.4f\n", frictions[i], data.qpos[7 * i],
                std::fmax(0, 0.5 * kGravity * (std::sin(kSlope) - frictions[i] * std::cos(kSlope))));
}
