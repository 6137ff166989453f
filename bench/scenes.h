#pragma once

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <string>

// Models generated for the benchmarks.

namespace bench {

/// A mesh named ball: the hull of points on a sphere.
inline std::string mesh_asset(std::mt19937& random) {
  std::normal_distribution<double> normal;
  std::string vertices;
  for (int i = 0; i < 60; ++i) {
    const double x = normal(random), y = normal(random), z = normal(random), n = std::sqrt(x * x + y * y + z * z);
    vertices += fmt::format("{:.4f} {:.4f} {:.4f} ", .1 * x / n, .1 * y / n, .1 * z / n);
  }
  return fmt::format("<asset><mesh name='ball' vertex='{}'/></asset>", vertices);
}

/// n boxes or capsules as after falling: a jittered lattice whose neighbors touch.
inline std::string heap(const char* geom, int n, double pitch, std::mt19937& random) {
  std::normal_distribution<double> normal;
  const int side = std::max(1, static_cast<int>(std::cbrt(n) + .5));
  std::string bodies;
  for (int i = 0; i < n; ++i) {
    const int x = i % side, y = i / side % side, z = i / side / side;
    bodies += fmt::format("<body pos='{} {} {}' quat='1 {} {} {}'><freejoint/><geom {}/></body>\n",
                          pitch * (x + .1 * normal(random)), pitch * (y + .1 * normal(random)), .95 * pitch * (z + .5),
                          .3 * normal(random), .3 * normal(random), .3 * normal(random), geom);
  }
  return fmt::format(
      "<mujoco><size nconmax='{}' njmax='1000'/><worldbody><geom type='plane' size='10 10 1'/>{}</worldbody></mujoco>",
      50 * n, bodies);
}

/// A robot made of meshes only: a trunk with arms of that many links, folded so that neighbors come close.
inline std::string mesh_robot(int arms, int links, std::mt19937& random) {
  std::string bodies;
  for (int a = 0; a < arms; ++a) {
    const double angle = 6.283185307179586 * a / arms;
    bodies += fmt::format("<body pos='{} {} 0' euler='0 0 {}'>", .16 * std::cos(angle), .16 * std::sin(angle), angle);
    for (int l = 0; l < links; ++l)
      bodies += fmt::format("<joint axis='0 1 {}' ref='{}'/><geom type='mesh' mesh='ball'/><body pos='.12 0 {}'>",
                            l % 2, l % 2 ? .4 : -.3, l % 2 ? .06 : -.05);
    for (int l = 0; l < links; ++l) bodies += "</body>";
    bodies += "</body>";
  }
  // boundmass: the last body of an arm has no geom
  return fmt::format(
      "<mujoco><compiler angle='radian' boundmass='.01' boundinertia='.001'/>{}<worldbody>"
      "<geom type='plane' size='10 10 1'/><body pos='0 0 .09'><freejoint/><geom type='mesh' mesh='ball'/>{}</body>"
      "</worldbody></mujoco>",
      mesh_asset(random), bodies);
}

}  // namespace bench
