#include <cmath>
#include <cstdio>
#include <string>
#include <variant>
#include <vector>

#include "plot.h"
#include "sinew/sinew.h"

// Many worlds at once: 200 pucks with different friction slide on all cores until they stop. The distance is
// v^2 / (2 friction g).
//
//   example_batch FOLDER      writes FOLDER/batch.svg

int main(int argc, char** argv) {
  const std::string folder = argc > 1 ? argv[1] : ".";
  constexpr int kWorlds = 200;
  constexpr double kSpeed = 2, kGravity = 9.81;
  const sinew::Model model = sinew::load_string(R"(<mujoco><option cone="elliptic" impratio="100" tolerance="1e-12"/>
    <worldbody><geom type="plane" size="50 50 0.1"/>
      <body pos="0 0 0.0199"><freejoint/><geom name="puck" type="cylinder" size="0.1 0.02" priority="1"/></body>
    </worldbody></mujoco>)")
                                 .value_or_throw();
  sinew::Batch batch(model, kWorlds);
  const std::span<double> friction = std::get<std::span<double>>(batch.vary("geom_friction").values);
  const auto puck = static_cast<std::size_t>(model.id(sinew::ObjType::Geom, "puck"));
  const auto ngeom = static_cast<std::size_t>(model.ngeom), nq = static_cast<std::size_t>(model.nq),
             nv = static_cast<std::size_t>(model.nv);
  for (std::size_t w = 0; w < kWorlds; ++w) {
    friction[3 * (ngeom * w + puck)] = 0.2 + 0.004 * static_cast<double>(w);
    batch.qvel[nv * w] = kSpeed;
  }
  for (int i = 0; i < 15; ++i) batch.step(50);  // 1.5 s

  double worst = 0;
  std::vector<examples::Point> points;
  for (std::size_t w = 0; w < kWorlds; ++w) {
    const double mu = friction[3 * (ngeom * w + puck)], distance = batch.qpos[nq * w];
    points.push_back({mu, distance});
    worst = std::fmax(worst, std::fabs(distance / (kSpeed * kSpeed / (2 * mu * kGravity)) - 1));
  }
  examples::write_points(folder + "/batch.svg", "distance of a puck (m) over its friction", points, false, false);
  std::printf("%d worlds, largest relative error of the distance %.4f\n", batch.size(), worst);
}
