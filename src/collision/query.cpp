#include "sinew/query.h"

#include <algorithm>

#include "base/arena.h"
#include "collision/ccd.h"
#include "collision/contact_params.h"
#include "collision/pair_table.h"

namespace sinew {
namespace {

std::array<double, 3> as_array(const Vec3d& v) { return {v.x, v.y, v.z}; }

/// By GJK and EPA, with the geoms in the caller's order: the path of the iteration depends on it.
GeomDistance distance_by_ccd(const Model& m, Data& d, const Shape& s1, const Shape& s2, double distmax) {
  CcdConfig config;
  config.tolerance = m.opt.ccd_tolerance;
  config.iterations = m.opt.ccd_iterations;
  config.cutoff = distmax;
  Convex o1 = convex_of(m, s1, 0), o2 = convex_of(m, s2, 0);
  const CcdResult result = convex_distance(m, o1, o2, config, d.scratch());
  GeomDistance out;
  out.dist = std::min(result.dist, distmax);
  if (result.count > 0) {
    out.from = as_array(result.x1[0]);
    out.to = as_array(result.x2[0]);
  }
  return out;
}

/// The deepest contact that the pair function finds within distmax.
GeomDistance distance_by_contacts(const PairRow& row, const Model& m, Data& d, const Shape& s1, const Shape& s2,
                                  double distmax) {
  const bool swapped = s1.type > s2.type;
  const Shape &a = swapped ? s2 : s1, &b = swapped ? s1 : s2;
  Scratch scratch(d.scratch());
  ContactPoint* found = scratch.take<ContactPoint>(row.most(m, distmax));
  const int count = row.contacts({m, d.scratch()}, a, b, distmax, found);
  GeomDistance out;
  out.dist = distmax;
  for (int i = 0; i < count; ++i) {
    if (!(found[i].dist < out.dist)) continue;
    out.dist = found[i].dist;
    const Vec3d half = found[i].normal * (0.5 * out.dist * (swapped ? -1 : 1));
    out.from = as_array(found[i].pos - half);
    out.to = as_array(found[i].pos + half);
  }
  return out;
}

}  // namespace

GeomDistance geom_distance(const Model& m, Data& d, int geom1, int geom2, double distmax) {
  const Shape s1 = shape_of(m, d, geom1), s2 = shape_of(m, d, geom2);
  const PairRow& row = pair_row(m, ordered_by_type(m, geom1, geom2));
  if (!row.contacts) {
    GeomDistance none;
    none.dist = distmax;
    return none;
  }
  if (row.distance == DistanceBy::Ccd && !m.opt.disabled(kDisableNativeccd))
    return distance_by_ccd(m, d, s1, s2, distmax);
  return distance_by_contacts(row, m, d, s1, s2, distmax);
}

int max_contacts(const Model& m, int geom1, int geom2) {
  return pair_row(m, ordered_by_type(m, geom1, geom2)).most(m, detection_margin(m, geom1, geom2, -1));
}

}  // namespace sinew
