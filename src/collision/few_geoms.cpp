#include "collision/few_geoms.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>

#include "base/arena.h"
#include "math/pack.h"

namespace sinew {
namespace {

constexpr int kFewGeoms = 64;

using Lanes = long long __attribute__((vector_size(32)));  // what comparing two Packs gives

/// The geoms that may collide, body by body, and what decides about two of them, side by side in memory.
struct Candidates {
  static constexpr int kRoom = kFewGeoms + 4;  // what is compared last, four at a time, may be behind the end
  template <class T>
  using Array = T[kRoom];

  // the bounding sphere, wider by the geom's share of the margin and a hair; a geom without one reaches everywhere
  Array<double> x, y, z, radius;
  Array<double> reach;  // the share of the margin
  // as in BodyFilter; a parent that is the world counts as none
  Array<long long> contype, conaffinity, weld, parent;
  Array<long long> moves;  // -1: the weld group has dofs, else 0
  Array<int> geom, type;
  Array<int> body;  // number among the bodies that have candidates
  Array<int> end;   // of such a body's candidates
  int count = 0, nbody = 0;

  bool add(const Model& m, const Data& d, int g, const BodyFilter& of_body);
};

/// False where there is no room, or the geom has a type that its body does not know of.
bool Candidates::add(const Model& m, const Data& d, int g, const BodyFilter& of_body) {
  constexpr double kHair = 1e-12;
  const int i = count, type_bits = m.geom_contype[g], affinity_bits = m.geom_conaffinity[g];
  if (i == kFewGeoms || ((type_bits & ~of_body.contype) | (affinity_bits & ~of_body.conaffinity)) != 0) return false;
  const double rbound = m.geom_rbound[g], share = geom_reach(m, g);
  const double* pos = &d.geom_xpos[3 * g];
  x[i] = pos[0];
  y[i] = pos[1];
  z[i] = pos[2];
  radius[i] =
      rbound > 0 ? rbound + share + kHair * (rbound + std::abs(share)) : std::numeric_limits<double>::infinity();
  reach[i] = share;
  type[i] = m.geom_type[g];
  contype[i] = type_bits;
  conaffinity[i] = affinity_bits;
  weld[i] = of_body.weld;
  parent[i] = of_body.parent == 0 ? -1 : of_body.parent;
  moves[i] = -static_cast<long long>(of_body.dofs > 0);
  geom[i] = g;
  body[i] = nbody;
  count = i + 1;
  return true;
}

bool collect(const Model& m, const Data& d, Candidates& c) {
  c.count = c.nbody = 0;
  for (int body = 0; body < m.nbody; ++body) {
    if (!body_is_collidable(m, body)) continue;
    const BodyFilter of_body(m, {}, body);
    const int first = m.body_geomadr[body], end = first + m.body_geomnum[body], before = c.count;
    for (int g = first; g < end; ++g)
      if (geom_is_collidable(m, g) && !c.add(m, d, g, of_body)) return false;
    // a body may have bits that none of its geoms has any more: only those with candidates are numbered
    if (c.count > before) c.end[c.nbody++] = c.count;
  }
  for (int i = c.count; i < c.count + 4; ++i) {
    c.x[i] = std::numeric_limits<double>::quiet_NaN();  // near nothing
    c.contype[i] = c.conaffinity[i] = c.weld[i] = c.parent[i] = c.moves[i] = 0;
  }
  return true;
}

SINEW_INLINE Lanes lanes(const long long* p) {
  Lanes v;
  std::memcpy(&v, p, sizeof v);
  return v;
}

/// bodies_may_collide, apart from sleep, and the masks of the geoms: candidate i with four others.
SINEW_INLINE Lanes may_collide(const Candidates& c, int i, int j) {
  const Lanes matching = (c.contype[i] & lanes(c.conaffinity + j)) | (c.conaffinity[i] & lanes(c.contype + j));
  const long long weld = c.weld[i];
  const Lanes other = lanes(c.weld + j);
  const Lanes tied = (other == weld) | (other == c.parent[i]) | (lanes(c.parent + j) == weld);
  return (matching != 0) & ~tied & (c.moves[i] | lanes(c.moves + j));
}

/// Pairs that may collide, and whose spheres overlap or reach down to the plane that the first one is: i << 8 | j.
SINEW_KERNEL int near_pairs(const Candidates& c, const double* geom_xmat, int* near) {
  int count = 0;
  for (int i = 0; i < c.count; ++i) {
    const bool plane = c.type[i] == static_cast<int>(GeomType::Plane);
    const double* mat = geom_xmat + 9 * c.geom[i];
    for (int j = c.end[c.body[i]]; j < c.count; j += 4) {
      const Pack dx = load(c.x + j) - c.x[i], dy = load(c.y + j) - c.y[i], dz = load(c.z + j) - c.z[i];
      Lanes meets = may_collide(c, i, j);
      if (plane) {
        const Pack height = mat[2] * dx + mat[5] * dy + mat[8] * dz;
        meets &= height <= load(c.radius + j) + c.reach[i];
      } else {
        const Pack reach = load(c.radius + j) + c.radius[i];
        meets &= dx * dx + dy * dy + dz * dz <= reach * reach;
      }
      for (int lane = 0; lane < 4; ++lane) {
        near[count] = (i << 8) + j + lane;
        count -= static_cast<int>(meets[lane]);  // true is -1
      }
    }
  }
  return count;
}

/// Numbers that are nearly in order: only the geoms of one body are out of it.
void sort_keys(std::uint32_t* key, int n) {
  constexpr int kMany = 100;
  if (n > kMany) return std::sort(key, key + n);
  for (int i = 1; i < n; ++i) {
    const std::uint32_t number = key[i];
    int k = i;
    for (; k > 0 && key[k - 1] > number; --k) key[k] = key[k - 1];
    key[k] = number;
  }
}

}  // namespace

bool pairs_of_few_geoms(const Model& m, const Data& d, Scratch& scratch, NearPairs& out) {
  Candidates& c = *scratch.take<Candidates>(1);
  if (!collect(m, d, c)) return false;
  int* near = scratch.take<int>(static_cast<std::size_t>(c.count) * c.count / 2 + 4);
  const int near_count = near_pairs(c, d.geom_xmat.data(), near);

  // one number for each pair, ascending in the order of contacts
  const SleepView sleep = sleep_view(m, d);
  const int* body_of = m.geom_bodyid.data();
  const bool by_type = !m.opt.disabled(kDisableMidphase);  // else in the order of their numbers
  std::uint32_t* key = scratch.take<std::uint32_t>(near_count);
  std::uint32_t last = 0;
  int count = 0;
  bool sorted = true;
  for (int k = 0; k < near_count; ++k) {
    const int i = near[k] >> 8, j = near[k] & 0xff;
    if (sleep.body_awake && !bodies_may_collide({m, sleep, body_of[c.geom[i]]}, {m, sleep, body_of[c.geom[j]]}))
      continue;
    const bool swap = by_type && c.type[i] > c.type[j];
    const std::uint32_t number = c.body[i] << 24 | c.body[j] << 16 | (swap ? j << 8 | i : near[k]);
    sorted &= last <= number;
    key[count++] = last = number;
  }
  if (!sorted) sort_keys(key, count);

  NearPair* pair = scratch.take<NearPair>(count);
  for (int k = 0; k < count; ++k) {
    const int a = c.geom[key[k] >> 8 & 0xff], b = c.geom[key[k] & 0xff];
    const BodyPair bodies = a < b ? BodyPair{body_of[a], body_of[b]} : BodyPair{body_of[b], body_of[a]};
    pair[k] = {bodies, {a, b}};
  }
  out = {pair, count};
  return true;
}

}  // namespace sinew
