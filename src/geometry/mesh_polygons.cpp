#include "geometry/mesh_polygons.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <unordered_map>
#include <utility>

#include "math/elementary.h"
#include "math/vec3.h"

// Triangles are merged by the direction of their normal, quantized to 0.01 rad in azimuth and polar angle. Within one
// direction the boundary edges of everything merged so far are kept in a list, each with the index of the island it
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
  return {std::round(elementary::atan2(n.y, n.x) / kAngleStep), std::round(elementary::acos(n.z) / kAngleStep)};
}

class Boundary {
 public:
  void clear() {
    edges_.clear();
    islands_ = 0;
  }

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

// MuJoCo lists polygons in the iteration order of this very container; libstdc++'s order is reproduced by using it. Do
// not reserve: the order depends on how it grew.
using Directions = std::unordered_map<Direction, int, DirectionHash>;

/// The direction of each triangle, as index into `directions`; -1: none.
std::vector<int> sort_by_direction(std::span<const double> vertices, std::span<const int> faces,
                                   Directions& directions) {
  auto at = [&](int i) { return Vec3<double>::load(&vertices[3 * static_cast<std::size_t>(i)]); };
  std::vector<int> of_face(faces.size() / 3, -1);
  for (std::size_t i = 0; i < of_face.size(); ++i) {
    const Vec3<double> a = at(faces[3 * i]);
    Vec3<double> n = cross(at(faces[3 * i + 1]) - a, at(faces[3 * i + 2]) - a);
    const double length = norm(n);
    if (length < kMinVal) continue;
    n = {n.x / length + 0.0, n.y / length + 0.0, n.z / length + 0.0};  // + 0.0 turns -0 into 0
    of_face[i] = directions.try_emplace(quantize(n), static_cast<int>(directions.size())).first->second;
  }
  return of_face;
}

/// Lists in one array: that of k is items[start[k]] to items[start[k + 1]], in order of position.
struct Lists {
  std::vector<int> start, items;

  /// The positions that hold k, for each k < n; negative entries are skipped.
  Lists(std::span<const int> k_at, std::size_t n) : start(n + 1) {
    for (const int k : k_at)
      if (k >= 0) ++start[static_cast<std::size_t>(k) + 1];
    for (std::size_t k = 0; k < n; ++k) start[k + 1] += start[k];
    items.resize(static_cast<std::size_t>(start[n]));
    std::vector<int> next(start.begin(), start.end() - 1);
    for (std::size_t i = 0; i < k_at.size(); ++i)
      if (k_at[i] >= 0)
        items[static_cast<std::size_t>(next[static_cast<std::size_t>(k_at[i])]++)] = static_cast<int>(i);
  }
};

/// The polygons that each vertex belongs to.
void map_vertices(MeshPolygons& out, std::size_t vertices) {
  Lists corners(out.vertex, vertices);
  std::vector<int> polygon_of(out.vertex.size());
  for (std::size_t p = 0; p < out.start.size(); ++p)
    std::fill_n(polygon_of.begin() + out.start[p], out.count[p], static_cast<int>(p));
  for (int& corner : corners.items) corner = polygon_of[static_cast<std::size_t>(corner)];
  out.map_start = std::move(corners.start);
  out.map = std::move(corners.items);
}

}  // namespace

MeshPolygons join_polygons(std::span<const double> vertices, std::span<const int> faces) {
  Directions directions;
  const std::vector<int> of_face = sort_by_direction(vertices, faces, directions);
  const Lists triangles(of_face, directions.size());
  MeshPolygons out;
  out.vertex.reserve(faces.size());
  out.start.reserve(of_face.size());
  out.count.reserve(of_face.size());
  const auto emit = [&](std::span<const int> path) {
    out.start.push_back(static_cast<int>(out.vertex.size()));
    out.count.push_back(static_cast<int>(path.size()));
    out.vertex.insert(out.vertex.end(), path.begin(), path.end());
  };
  Boundary boundary;
  for (const auto& [direction, number] : directions) {
    const int first = triangles.start[static_cast<std::size_t>(number)];
    const int end = triangles.start[static_cast<std::size_t>(number) + 1];
    const auto corners = [&](int i) {
      return faces.subspan(3 * static_cast<std::size_t>(triangles.items[static_cast<std::size_t>(i)]), 3);
    };
    if (end - first == 1) {
      emit(corners(first));
      continue;
    }
    boundary.clear();
    for (int i = first; i < end; ++i) boundary.add(corners(i).data());
    boundary.paths(emit);
  }
  map_vertices(out, vertices.size() / 3);
  return out;
}

}  // namespace sinew
