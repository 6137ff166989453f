#include "geometry/mesh_polygons.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <unordered_map>
#include <utility>

#include "math/vec3.h"

// Triangles are joined by the direction of their normal, quantized to 0.01 rad in azimuth and polar angle. Within one
// direction the boundary edges of everything joined so far are kept in a list, each with the number of the island it
// bounds; a new triangle cancels the edges that it shares with them and may connect two islands.

namespace sinew {
namespace {

constexpr double kAngleStep = 0.01;  // rad

using Direction = std::pair<double, double>;  // quantized azimuth, polar angle
struct DirectionHash {
  std::size_t operator()(const Direction& d) const {
    return std::hash<double>()(d.first) ^ std::hash<double>()(d.second);
  }
};

Direction quantize(const Vec3<double>& n) {
  if (std::abs(n.z) > 1 - 1e-7) return {0, n.z < 0 ? std::round(kPi / kAngleStep) : 0};
  return {std::round(std::atan2(n.y, n.x) / kAngleStep), std::round(std::acos(n.z) / kAngleStep)};
}

class Boundary {
 public:
  void add(const int* corner) {
    const std::pair<int, int> edges[3] = {{corner[0], corner[1]}, {corner[1], corner[2]}, {corner[2], corner[0]}};
    bool open[3] = {true, true, true};
    int island = -1;
    for (int k = 0; k < 3; ++k) {
      const auto twin = std::find_if(edges_.begin(), edges_.end(), [&](const Edge& e) {
        return e.from == edges[k].second && e.to == edges[k].first;
      });
      if (twin == edges_.end()) continue;
      const int found = twin->island;
      edges_.erase(twin);
      open[k] = false;
      island = island < 0 ? found : merge(island, found);
    }
    if (island < 0) island = islands_++;
    for (int k = 0; k < 3; ++k)
      if (open[k]) edges_.push_back({edges[k].first, edges[k].second, island});
  }

  /// Calls emit(path) for the closed path around each island.
  template <class Emit>
  void paths(Emit&& emit) const {
    if (edges_.size() == 3) {
      emit(std::vector<int>{edges_[0].from, edges_[1].from, edges_[2].from});
      return;
    }
    for (int island = 0; island < islands_; ++island) {
      const std::vector<int> path = walk(island);
      if (path.size() >= 3) emit(path);
    }
  }

 private:
  struct Edge {
    int from, to, island;
  };

  int merge(int a, int b) {
    if (a == b) return a;
    const int low = std::min(a, b), high = std::max(a, b);
    for (Edge& e : edges_) {
      if (e.island == high)
        e.island = low;
      else if (e.island > high)
        --e.island;
    }
    --islands_;
    return low;
  }

  std::vector<int> walk(int island) const {
    const auto first = std::find_if(edges_.begin(), edges_.end(), [&](const Edge& e) { return e.island == island; });
    if (first == edges_.end()) return {};
    std::vector<int> path = {first->from, first->to};
    for (std::size_t round = 0; round < edges_.size(); ++round) {
      const auto next = std::find_if(edges_.begin() + 1, edges_.end(),
                                     [&](const Edge& e) { return e.island == island && e.from == path.back(); });
      if (next == edges_.end()) continue;
      if (next->to == path.front()) return path;
      path.push_back(next->to);
    }
    return {};  // not closed
  }

  std::vector<Edge> edges_;
  int islands_ = 0;
};

}  // namespace

MeshPolygons join_polygons(std::span<const double> vertices, std::span<const int> faces) {
  // MuJoCo lists polygons in the iteration order of this very container; libstdc++'s is reproduced by using it
  std::unordered_map<Direction, Boundary, DirectionHash> buckets;
  auto at = [&](int i) { return Vec3<double>::load(&vertices[3 * static_cast<std::size_t>(i)]); };
  for (std::size_t i = 0; i + 2 < faces.size(); i += 3) {
    const Vec3<double> a = at(faces[i]);
    Vec3<double> n = cross(at(faces[i + 1]) - a, at(faces[i + 2]) - a);
    const double length = norm(n);
    if (length < kMinVal) continue;
    n = {n.x / length + 0.0, n.y / length + 0.0, n.z / length + 0.0};  // + 0.0 turns -0 into 0
    buckets[quantize(n)].add(&faces[i]);
  }

  MeshPolygons out;
  out.of_vertex.resize(vertices.size() / 3);
  for (const auto& [direction, boundary] : buckets) {
    boundary.paths([&](const std::vector<int>& path) {
      const int polygon = static_cast<int>(out.start.size());
      out.start.push_back(static_cast<int>(out.vertex.size()));
      out.count.push_back(static_cast<int>(path.size()));
      out.vertex.insert(out.vertex.end(), path.begin(), path.end());
      for (const int v : path) out.of_vertex[static_cast<std::size_t>(v)].push_back(polygon);
    });
  }
  return out;
}

}  // namespace sinew
