#include "dynamics/com.h"

#include "dynamics/awake.h"
#include "dynamics/joint_table.h"
#include "dynamics/stage_kernel.h"

namespace sinew {
namespace {

/// Leaf to root: a body's sum must be complete before it is added to its parent and divided.
template <class Real>
void subtree_centers(const Model& m, BasicData<Real>& d) {
  for (Real& x : d.subtree_com) x = Real(0);
  for (int b = static_cast<int>(m.nbody) - 1; b >= 0; --b) {
    const Vec3<Real> xipos = Vec3<Real>::load(&d.xipos[3 * b]);
    const Vec3<Real> sum = Vec3<Real>::load(&d.subtree_com[3 * b]) + xipos * Real(m.body_mass[b]);
    if (b > 0) sum.add_to(&d.subtree_com[3 * m.body_parentid[b]]);
    const double mass = m.body_subtreemass[b];
    (mass < kMinVal ? xipos : sum * Real(1 / mass)).store(&d.subtree_com[3 * b]);
  }
}

/// R diag(I) Rᵀ + m (r·r 1 - r rᵀ), then m r and m.
template <class Real>
void inertia_at(const Mat3<Real>& R, const Vec3<double>& I, double mass, const Vec3<Real>& r, Real* cinert) {
  const auto entry = [&](int i, int j) {
    return R(i, 0) * I.x * R(j, 0) + R(i, 1) * I.y * R(j, 1) + R(i, 2) * I.z * R(j, 2);
  };
  const Vec3<Real> mr = r * Real(mass);
  cinert[0] = entry(0, 0) + (mr.y * r.y + mr.z * r.z);
  cinert[1] = entry(1, 1) + (mr.x * r.x + mr.z * r.z);
  cinert[2] = entry(2, 2) + (mr.x * r.x + mr.y * r.y);
  cinert[3] = entry(0, 1) - mr.x * r.y;
  cinert[4] = entry(0, 2) - mr.x * r.z;
  cinert[5] = entry(1, 2) - mr.y * r.z;
  mr.store(cinert + 6);
  cinert[9] = Real(mass);
}

template <class Real>
SINEW_INLINE void refer_to_centers(const Model& m, BasicData<Real>& d) {
  subtree_centers(m, d);
  for (int k = 0; k < 10; ++k) d.cinert[k] = Real(0);
  const Awake awake(m, d);
  for (int b = 1; b < m.nbody; ++b) {
    if (!awake.body(b)) continue;
    const Vec3<Real> c = Vec3<Real>::load(&d.subtree_com[3 * m.body_rootid[b]]);
    inertia_at(Mat3<Real>::load(&d.ximat[9 * b]), Vec3<double>::load(&m.body_inertia[3 * b]), m.body_mass[b],
               Vec3<Real>::load(&d.xipos[3 * b]) - c, &d.cinert[10 * b]);
    const int first = m.body_jntadr[b];
    for (int j = first; j < first + m.body_jntnum[b]; ++j) {
      const Vec3<Real> xaxis = Vec3<Real>::load(&d.xaxis[3 * j]);
      const Vec3<Real> o = c - Vec3<Real>::load(&d.xanchor[3 * j]);
      const Real* xmat = &d.xmat[9 * b];
      visit_joint(joint_type(m, j), [&](auto kind) { kind.axes(&d.cdof[6 * m.jnt_dofadr[j]], xaxis, o, xmat); });
    }
  }
}

}  // namespace

SINEW_STAGE_WITH_KERNEL(com_position, refer_to_centers);

}  // namespace sinew
