// Fuzz target for OBJ files: obj_fuzz RUNS

#include "asset.h"
#include "shapes.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::load_with(R"(<mujoco><asset><mesh name="thing" file="thing.obj" inertia="exact"/></asset>
    <worldbody><body><freejoint/><geom type="mesh" mesh="thing"/></body></worldbody></mujoco>)",
                  "thing.obj", {reinterpret_cast<const char*>(data), size});
  return 0;
}

#ifndef SINEW_LIBFUZZER

namespace {

std::string text(const fuzz::Shape& shape) {
  std::string out = "# thing\no thing\n";
  for (const auto& vertex : shape.vertex) {
    out += "v";
    for (const float x : vertex) out.append(" ").append(std::to_string(x));
    out += "\n";
  }
  for (const auto& face : shape.face) {
    out += "f";
    for (const int corner : face) out.append(" ").append(std::to_string(corner + 1));
    out += "\n";
  }
  return out;
}

constexpr const char* kPolygons = R"(mtllib none.mtl
v 0 0 0
v 2 0 0
v 2 1 0
v 1 0.5 0
v 0 1 0
v 1 0.5 2
vt 0 0
vt 1 0
vn 0 0 1
vn 1 0 0
g first
usemtl red
s 1
f 5/1/1 4/2/1 3/1/1 2/1/1 1/2/1
f -1//2 -6//2 -5//2
f 6//2 2//2 3//2
f 6//2 3//2 4//2
f 6//2 4//2 5//2
f 6//2 5//2 1//2
g second
l 1 2
p 3
)";

}  // namespace

int main(int argc, char** argv) {
  return fuzz::run_on_seeds(argc, argv, {text(fuzz::tetrahedron()), text(fuzz::cube()), kPolygons});
}

#endif
