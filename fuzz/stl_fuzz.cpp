// Fuzz target for STL files, binary and ASCII: stl_fuzz RUNS

#include "asset.h"
#include "shapes.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::load_with(R"(<mujoco><asset><mesh name="thing" file="thing.stl"/></asset>
    <worldbody><body><freejoint/><geom type="mesh" mesh="thing"/></body></worldbody></mujoco>)",
                  "thing.stl", {reinterpret_cast<const char*>(data), size});
  return 0;
}

#ifndef SINEW_LIBFUZZER

namespace {

std::string binary(const fuzz::Shape& shape) {
  std::string out(80, ' ');
  const auto add = [&](const auto& value) { out.append(reinterpret_cast<const char*>(&value), sizeof value); };
  add(static_cast<std::uint32_t>(shape.face.size()));
  for (const auto& face : shape.face) {
    add(std::array<float, 3>{});
    for (const int corner : face) add(shape.vertex[static_cast<std::size_t>(corner)]);
    add(std::uint16_t{0});
  }
  return out;
}

std::string ascii(const fuzz::Shape& shape) {
  std::string out = "solid thing\n";
  for (const auto& face : shape.face) {
    out += "facet normal 0 0 0\nouter loop\n";
    for (const int corner : face) {
      out += "vertex";
      for (const float x : shape.vertex[static_cast<std::size_t>(corner)]) out.append(" ").append(std::to_string(x));
      out += "\n";
    }
    out += "endloop\nendfacet\n";
  }
  return out + "endsolid\n";
}

}  // namespace

int main(int argc, char** argv) {
  using fuzz::cube, fuzz::tetrahedron;
  return fuzz::run_on_seeds(argc, argv, {binary(tetrahedron()), binary(cube()), ascii(tetrahedron()), ascii(cube())});
}

#endif
