#include "geometry/support.h"

#include <limits>

namespace sinew {

HullView hull_of(const Model& m, int mesh) {
  HullView hull;
  hull.vert = m.mesh_vert.data() + 3 * static_cast<std::size_t>(m.mesh_vertadr[mesh]);
  hull.nvert = m.mesh_vertnum[mesh];
  hull.extrema = m.mesh_extrema.data() + 27 * static_cast<std::size_t>(mesh);
  const int address = m.mesh_graphadr[mesh];
  if (address >= 0) {
    hull.graph = m.mesh_graph.data() + address;
    hull.graph_size = static_cast<int>(m.mesh_graph.size()) - address;
  }
  return hull;
}

int HullView::scan(const Vec3<double>& dir, int start) const {
  int best = start;
  double most = start >= 0 ? along(dir, start) : -std::numeric_limits<double>::infinity();
  for (int i = 0; i < nvert; ++i) {
    const double value = along(dir, i);
    if (value > most) {
      most = value;
      best = i;
    }
  }
  return best < 0 && nvert > 0 ? 0 : best;
}

int HullView::climb(const Vec3<double>& dir, int start) const {
  const int* edge_address = graph + 2;
  const int* ids = edge_address + hull_size();
  const int* edges = ids + hull_size();
  int best = start, from = -1;
  double most = along(dir, ids[start]);
  while (best != from) {
    from = best;
    for (const int* edge = edges + edge_address[from]; *edge >= 0; ++edge) {
      const double value = along(dir, ids[*edge]);
      if (value > most) {
        most = value;
        best = *edge;
      }
    }
  }
  return best;
}

int HullView::seed(const Vec3<double>& dir) const {
  constexpr double kTilt = 0.4;  // below this a component counts as zero
  const auto sign = [](double c) { return (c > kTilt) - (c < -kTilt) + 1; };
  return extrema[9 * sign(dir.x) + 3 * sign(dir.y) + sign(dir.z)];
}

}  // namespace sinew
