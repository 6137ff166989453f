#include "dynamics/subtree.h"

#include <algorithm>

#include "base/arena.h"
#include "math/dual.h"
#include "math/spatial.h"

namespace sinew {
namespace {

/// Moment about the new reference point of momentum `mass * v` at `offset` from it.
template <class Real>
Vec3<Real> orbital(const Vec3<Real>& offset, double mass, const Vec3<Real>& v) {
  return cross(offset, v * Real(mass));
}

}  // namespace

template <class Real>
void subtree_velocity(const Model& m, BasicData<Real>& d) {
  Scratch scratch(d.scratch());
  Real* v_com = scratch.take<Real>(std::size_t(3 * m.nbody));  // velocity of each body's own center of mass
  for (int b = 0; b < m.nbody; ++b) {
    const Vec3<Real> c = Vec3<Real>::load(&d.subtree_com[3 * m.body_rootid[b]]);
    const Motion<Real> at_com = move_motion(Motion<Real>::load(&d.cvel[6 * b]), c, Vec3<Real>::load(&d.xipos[3 * b]));
    at_com.v.store(v_com + 3 * b);
    (at_com.v * Real(m.body_mass[b])).store(&d.subtree_linvel[3 * b]);
    const Mat3<Real> R = Mat3<Real>::load(&d.ximat[9 * b]);
    Vec3<Real> w_local = mul_transposed(R, at_com.w);
    for (int k = 0; k < 3; ++k) w_local[k] *= Real(m.body_inertia[3 * b + k]);
    (R * w_local).store(&d.subtree_angmom[3 * b]);
  }

  // leaf to root: accumulate momenta, then divide into velocities
  for (int b = int(m.nbody) - 1; b >= 0; --b) {
    const Vec3<Real> momentum = Vec3<Real>::load(&d.subtree_linvel[3 * b]);
    if (b > 0) momentum.add_to(&d.subtree_linvel[3 * m.body_parentid[b]]);
    (momentum * Real(1 / std::max(kMinVal, m.body_subtreemass[b]))).store(&d.subtree_linvel[3 * b]);
  }

  // leaf to root: shift the body's momentum to the subtree's com, then the subtree's to the parent's
  for (int b = int(m.nbody) - 1; b >= 0; --b) {
    const Vec3<Real> com = Vec3<Real>::load(&d.subtree_com[3 * b]), linvel = Vec3<Real>::load(&d.subtree_linvel[3 * b]);
    orbital(Vec3<Real>::load(&d.xipos[3 * b]) - com, m.body_mass[b], Vec3<Real>::load(v_com + 3 * b) - linvel)
        .add_to(&d.subtree_angmom[3 * b]);
    if (b == 0) continue;
    const int p = m.body_parentid[b];
    Vec3<Real>::load(&d.subtree_angmom[3 * b]).add_to(&d.subtree_angmom[3 * p]);
    orbital(com - Vec3<Real>::load(&d.subtree_com[3 * p]), m.body_subtreemass[b],
            linvel - Vec3<Real>::load(&d.subtree_linvel[3 * p]))
        .add_to(&d.subtree_angmom[3 * p]);
  }
}

template void subtree_velocity(const Model&, BasicData<double>&);

template void subtree_velocity(const Model&, BasicData<Dual4>&);

}  // namespace sinew
