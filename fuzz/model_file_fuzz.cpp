// Fuzz target for binary model files: model_file_fuzz RUNS. An accepted model must also be safe to simulate.

#include "driver.h"
#include "file/checksum.h"
#include "sinew/data.h"
#include "sinew/load.h"
#include "sinew/model_file.h"
#include "sinew/step.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const sinew::Result<sinew::Model> model =
      sinew::load_model(std::span(reinterpret_cast<const std::byte*>(data), size));
  if (!model) {
    if (model.error().text().empty()) std::abort();
    return 0;
  }
  sinew::Data world(*model);
  sinew::reset(*model, world);
  for (int i = 0; i < 3; ++i) sinew::step(*model, world);
  return 0;
}

#ifndef SINEW_LIBFUZZER

namespace {

constexpr const char* kModels[] = {
    "<mujoco/>",
    R"(<mujoco><worldbody><geom type="plane" size="1 1 1"/><body name="a" pos="0 0 0.09"><freejoint/>
      <geom name="g" size="0.1"/><site name="s"/>
      <body pos="0.3 0 0"><joint name="j" range="-1 1"/><geom type="capsule" size="0.05 0.1"/></body></body></worldbody>
      <tendon><spatial name="t" range="0 1"><site site="s"/><geom geom="g"/><site site="s"/></spatial>
        <fixed name="f"><joint joint="j" coef="2"/></fixed></tendon>
      <equality><joint joint1="j"/><weld body1="a"/></equality>
      <actuator><position joint="j" kp="3" delay="0.004" nsample="3"/><muscle joint="j" lengthrange="0 1"/></actuator>
      <sensor><touch site="s"/><framepos objtype="site" objname="s" reftype="body" refname="a"/><contact geom1="g"/></sensor>
      <keyframe><key qpos="1"/></keyframe></mujoco>)",
    R"(<mujoco><asset><mesh name="m" builtin="sphere" params="1"/><hfield name="h" nrow="3" ncol="3" size="1 1 0.1 0.1"/>
      <texture name="x" type="2d" builtin="flat" width="4" height="4"/><material name="y" texture="x"/></asset>
      <worldbody><geom type="hfield" hfield="h"/><body pos="0 0 1"><freejoint/><geom type="mesh" mesh="m" material="y"/></body></worldbody></mujoco>)"};

std::vector<std::string> seeds() {
  std::vector<std::string> out;
  for (const char* text : kModels) {
    const std::vector<std::byte> bytes = sinew::save_model(sinew::load_string(text).value_or_throw());
    out.emplace_back(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  }
  return out;
}

/// With a valid checksum, so that the reader gets to the contents of the file.
std::string sealed(std::string bytes) {
  sinew::Checksum checksum;
  if (bytes.size() < sizeof(std::uint64_t)) return bytes;
  checksum.add(bytes.data(), bytes.size() - sizeof(std::uint64_t));
  const std::uint64_t value = checksum.value();
  std::memcpy(bytes.data() + bytes.size() - sizeof value, &value, sizeof value);
  return bytes;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) return fuzz::run_on_seeds(argc, argv, {});
  fuzz::Mutator mutator(seeds());
  return fuzz::run(argv[0], argv[1], [&] { return sealed(mutator.next()); });
}

#endif
