#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "collision/shape.h"

namespace sinew {

/// An axis-aligned box in the world frame. A box with lo > hi or NaN overlaps nothing.
struct Box {
  double lo[3], hi[3];

  static Box empty() {
    constexpr double kInf = std::numeric_limits<double>::infinity();
    return {{kInf, kInf, kInf}, {-kInf, -kInf, -kInf}};
  }
  void extend(const Box& b) {
    for (int i = 0; i < 3; ++i) {
      lo[i] = std::min(lo[i], b.lo[i]);
      hi[i] = std::max(hi[i], b.hi[i]);
    }
  }
  bool finite() const {
    constexpr double kMost = 1e300;
    bool ok = true;
    for (int i = 0; i < 3; ++i) ok &= lo[i] <= hi[i] && lo[i] > -kMost && hi[i] < kMost;
    return ok;
  }
};

inline bool overlap(const Box& a, const Box& b) {
  return a.lo[0] <= b.hi[0] && b.lo[0] <= a.hi[0] && a.lo[1] <= b.hi[1] && b.lo[1] <= a.hi[1] && a.lo[2] <= b.hi[2] &&
         b.lo[2] <= a.hi[2];
}

/// The world box around a local box (center, half sizes: as in geom_aabb) at a pose, widened by `margin`, and by a tiny
/// slack so that rounding never loses a contact.
inline Box world_box(const double* aabb, const double* pos, const double* mat, double margin) {
  constexpr double kHair = 1e-11;
  Box box;
  for (int i = 0; i < 3; ++i) {
    const double* r = mat + 3 * i;
    const double center = pos[i] + (r[0] * aabb[0] + r[1] * aabb[1] + r[2] * aabb[2]);
    double half = std::abs(r[0]) * aabb[3] + std::abs(r[1]) * aabb[4] + std::abs(r[2]) * aabb[5] + margin;
    half += kHair * (half + std::abs(center));
    box.lo[i] = center - half;
    box.hi[i] = center + half;
  }
  return box;
}

/// Overlap of two boxes along the axis where it is smallest; negative: they are disjoint.
inline double overlap_depth(const Box& a, const Box& b) {
  double least[3];
  for (int k = 0; k < 3; ++k) least[k] = std::min(a.hi[k] - b.lo[k], b.hi[k] - a.lo[k]);
  return std::min(std::min(least[0], least[1]), least[2]);
}

/// One geom's share of the distance below which its contacts are listed.
inline double geom_reach(const Model& m, int geom) {
  return (m.opt.enabled(kEnableOverride) ? 0.5 * m.opt.o_margin : m.geom_margin[geom]) + m.geom_gap[geom];
}

/// The largest Euclidean distance for that. Two boxes have contacts if none of their 15 axes separates them by more
/// than the margin; between corners the closest points are up to sqrt(3) times as far apart.
inline double corner_reach(double reach) {
  constexpr double kSqrt3 = 1.7320508075688774;
  return reach > 0 ? kSqrt3 * reach : reach;
}

/// The world has a box, like other bodies, only if it has at most this many geoms: their boxes would be recomputed in
/// every step although they never move. A world with more geoms is searched by its tree.
inline constexpr int kWorldGeomsWithBoxes = 16;
inline bool has_box(const Model& m, int body) { return body != 0 || m.body_geomnum[0] <= kWorldGeomsWithBoxes; }

/// The world, and static bodies with a plane: every body is close to them, whatever their boxes.
bool meets_every_body(const Model& m, int body);

/// Geoms of two bodies are found by the bodies' boxes alone: each is its body's only one, or the midphase is disabled.
inline bool only_as_bodies(const Model& m, int a, int b) {
  return m.opt.disabled(kDisableMidphase) || (m.body_geomnum[a] == 1 && m.body_geomnum[b] == 1);
}

/// The world box of a geom's own box, widened by `reach`.
inline Box widened_box(const Model& m, const Data& d, int geom, double reach) {
  return world_box(&m.geom_aabb[6 * static_cast<std::size_t>(geom)], &d.geom_xpos[3 * geom], &d.geom_xmat[9 * geom],
                   reach);
}

/// The world box of a geom, and of all geoms of a body that may collide. That of an sdf geom is the box of its bounding
/// sphere: if its field has the wrong sign, contacts are outside its mesh.
inline Box geom_box(const Model& m, const Data& d, int geom) {
  if (m.geom_type[geom] == static_cast<int>(GeomType::Sdf)) [[unlikely]] {
    constexpr double kUpright[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    const double radius = m.geom_rbound[geom], cube[6] = {0, 0, 0, radius, radius, radius};
    return world_box(cube, &d.geom_xpos[3 * geom], kUpright, geom_reach(m, geom));
  }
  const bool is_box = m.geom_type[geom] == static_cast<int>(GeomType::Box);
  const double reach = geom_reach(m, geom);
  return widened_box(m, d, geom, is_box ? corner_reach(reach) : reach);
}
Box body_box(const Model& m, const Data& d, int body);

/// World boxes of geoms and bodies, each widened by its own share of the margin.
struct Bounds {
  Box* geom = nullptr;  // ngeom; only for geoms of bodies with a box
  Box* body = nullptr;  // nbody
};

class Scratch;
Bounds compute_bounds(const Model& m, const Data& d, Scratch& scratch);

}  // namespace sinew
