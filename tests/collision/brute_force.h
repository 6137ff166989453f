#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "collision/random_shape.h"

// The signed distance of two convex shapes from their support functions alone: the minimum over all directions d of
//   max over x in a of d·x  -  min over y in b of d·y,
// which is the depth if they overlap and minus the distance otherwise. Directions are sampled and refined.

namespace sinew {

/// A shape; if it has vertices (mesh, prism), only they count.
struct BruteShape {
  Shape shape;
  std::vector<Vec3d> vertices;  // in the shape's frame

  /// max over x of d·x.
  double reach(const Vec3d& d) const {
    const Vec3d l = mul_transposed(shape.mat, d), &s = shape.size;
    const double center = dot(d, shape.pos);
    if (!vertices.empty()) {
      double most = -1e300;
      for (const Vec3d& v : vertices) most = std::max(most, dot(l, v));
      return center + most;
    }
    switch (shape.type) {
      case GeomType::Sphere: return center + s.x * norm(d);
      case GeomType::Capsule: return center + s.x * norm(d) + s.y * std::abs(l.z);
      case GeomType::Ellipsoid: return center + norm(Vec3d{s.x * l.x, s.y * l.y, s.z * l.z});
      case GeomType::Cylinder: return center + s.x * std::hypot(l.x, l.y) + s.y * std::abs(l.z);
      default: return center + s.x * std::abs(l.x) + s.y * std::abs(l.y) + s.z * std::abs(l.z);
    }
  }
};

/// Positive: distance; negative: depth. `tried`: directions that are likely to be optimal.
inline double brute_distance(const BruteShape& a, const BruteShape& b, RandomShapes& random,
                             std::vector<Vec3d> tried = {}) {
  const auto width = [&](Vec3d d) {
    normalize(d);
    return a.reach(d) + b.reach(-d);
  };
  for (const BruteShape* s : {&a, &b})
    for (int k = 0; k < 3; ++k) tried.push_back(s->shape.mat.column(k));
  tried.push_back(b.shape.pos - a.shape.pos);
  for (int i = 0; i < 1000; ++i) tried.push_back(random.unit());
  std::vector<std::pair<double, Vec3d>> starts;
  for (const Vec3d& d : tried)
    for (const double side : {1.0, -1.0}) starts.emplace_back(width(d * side), d * side);
  constexpr int kStarts = 4;  // depth has several minima
  std::partial_sort(starts.begin(), starts.begin() + kStarts, starts.end(),
                    [](const auto& x, const auto& y) { return x.first < y.first; });
  double least = starts[0].first;
  for (int k = 0; k < kStarts; ++k) {
    auto [value, best] = starts[k];
    normalize(best);
    for (double step = 0.2; step > 1e-9; step *= 0.75)
      for (int i = 0; i < 40; ++i) {
        Vec3d d = best + random.vector() * step;
        normalize(d);
        if (const double w = width(d); w < value) {
          value = w;
          best = d;
        }
      }
    least = std::min(least, value);
  }
  return -least;
}

}  // namespace sinew
