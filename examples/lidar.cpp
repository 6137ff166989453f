#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include "plot.h"
#include "sinew/sinew.h"

// Rays: what a lidar in a room with a pillar measures.
//
//   example_lidar FOLDER      writes FOLDER/lidar.svg

int main(int argc, char** argv) {
  const std::string folder = argc > 1 ? argv[1] : ".";
  const sinew::Model model = sinew::load_string(R"(<mujoco><default><geom type="box"/></default><worldbody>
    <geom pos="3.1 0 1" size="0.1 2 1"/><geom pos="-2.1 0 1" size="0.1 2 1"/>
    <geom pos="0.5 2.1 1" size="2.5 0.1 1"/><geom pos="0.5 -2.1 1" size="2.5 0.1 1"/>
    <geom type="cylinder" pos="0 -1 1" size="0.25 1"/></worldbody></mujoco>)")
                                 .value_or_throw();
  sinew::Data data(model);
  sinew::reset(model, data);
  sinew::forward(model, data);  // poses of the geoms

  constexpr int kRays = 720;
  const double from[3] = {0, 0, 0.5};
  std::vector<double> directions;
  for (int i = 0; i < kRays; ++i) {
    const double angle = 2 * M_PI * i / kRays;
    directions.insert(directions.end(), {std::cos(angle), std::sin(angle), 0});
  }
  std::vector<sinew::RayHit> hits(kRays);
  sinew::multi_ray(model, data, from, directions, hits);

  std::vector<examples::Point> points;
  int on_pillar = 0;
  for (std::size_t i = 0; i < kRays; ++i) {
    points.push_back({hits[i].dist * directions[3 * i], hits[i].dist * directions[3 * i + 1]});
    on_pillar += hits[i].geom == 4;
  }
  examples::write_points(folder + "/lidar.svg", "a room with a pillar, seen by 720 rays, m", points, false, true);
  std::printf("ahead %.4f m, left %.4f m, right %.4f m; %d of %d rays meet the pillar\n", hits[0].dist,
              hits[kRays / 4].dist, hits[3 * kRays / 4].dist, on_pillar, kRays);
}
