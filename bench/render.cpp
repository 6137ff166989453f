// bench_render MODELS: milliseconds of CPU time for pictures of the humanoid on one core, and how the cost of a picture
// grows with the number of triangles. MuJoCo 3.12.0's renderer (llvmpipe, its defaults) took 254 ms for 84x84 rgb and
// 377 ms for 640x480 on the machine where the targets were set.

#include "sinew/render.h"

#include <fmt/core.h>

#include <cmath>
#include <numbers>
#include <vector>

#include "sinew/load.h"
#include "sinew/step.h"
#include "timing.h"

namespace {

struct Shot {
  sinew::Model model;
  sinew::Data data;
  sinew::Scene scene;
  sinew::Renderer renderer;

  explicit Shot(sinew::Model m) : model(std::move(m)), data(model), scene(model), renderer(model) {
    sinew::SceneCamera camera = sinew::default_free_camera(model);
    (void)sinew::forward(model, data);
    (void)sinew::update_scene(model, data, {}, nullptr, camera, sinew::kSceneAll, scene);
  }

  /// Milliseconds per picture: the median of some.
  double time(int width, int height, bool rgb) {
    const auto pixels = static_cast<std::size_t>(width) * static_cast<std::size_t>(height);
    std::vector<std::uint8_t> colors(rgb ? 3 * pixels : 0);
    std::vector<float> depth(rgb ? 0 : pixels);
    std::vector<double> times;
    double total = 0;
    while (times.size() < 5 || (total < 0.5 && times.size() < 100)) {
      times.push_back(bench::seconds([&] { renderer.render(scene, {width, height, colors, depth, {}}); }));
      total += times.back();
    }
    return 1000 * bench::median(times);
  }
};

/// A bumpy ball of about n triangles.
std::string ball(int n) {
  const int rows = std::max(3, static_cast<int>(std::sqrt(n / 4.0))), columns = 2 * rows;
  std::string vertex, face;
  for (int r = 0; r <= rows; ++r)
    for (int c = 0; c < columns; ++c) {
      const double a = std::numbers::pi * r / rows, b = 2 * std::numbers::pi * c / columns;
      const double size = 1 + 0.1 * std::sin(5 * a) * std::sin(7 * b);
      vertex += fmt::format("{:.5f} {:.5f} {:.5f} ", size * std::sin(a) * std::cos(b), size * std::sin(a) * std::sin(b),
                            size * std::cos(a));
      if (r == rows) continue;
      const int i = r * columns + c, j = r * columns + (c + 1) % columns;
      if (r > 0) face += fmt::format("{} {} {} ", i, i + columns, j);
      if (r + 1 < rows) face += fmt::format("{} {} {} ", j, i + columns, j + columns);
    }
  return fmt::format(R"(<mujoco><asset><mesh name="ball" inertia="shell" vertex="{}" face="{}"/></asset><worldbody>
    <light pos="2 2 4" dir="-.5 -.5 -1"/><geom type="plane" size="0 0 1" pos="0 0 -1.2"/>
    <geom type="mesh" mesh="ball" contype="0" conaffinity="0"/></worldbody></mujoco>)",
                     vertex, face);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    fmt::print(stderr, "usage: bench_render MODELS\n");
    return 2;
  }
  Shot humanoid(sinew::load(std::string(argv[1]) + "/humanoid.xml").value_or_throw());
  fmt::print("pictures of the humanoid, ms on one core (target)\n");
  fmt::print("   84x84  rgb   {:7.2f} (5)\n", humanoid.time(84, 84, true));
  fmt::print("   84x84  depth {:7.2f} (1.5)\n", humanoid.time(84, 84, false));
  fmt::print("  640x480 rgb   {:7.2f} (120)\n", humanoid.time(640, 480, true));
  fmt::print("  640x480 depth {:7.2f}\n", humanoid.time(640, 480, false));
  fmt::print("320x240 rgb of a mesh\n");
  for (const int n : {100, 1000, 10'000, 100'000}) {
    Shot shot(sinew::load_string(ball(n)).value_or_throw());
    fmt::print("  {:7} triangles {:7.2f} ms\n", shot.model.nmeshface, shot.time(320, 240, true));
  }
  return 0;
}
