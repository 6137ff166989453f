#include "collision/midphase.h"

#include "collision/filter.h"

namespace sinew {
namespace {

/// Walks the tree of bounding boxes, which stands in the body's inertial frame.
int search_tree(const Model& m, const Data& d, int body, const Box& box, int* out) {
  constexpr int kDeepest = 128;
  const int root = m.body_bvhadr[body];
  const double* pos = &d.xipos[3 * body];
  const double* mat = &d.ximat[9 * body];
  const double margin = m.opt.enabled(kEnableOverride) ? m.opt.o_margin + m.body_margin[body] : m.body_margin[body];
  int stack[kDeepest], depth = 0, count = 0;
  stack[depth++] = 0;
  while (depth > 0) {
    const int node = root + stack[--depth];
    if (!overlap(world_box(&m.bvh_aabb[6 * static_cast<std::size_t>(node)], pos, mat, margin), box)) continue;
    if (m.bvh_nodeid[node] >= 0) {
      out[count++] = m.bvh_nodeid[node];
      continue;
    }
    for (int side = 0; side < 2; ++side)
      if (m.bvh_child[2 * node + side] >= 0 && depth < kDeepest) stack[depth++] = m.bvh_child[2 * node + side];
  }
  return count;
}

}  // namespace

int geoms_in_box(const Model& m, const Data& d, const Bounds& bounds, int body, const Box& box, int* out) {
  if (m.body_geomnum[body] > kManyGeoms && m.body_bvhnum[body] > 0) return search_tree(m, d, body, box, out);
  int count = 0;
  const int first = m.body_geomadr[body];
  for (int g = first; g < first + m.body_geomnum[body]; ++g)
    if (geom_is_collidable(m, g) && overlap(bounds.geom[g], box)) out[count++] = g;
  return count;
}

}  // namespace sinew
