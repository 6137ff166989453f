#include "dynamics/body_accelerations.h"

#include <algorithm>

#include "dynamics/newton_euler.h"
#include "dynamics/stage_kernel.h"
#include "math/spatial.h"

namespace sinew {

template <class Real>
void applied_body_forces(const Model& m, BasicData<Real>& d) {
  std::fill(d.cfrc_ext.begin(), d.cfrc_ext.end(), Real(0));
  for (int body = 1; body < m.nbody; ++body) {
    const Real* wrench = &d.xfrc_applied[6 * body];
    if (std::all_of(wrench, wrench + 6, [](const Real& x) { return x == Real(0); })) continue;
    add_body_force(m, d, body, Vec3<Real>::load(wrench), Vec3<Real>::load(wrench + 3),
                   Vec3<Real>::load(&d.xipos[3 * body]));
  }
}

template <class Real>
void add_body_force(const Model& m, BasicData<Real>& d, int body, const Vec3<Real>& force, const Vec3<Real>& torque,
                    const Vec3<Real>& point) {
  if (body == 0) return;
  const Vec3<Real> c = Vec3<Real>::load(&d.subtree_com[3 * m.body_rootid[body]]);
  const Force<Real> at_c = move_force(Force<Real>{torque, force}, point, c);
  Force<Real> sum = Force<Real>::load(&d.cfrc_ext[6 * body]);
  sum += at_c;
  sum.store(&d.cfrc_ext[6 * body]);
}

namespace {

template <class Real>
SINEW_INLINE void accelerate(const Model& m, BasicData<Real>& d) {
  const Real* qacc = d.qacc.data();
  std::fill_n(d.cfrc_int.begin(), 6, Real(0));
  detail::accelerate_bodies(m, d, Awake(), qacc, d.cacc.data(), [&](int body) {
    Force<Real> f = detail::inertial_force<Real>(&d.cinert[10 * body], Motion<Real>::load(&d.cvel[6 * body]),
                                                 Motion<Real>::load(&d.cacc[6 * body]));
    f -= Force<Real>::load(&d.cfrc_ext[6 * body]);
    f.store(&d.cfrc_int[6 * body]);
  });
  for (int body = int(m.nbody) - 1; body > 0; --body) {
    Force<Real> parent = Force<Real>::load(&d.cfrc_int[6 * m.body_parentid[body]]);
    parent += Force<Real>::load(&d.cfrc_int[6 * body]);
    parent.store(&d.cfrc_int[6 * m.body_parentid[body]]);
  }
}

}  // namespace

SINEW_STAGE_WITH_KERNEL(body_accelerations, accelerate);

template void applied_body_forces(const Model&, BasicData<double>&);
template void add_body_force(const Model&, BasicData<double>&, int, const Vec3<double>&, const Vec3<double>&,
                             const Vec3<double>&);
template void applied_body_forces(const Model&, BasicData<Dual4>&);
template void add_body_force(const Model&, BasicData<Dual4>&, int, const Vec3<Dual4>&, const Vec3<Dual4>&,
                             const Vec3<Dual4>&);
}  // namespace sinew
