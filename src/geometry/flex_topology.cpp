#include "geometry/flex_topology.h"

#include <algorithm>
#include <cstdint>
#include <tuple>
#include <unordered_map>

namespace sinew {
namespace {

constexpr std::array<int, 2> kSegment[] = {{0, 1}};
constexpr std::array<int, 2> kTriangle[] = {{1, 2}, {2, 0}, {0, 1}};
constexpr std::array<int, 2> kTetrahedron[] = {{0, 1}, {1, 2}, {2, 0}, {2, 3}, {0, 3}, {1, 3}};

/// The boundary of an element: its ends, edges or faces as corners, and the corner that is not in it.
struct Side {
  std::array<int, 3> corner;
  int opposite;
};
constexpr Side kEnds[] = {{{0}, 1}, {{1}, 0}};
constexpr Side kEdges[] = {{{0, 1}, 2}, {{2, 0}, 1}, {{1, 2}, 0}};
constexpr Side kFaces[] = {{{0, 1, 2}, 3}, {{0, 3, 1}, 2}, {{0, 2, 3}, 1}, {{1, 3, 2}, 0}};

std::span<const Side> sides(int dim) {
  if (dim == 1) return kEnds;
  return dim == 2 ? std::span<const Side>(kEdges) : std::span<const Side>(kFaces);
}

struct Fragment {
  std::array<int, 3> sorted = {-1, -1, -1};
  int element = 0;
  std::array<int, 3> vertex = {-1, -1, -1};
  int opposite = 0;

  bool operator<(const Fragment& b) const {
    return std::tie(sorted, element, vertex) < std::tie(b.sorted, b.element, b.vertex);
  }
};

void find_edges(std::span<const int> element, int dim, FlexTopology& out) {
  std::unordered_map<std::uint64_t, int> known;
  const auto corners = static_cast<std::size_t>(dim) + 1;
  for (std::size_t e = 0; e < element.size(); e += corners) {
    for (const auto& [a, b] : element_edges(dim)) {
      const int first = element[e + static_cast<std::size_t>(a)], second = element[e + static_cast<std::size_t>(b)];
      const int low = std::min(first, second), high = std::max(first, second);
      const std::uint64_t key = static_cast<std::uint64_t>(low) << 32 | static_cast<std::uint32_t>(high);
      const auto [at, is_new] = known.try_emplace(key, static_cast<int>(out.edge.size()));
      if (is_new) out.edge.push_back({low, high});
      out.elemedge.push_back(at->second);
      if (dim != 2) continue;
      const int opposite = element[e + static_cast<std::size_t>(3 - a - b)];
      if (is_new)
        out.flap.push_back({first, second, opposite, -1});
      else
        out.flap[static_cast<std::size_t>(at->second)][3] = opposite;
    }
  }
}

std::vector<Fragment> sorted_fragments(std::span<const int> element, int dim) {
  const auto corners = static_cast<std::size_t>(dim) + 1;
  std::vector<Fragment> out(element.size());  // an element has as many sides as corners
  std::size_t next = 0;
  for (std::size_t e = 0; e < element.size() / corners; ++e) {
    for (const Side& side : sides(dim)) {
      Fragment& f = out[next++];
      f.element = static_cast<int>(e);
      for (std::size_t k = 0; k < static_cast<std::size_t>(dim); ++k)
        f.vertex[k] = element[corners * e + static_cast<std::size_t>(side.corner[k])];
      f.opposite = element[corners * e + static_cast<std::size_t>(side.opposite)];
      f.sorted = f.vertex;
      std::sort(f.sorted.begin(), f.sorted.begin() + dim);
    }
  }
  std::sort(out.begin(), out.end());
  return out;
}

/// Two elements that share a fragment, and the vertices of each that are not in it.
struct Connection {
  int element[2];
  int opposite[2];
};

/// Distance of each element from those at the border, over shared faces.
std::vector<int> layers_of(int elements, const std::vector<bool>& border, const std::vector<Connection>& connections) {
  std::vector<int> start(static_cast<std::size_t>(elements) + 1), neighbor(2 * connections.size());
  for (const Connection& c : connections)
    for (const int e : c.element) ++start[static_cast<std::size_t>(e) + 1];
  for (std::size_t e = 0; e + 1 < start.size(); ++e) start[e + 1] += start[e];
  std::vector<int> fill = start;
  for (const Connection& c : connections) {
    for (int k = 0; k < 2; ++k)
      neighbor[static_cast<std::size_t>(fill[static_cast<std::size_t>(c.element[k])]++)] = c.element[1 - k];
  }
  std::vector<int> layer(static_cast<std::size_t>(elements), elements + 1), queue;
  for (int e = 0; e < elements; ++e) {
    if (!border[static_cast<std::size_t>(e)]) continue;
    layer[static_cast<std::size_t>(e)] = 0;
    queue.push_back(e);
  }
  for (std::size_t at = 0; at < queue.size(); ++at) {
    const auto e = static_cast<std::size_t>(queue[at]);
    for (int n = start[e]; n < start[e + 1]; ++n) {
      const int other = neighbor[static_cast<std::size_t>(n)];
      if (layer[static_cast<std::size_t>(other)] <= elements) continue;
      layer[static_cast<std::size_t>(other)] = layer[e] + 1;
      queue.push_back(other);
    }
  }
  return layer;
}

}  // namespace

std::span<const std::array<int, 2>> element_edges(int dim) {
  if (dim == 1) return kSegment;
  return dim == 2 ? std::span<const std::array<int, 2>>(kTriangle) : std::span<const std::array<int, 2>>(kTetrahedron);
}

FlexTopology connect_elements(std::span<const int> element, int dim) {
  FlexTopology out;
  find_edges(element, dim, out);
  const std::vector<Fragment> fragments = sorted_fragments(element, dim);
  const int elements = static_cast<int>(element.size()) / (dim + 1);
  std::vector<bool> border(static_cast<std::size_t>(elements));
  std::vector<Connection> connections;
  for (std::size_t i = 0; i < fragments.size(); ++i) {
    const Fragment& f = fragments[i];
    const bool as_next = i + 1 < fragments.size() && fragments[i + 1].sorted == f.sorted;
    const bool as_previous = i > 0 && fragments[i - 1].sorted == f.sorted;
    if (as_next) {
      const Fragment& g = fragments[i + 1];
      connections.push_back({{f.element, g.element}, {f.opposite, g.opposite}});
    } else if (!as_previous) {
      out.shell.insert(out.shell.end(), f.vertex.begin(), f.vertex.begin() + dim);
      border[static_cast<std::size_t>(f.element)] = true;
    }
  }
  out.layer =
      dim == 3 ? layers_of(elements, border, connections) : std::vector<int>(static_cast<std::size_t>(elements));
  for (const Connection& c : connections) {
    const bool at_border =
        border[static_cast<std::size_t>(c.element[0])] || border[static_cast<std::size_t>(c.element[1])];
    if (dim == 3 || !at_border) continue;
    out.evpair.push_back({c.element[1], c.opposite[0]});
    out.evpair.push_back({c.element[0], c.opposite[1]});
  }
  return out;
}

}  // namespace sinew
