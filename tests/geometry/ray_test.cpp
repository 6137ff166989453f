#include "geometry/ray.h"

#include <gtest/gtest.h>

#include <random>
#include <string>

#include "sinew/load.h"

namespace sinew {
namespace {

using Vec = Vec3<double>;

Model hilly(int nrow, int ncol, std::mt19937& random) {
  std::uniform_real_distribution<double> height(0, 1);
  std::string heights;
  for (int i = 0; i < nrow * ncol; ++i) heights += std::to_string(height(random)) + " ";
  auto model = load_string("<mujoco><asset><hfield name='h' nrow='" + std::to_string(nrow) + "' ncol='" +
                           std::to_string(ncol) + "' size='2 1.5 .3 .1' elevation='" + heights +
                           "'/></asset><worldbody><geom type='hfield' hfield='h'/></worldbody></mujoco>");
  EXPECT_TRUE(model) << model.error().text();
  return std::move(*model);
}

/// The nearest of all triangles of the surface.
RaySurface nearest_triangle(const Model& m, const Ray& ray) {
  const double* size = m.hfield_size.data();
  const int nrow = m.hfield_nrow[0], ncol = m.hfield_ncol[0];
  const double dx = 2 * size[0] / (ncol - 1), dy = 2 * size[1] / (nrow - 1);
  const float* data = m.hfield_data.data();
  const auto vertex = [&](int r, int c) {
    return Vec{dx * c - size[0], dy * r - size[1], data[r * ncol + c] * size[2]};
  };
  RaySurface out;
  const auto take = [&](const RaySurface& hit) { out.nearest(hit.x, hit.normal); };
  for (int r = 0; r + 1 < nrow; ++r)
    for (int c = 0; c + 1 < ncol; ++c) {
      take(ray_triangle(vertex(r, c), vertex(r, c + 1), vertex(r + 1, c + 1), ray));
      take(ray_triangle(vertex(r, c), vertex(r + 1, c + 1), vertex(r + 1, c), ray));
    }
  return out;
}

// Rays from above the hills to points below their tops, from steep to nearly level, also along rows and columns: they
// meet the surface before the walls or the base.
TEST(HeightFieldRay, CellsThatAreLeftOutHaveNoNearerTriangle) {
  std::mt19937 random(5);
  std::uniform_real_distribution<double> unit(-1, 1);
  int hits = 0;
  for (const auto& [nrow, ncol] : {std::pair{40, 60}, {3, 90}, {25, 2}}) {
    const Model model = hilly(nrow, ncol, random);
    const Vec size = Vec::load(model.geom_size.data());
    for (int i = 0; i < 400; ++i) {
      const Vec from = {2 * unit(random), 1.5 * unit(random), .3 + .01 * (1.1 + unit(random))};
      Vec to = {2 * unit(random), 1.5 * unit(random), .15 * (1 + unit(random))};
      if (i % 8 == 0) to.x = from.x;
      if (i % 8 == 1) to.y = from.y;
      const Ray ray = {from, to - from};
      const RaySurface ours = rays::hfield({size, &model, 0}, ray), all = nearest_triangle(model, ray);
      ASSERT_EQ(ours.x, all.x) << i;
      for (int k = 0; k < 3; ++k) ASSERT_EQ(ours.normal[k], all.normal[k]) << i;
      hits += ours.hit();
    }
  }
  EXPECT_GT(hits, 600);
}

}  // namespace
}  // namespace sinew
