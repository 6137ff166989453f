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
    hull.ids = hull.graph + 2 + hull.hull_size();
    hull.edges = hull.ids + hull.hull_size();
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

namespace {

/// Hill climbing from hull index `best`, whose support along dir is `most`.
int walk(const HullView& hull, const Vec3<double>& dir, int best, double most) {
  int from = -1;
  while (best != from) {
    from = best;
    for (const int* edge = hull.neighbours(from); *edge >= 0; ++edge) {
      const double value = hull.along(dir, hull.ids[*edge]);
      if (value > most) {
        most = value;
        best = *edge;
      }
    }
  }
  return best;
}

}  // namespace

int HullView::climb_from(const Vec3<double>& dir, int start) const {
  return walk(*this, dir, start, along(dir, ids[start]));
}

int HullView::climb(const Vec3<double>& dir, int last) const {
  constexpr double kTilt = 0.4;  // below this a component counts as zero
  const auto sign = [](double c) { return (c > kTilt) - (c < -kTilt) + 1; };
  const int seed = extrema[9 * sign(dir.x) + 3 * sign(dir.y) + sign(dir.z)];
  const double of_seed = along(dir, ids[seed]);
  const double of_last = last < 0 ? -std::numeric_limits<double>::infinity() : along(dir, ids[last]);
  const bool fresh = of_seed > of_last || last < 0;
  return walk(*this, dir, fresh ? seed : last, fresh ? of_seed : of_last);
}

}  // namespace sinew
