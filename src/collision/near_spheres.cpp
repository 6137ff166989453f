#include "collision/near_spheres.h"

#include <cstring>

#include "math/pack.h"
#include "sinew/enums.h"

namespace sinew {
namespace {

using Lanes = long long __attribute__((vector_size(32)));  // result of comparing two Packs

SINEW_INLINE Lanes lanes(const long long* p) {
  Lanes v;
  std::memcpy(&v, p, sizeof v);
  return v;
}

/// bodies_may_collide, except for sleep, and the masks of the geoms: candidate i against four others.
SINEW_INLINE Lanes may_collide(const SphereCandidates& c, int i, int j) {
  const Lanes matching = (c.contype[i] & lanes(c.conaffinity + j)) | (c.conaffinity[i] & lanes(c.contype + j));
  const long long weld = c.weld[i];
  const Lanes other = lanes(c.weld + j);
  const Lanes tied = (other == weld) | (other == c.parent[i]) | (lanes(c.parent + j) == weld);
  return (matching != 0) & ~tied & (c.moves[i] | lanes(c.moves + j));
}

}  // namespace

SINEW_KERNEL int near_pairs(const SphereCandidates& c, const double* geom_xmat, int* near) {
  int count = 0;
  for (int i = 0; i < c.count; ++i) {
    const bool plane = c.type[i] == static_cast<int>(GeomType::Plane);
    const double* mat = geom_xmat + 9 * c.geom[i];
    for (int j = c.end[c.body[i]]; j < c.count; j += 4) {
      const Pack dx = load_pack(c.x + j) - c.x[i], dy = load_pack(c.y + j) - c.y[i], dz = load_pack(c.z + j) - c.z[i];
      Lanes meets = may_collide(c, i, j);
      if (plane) {
        const Pack height = mat[2] * dx + mat[5] * dy + mat[8] * dz;
        meets &= height <= load_pack(c.radius + j) + c.reach[i];
      } else {
        const Pack reach = load_pack(c.radius + j) + c.radius[i];
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

}  // namespace sinew
