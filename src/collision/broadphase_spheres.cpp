#include "collision/broadphase_spheres.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "base/arena.h"
#include "collision/near_spheres.h"

namespace sinew {
namespace {

/// False if the array is full, or the geom has mask bits that its body lacks.
bool add_candidate(const Model& m, const Data& d, int g, const BodyFilter& of_body, SphereCandidates& c) {
  constexpr double kHair = 1e-12;
  const int i = c.count, type_bits = m.geom_contype[g], affinity_bits = m.geom_conaffinity[g];
  if (i == kFewGeoms || ((type_bits & ~of_body.contype) | (affinity_bits & ~of_body.conaffinity)) != 0) return false;
  const double rbound = m.geom_rbound[g], share = geom_reach(m, g);
  const double* pos = &d.geom_xpos[3 * g];
  c.x[i] = pos[0];
  c.y[i] = pos[1];
  c.z[i] = pos[2];
  c.radius[i] =
      rbound > 0 ? rbound + share + kHair * (rbound + std::abs(share)) : std::numeric_limits<double>::infinity();
  c.reach[i] = share;
  c.type[i] = m.geom_type[g];
  c.contype[i] = type_bits;
  c.conaffinity[i] = affinity_bits;
  c.weld[i] = of_body.weld;
  c.parent[i] = of_body.parent == 0 ? -1 : of_body.parent;
  c.moves[i] = -static_cast<long long>(of_body.dofs > 0);
  c.geom[i] = g;
  c.body[i] = c.nbody;
  c.count = i + 1;
  return true;
}

bool collect(const Model& m, const Data& d, SphereCandidates& c) {
  c.count = c.nbody = 0;
  for (int body = 0; body < m.nbody; ++body) {
    if (!body_is_collidable(m, body)) continue;
    const BodyFilter of_body(m, {}, body);
    const int first = m.body_geomadr[body], end = first + m.body_geomnum[body], before = c.count;
    for (int g = first; g < end; ++g)
      if (geom_is_collidable(m, g) && !add_candidate(m, d, g, of_body, c)) return false;
    // a body may have mask bits that none of its geoms has any more: only bodies with candidates are numbered
    if (c.count > before) c.end[c.nbody++] = c.count;
  }
  c.pad();
  return true;
}

}  // namespace

bool SphereBroadphase::find() {
  if (d_.callbacks.contact_filter) return false;
  SphereCandidates& c = *scratch_.take<SphereCandidates>(1);
  if (!collect(m_, d_, c)) return false;
  int* near = scratch_.take<int>(static_cast<std::size_t>(c.count) * c.count / 2 + 4);
  const int near_count = near_pairs(c, d_.geom_xmat.data(), near);

  // one key for each pair, ascending in contact order
  const SleepView sleep = sleep_view(m_, d_);
  const int* body_of = m_.geom_bodyid.data();
  const bool by_type = !m_.opt.disabled(kDisableMidphase);  // otherwise in the order of their ids
  std::uint32_t* key = scratch_.take<std::uint32_t>(near_count);
  std::uint32_t last = 0;
  int count = 0;
  bool sorted = true;
  for (int k = 0; k < near_count; ++k) {
    const int i = near[k] >> 8, j = near[k] & 0xff;
    if (sleep.body_awake && !bodies_may_collide({m_, sleep, body_of[c.geom[i]]}, {m_, sleep, body_of[c.geom[j]]}))
      continue;
    const bool swap = by_type && c.type[i] > c.type[j];
    const std::uint32_t number = c.body[i] << 24 | c.body[j] << 16 | (swap ? j << 8 | i : near[k]);
    sorted &= last <= number;
    key[count++] = last = number;
  }
  if (!sorted) std::sort(key, key + count);

  NearPair* pair = scratch_.take<NearPair>(count);
  for (int k = 0; k < count; ++k) {
    const int a = c.geom[key[k] >> 8 & 0xff], b = c.geom[key[k] & 0xff];
    const BodyPair bodies = a < b ? BodyPair{body_of[a], body_of[b]} : BodyPair{body_of[b], body_of[a]};
    pair[k] = {bodies, {a, b}};
  }
  near_ = pair;
  count_ = count;
  box_ = scratch_.take<Box>(m_.ngeom);
  box_known_ = scratch_.zeros<bool>(m_.ngeom);
  return true;
}

/// Whether the sweep would compare the boxes of these bodies' geoms.
bool SphereBroadphase::boxes_count(int a, int b) const {
  return !only_as_bodies(m_, a, b) || !(meets_every_body(m_, a) || meets_every_body(m_, b));
}

/// Shapes that penetrate by more than rounding have boxes that overlap at least as much. The box of a moving plane is
/// an exception.
bool SphereBroadphase::clearly_meet(const GeomPair& geoms, std::span<const ContactPoint> found, double margin) const {
  constexpr double kClear = 1e-6;
  const bool plane = m_.geom_type[geoms.first] == static_cast<int>(GeomType::Plane);
  if (plane && !meets_every_body(m_, m_.geom_bodyid[geoms.first])) return false;
  return std::ranges::any_of(found, [&](const ContactPoint& p) {
    const double size = 1 + std::abs(p.pos.x) + std::abs(p.pos.y) + std::abs(p.pos.z);
    return margin - p.dist > kClear * size;
  });
}

/// The result of the sweep and the midphase.
bool SphereBroadphase::boxes_meet(const GeomPair& geoms) {
  const int a = m_.geom_bodyid[geoms.first], b = m_.geom_bodyid[geoms.second];
  if (!meets_every_body(m_, a) && !meets_every_body(m_, b)) {
    const BodyPair bodies = {std::min(a, b), std::max(a, b)};
    const Box first = body_box(m_, d_, bodies.first), second = body_box(m_, d_, bodies.second);
    if (!first.finite() || !second.finite() || !(overlap_depth(first, second) >= 0)) return false;
    if (touching_.drops(bodies, first, second)) return false;
  }
  if (only_as_bodies(m_, a, b) || !has_box(m_, a) || !has_box(m_, b)) return true;
  return overlap(box_of(geoms.first), box_of(geoms.second));
}

const Box& SphereBroadphase::box_of(int geom) {
  if (!box_known_[geom]) box_[geom] = geom_box(m_, d_, geom);
  box_known_[geom] = true;
  return box_[geom];
}

}  // namespace sinew
