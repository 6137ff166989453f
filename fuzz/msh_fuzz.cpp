// Fuzz target for MSH files: msh_fuzz RUNS

#include "asset.h"
#include "shapes.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::load_with(R"(<mujoco><asset><mesh name="thing" file="thing.msh" inertia="shell"/></asset>
    <worldbody><body><freejoint/><geom type="mesh" mesh="thing"/></body></worldbody></mujoco>)",
                  "thing.msh", {reinterpret_cast<const char*>(data), size});
  return 0;
}

#ifndef SINEW_LIBFUZZER

namespace {

std::string binary(const fuzz::Shape& shape, bool decorated) {
  std::string out;
  const auto add = [&](const auto& value) { out.append(reinterpret_cast<const char*>(&value), sizeof value); };
  const auto vertices = static_cast<std::int32_t>(shape.vertex.size());
  const std::int32_t extra = decorated ? vertices : 0;
  for (const std::int32_t count : {vertices, extra, extra, static_cast<std::int32_t>(shape.face.size())}) add(count);
  for (const auto& vertex : shape.vertex) add(vertex);
  for (std::int32_t i = 0; i < extra; ++i) add(std::array<float, 3>{0, 0, 1});
  for (std::int32_t i = 0; i < extra; ++i) add(std::array<float, 2>{0.5f, 1});
  for (const auto& face : shape.face) add(face);
  return out;
}

}  // namespace

int main(int argc, char** argv) {
  using fuzz::cube, fuzz::tetrahedron;
  return fuzz::run_on_seeds(
      argc, argv,
      {binary(tetrahedron(), false), binary(cube(), false), binary(tetrahedron(), true), binary(cube(), true)});
}

#endif
