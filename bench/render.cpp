// bench_render MODELS [PLOT.svg]: milliseconds of CPU time for pictures of the humanoid on one core, and how the cost
// of a picture grows with the number of triangles. MuJoCo 3.12.0's renderer (llvmpipe, its defaults) took 254 ms for
// 84x84 rgb and 377 ms for 640x480 on the machine where the targets were set.

#include "sinew/render.h"

#include <fmt/core.h>

#include <cmath>
#include <fstream>
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

struct MeshTime {
  int triangles;
  double ms;
};

/// Times against the number of triangles: a straight line is a logarithm.
void plot(const std::string& file, const std::vector<MeshTime>& times) {
  double most = 0;
  for (const MeshTime& t : times) most = std::max(most, t.ms);
  const double top = 10 * std::ceil(most / 10);
  const auto x = [](double triangles) { return 60 + 100 * (std::log10(triangles) - 1.5); };
  const auto y = [&](double ms) { return 240 - 200 * ms / top; };
  std::ofstream out(file);
  out << R"(<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 560 290" font-family="sans-serif" font-size="12">
<rect width="560" height="290" fill="white"/>
)";
  for (const int n : {100, 1000, 10'000, 100'000, 1'000'000})
    out << fmt::format("<text x=\"{:.0f}\" y=\"258\" text-anchor=\"middle\">{}</text>\n", x(n), n);
  for (int k = 0; k <= 4; ++k)
    out << fmt::format(
        "<line x1=\"60\" y1=\"{0:.0f}\" x2=\"540\" y2=\"{0:.0f}\" stroke=\"#ddd\"/>"
        "<text x=\"52\" y=\"{1:.0f}\" text-anchor=\"end\">{2:g} ms</text>\n",
        y(top * k / 4), y(top * k / 4) + 4, top * k / 4);
  std::string points;
  for (const MeshTime& t : times) points += fmt::format("{:.1f},{:.1f} ", x(t.triangles), y(t.ms));
  out << fmt::format("<polyline points=\"{}\" fill=\"none\" stroke=\"#26c\" stroke-width=\"2\"/>\n", points);
  for (const MeshTime& t : times)
    out << fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"3\" fill=\"#26c\"/>\n", x(t.triangles), y(t.ms));
  out << "<text x=\"300\" y=\"278\" text-anchor=\"middle\">triangles of the mesh</text>\n"
      << "<text x=\"60\" y=\"24\" font-size=\"14\">Time of a picture of 320x240, one core</text>\n</svg>\n";
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2 && argc != 3) {
    fmt::print(stderr, "usage: bench_render MODELS [PLOT.svg]\n");
    return 2;
  }
  Shot humanoid(sinew::load(std::string(argv[1]) + "/humanoid.xml").value_or_throw());
  fmt::print("pictures of the humanoid, ms on one core (target)\n");
  fmt::print("   84x84  rgb   {:7.2f} (5)\n", humanoid.time(84, 84, true));
  fmt::print("   84x84  depth {:7.2f} (1.5)\n", humanoid.time(84, 84, false));
  fmt::print("  640x480 rgb   {:7.2f} (120)\n", humanoid.time(640, 480, true));
  fmt::print("  640x480 depth {:7.2f}\n", humanoid.time(640, 480, false));
  fmt::print("320x240 rgb of a mesh\n");
  std::vector<MeshTime> times;
  for (const int n : {100, 1000, 10'000, 100'000, 1'000'000}) {
    Shot shot(sinew::load_string(ball(n)).value_or_throw());
    times.push_back({static_cast<int>(shot.model.nmeshface), shot.time(320, 240, true)});
    fmt::print("  {:7} triangles {:7.2f} ms\n", times.back().triangles, times.back().ms);
  }
  if (argc == 3) plot(argv[2], times);
  return 0;
}
