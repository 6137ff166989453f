// Fuzz target for SKN files: skn_fuzz RUNS

#include "asset.h"
#include "shapes.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::load_with(R"(<mujoco><asset><skin name="thing" file="thing.skn"/></asset>
    <worldbody><body name="a"><freejoint/><geom size="1"/></body><body name="b"/></worldbody></mujoco>)",
                  "thing.skn", {reinterpret_cast<const char*>(data), size});
  return 0;
}

#ifndef SINEW_LIBFUZZER

namespace {

/// Every vertex follows both bones.
std::string binary(const fuzz::Shape& shape, bool textured) {
  std::string out;
  const auto add = [&](const auto& value) { out.append(reinterpret_cast<const char*>(&value), sizeof value); };
  const auto vertices = static_cast<std::int32_t>(shape.vertex.size());
  for (const std::int32_t count : {vertices, textured ? vertices : 0, static_cast<std::int32_t>(shape.face.size()), 2})
    add(count);
  for (const auto& vertex : shape.vertex) add(vertex);
  for (std::int32_t i = 0; textured && i < vertices; ++i) add(std::array<float, 2>{0, 1});
  for (const auto& face : shape.face) add(face);
  for (const char body : {'a', 'b'}) {
    std::array<char, 40> name{};
    name[0] = body;
    add(name);
    add(std::array<float, 7>{0, 0, 1, 1, 0, 0, 0});
    add(vertices);
    for (std::int32_t i = 0; i < vertices; ++i) add(i);
    for (std::int32_t i = 0; i < vertices; ++i) add(0.5f);
  }
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
