#include "collision/bounds.h"

#include <algorithm>

#include "base/arena.h"
#include "collision/filter.h"

namespace sinew {

bool meets_every_body(const Model& m, int body) {
  if (body == 0) return true;
  if (m.body_dofnum[m.body_weldid[body]] > 0) return false;
  const int* type = &m.geom_type[m.body_geomadr[body]];
  return std::find(type, type + m.body_geomnum[body], static_cast<int>(GeomType::Plane)) != type + m.body_geomnum[body];
}

Box body_box(const Model& m, const Data& d, int body) {
  Box all = Box::empty();
  const int first = m.body_geomadr[body];
  for (int g = first; g < first + m.body_geomnum[body]; ++g)
    if (geom_is_collidable(m, g)) all.extend(geom_box(m, d, g));
  return all;
}

Bounds compute_bounds(const Model& m, const Data& d, Scratch& scratch) {
  Bounds bounds;
  bounds.geom = scratch.take<Box>(m.ngeom);
  bounds.body = scratch.take<Box>(m.nbody);
  for (int body = 0; body < m.nbody; ++body) {
    Box all = Box::empty();
    const bool used = m.body_contype[body] != 0 || m.body_conaffinity[body] != 0;
    if (used && has_box(m, body)) {
      const int first = m.body_geomadr[body], count = m.body_geomnum[body];
      for (int g = first; g < first + count; ++g) {
        bounds.geom[g] = geom_box(m, d, g);
        if (geom_is_collidable(m, g)) all.extend(bounds.geom[g]);
      }
    }
    bounds.body[body] = all;
  }
  return bounds;
}

}  // namespace sinew
