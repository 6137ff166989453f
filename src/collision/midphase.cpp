#include "collision/midphase.h"

#include <algorithm>

namespace sinew {
namespace {

/// Traverses the tree of bounding boxes, which is in the body's inertial frame.
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

/// The body's geoms that may overlap the box. Returns their number; out has space for body_geomnum.
int geoms_in_box(const Model& m, const Data& d, const Bounds& bounds, int body, const Box& box, int* out) {
  const bool scan = has_box(m, body) && m.body_geomnum[body] <= kScannedGeoms;
  if (!scan && m.body_bvhnum[body] > 0) return search_tree(m, d, body, box, out);
  int count = 0;
  const int first = m.body_geomadr[body];
  for (int g = first; g < first + m.body_geomnum[body]; ++g)
    if (geom_is_collidable(m, g) && overlap(bounds.geom[g], box)) out[count++] = g;
  return count;
}

}  // namespace

Midphase::Midphase(const Model& m, Data& d, const Bounds& bounds, Scratch& scratch)
    : m_(m), d_(d), bounds_(bounds), near_{scratch.take<int>(m.ngeom), scratch.take<int>(m.ngeom)} {}

/// The user's filter replaces the masks of the geoms; those of the bodies always apply.
bool Midphase::may_collide(int a, int b) const {
  if (!d_.callbacks.contact_filter) return geoms_may_collide(m_, a, b);
  const GeomPair geoms = ordered_by_type(m_, a, b);
  return !d_.callbacks.contact_filter(m_, d_, geoms.first, geoms.second);
}

/// Geoms of `body` close to the other body; all of them if the other one has no box.
int Midphase::geoms_near(int body, int other, int* out) const {
  if (has_box(m_, other)) return geoms_in_box(m_, d_, bounds_, body, bounds_.body[other], out);
  for (int i = 0; i < m_.body_geomnum[body]; ++i) out[i] = m_.body_geomadr[body] + i;
  return m_.body_geomnum[body];
}

bool Midphase::boxes_overlap(int a, int b) const {
  return !has_box(m_, m_.geom_bodyid[a]) || !has_box(m_, m_.geom_bodyid[b]) ||
         overlap(bounds_.geom[a], bounds_.geom[b]);
}

int Midphase::overlapping_pairs(int near_a, int near_b, GeomPair* out) const {
  int n = 0;
  for (int i = 0; i < near_a; ++i)
    for (int j = 0; j < near_b; ++j)
      if (boxes_overlap(near_[0][i], near_[1][j]) && may_collide(near_[0][i], near_[1][j]))
        out[n++] = ordered_by_type(m_, near_[0][i], near_[1][j]);
  std::sort(out, out + n, [](const GeomPair& x, const GeomPair& y) {
    return x.first != y.first ? x.first < y.first : x.second < y.second;
  });
  return n;
}

}  // namespace sinew
