#include "dynamics/passive.h"

#include <algorithm>
#include <type_traits>

#include "dynamics/awake.h"
#include "dynamics/contact_bodies.h"
#include "dynamics/flex_forces.h"
#include "dynamics/fluid.h"
#include "dynamics/jacobian.h"
#include "dynamics/joint_table.h"
#include "dynamics/plugins.h"
#include "math/dual.h"
#include "math/pack.h"

namespace sinew {

bool gravity_compensated(const Model& m) {
  const auto& g = m.opt.gravity;
  // as in MuJoCo, negative gravcomp alone does not enable it
  return !m.opt.disabled(kDisableGravity) && (g[0] != 0 || g[1] != 0 || g[2] != 0) &&
         std::ranges::any_of(m.body_gravcomp, [](double share) { return share > 0; });
}

namespace {

template <class Real>
void joint_springs(const Model& m, BasicData<Real>& d, const Awake& awake) {
  for (int jnt = 0; jnt < m.njnt; ++jnt) {
    const SpringLaw law = joint_spring(m, jnt);
    if (law.none() || !awake.body(m.jnt_bodyid[jnt])) continue;
    const int qposadr = m.jnt_qposadr[jnt];
    visit_joint(joint_type(m, jnt), [&](auto kind) {
      kind.spring(&d.qfrc_spring[m.jnt_dofadr[jnt]], law, static_cast<const Real*>(&d.qpos[qposadr]),
                  &m.qpos_spring[qposadr]);
    });
  }
}

template <class Real>
void dof_dampers(const Model& m, BasicData<Real>& d, const Awake& awake) {
  const Real* qvel = d.qvel.data();
  Real* force = d.qfrc_damper.data();
  for (int dof = 0; dof < m.nv; ++dof) {
    if (!awake.dof(dof)) continue;
    force[dof] = Real(0) - qvel[dof] * dof_damper(m, dof).damping(qvel[dof]);
  }
}

template <class Real>
void add_tendon_force(const Model& m, const BasicData<Real>& d, int tendon, const Real& force, Real* qfrc) {
  const Awake awake(m, d);
  const int end = m.ten_J_rowadr[tendon] + m.ten_J_rownnz[tendon];
  for (int k = m.ten_J_rowadr[tendon]; k < end; ++k)
    if (awake.dof(m.ten_J_colind[k])) qfrc[m.ten_J_colind[k]] += d.ten_J[k] * force;
}

template <class Real>
void tendon_springs_and_dampers(const Model& m, BasicData<Real>& d) {
  const bool springs = !m.opt.disabled(kDisableSpring), dampers = !m.opt.disabled(kDisableDamper);
  for (int t = 0; t < m.ntendon; ++t) {
    const SpringLaw spring = tendon_spring(m, t);
    if (springs && !spring.none()) {
      const Real x = tendon_stretch(m, d, t);
      add_tendon_force(m, d, t, -x * spring.stiffness(x), d.qfrc_spring.data());
    }
    const DamperLaw damper = tendon_damper(m, t);
    if (dampers && !damper.none()) {
      const Real v = d.ten_velocity[t];
      add_tendon_force(m, d, t, -v * damper.damping(v), d.qfrc_damper.data());
    }
  }
}

template <class Real>
void gravity_compensation(const Model& m, BasicData<Real>& d, const Awake& awake) {
  const Vec3<Real> gravity = Vec3<Real>::load(m.opt.gravity.data());
  for (int body = 1; body < m.nbody; ++body) {
    if (m.body_gravcomp[body] == 0 || !awake.body(body)) continue;
    const Vec3<Real> lift = gravity * Real(-(m.body_mass[body] * m.body_gravcomp[body]));
    apply_force<Real>(m, d, lift, {}, Vec3<Real>::load(&d.xipos[3 * body]), body, d.qfrc_gravcomp.data());
  }
}

/// Each adhesive contact pulls its two sides together along the normal.
template <class Real>
void contact_adhesion(const Model& m, BasicData<Real>& d, const Awake& awake) {
  for (int i = 0; i < d.ncon; ++i) {
    const Contact& con = d.contact[std::size_t(i)];
    if (con.adhesion == 0 || con.exclude > 1) continue;
    const Vec3<Real> pull = Vec3<Real>::load(con.frame.data()) * Real(con.adhesion);
    const Vec3<Real> point = Vec3<Real>::load(con.pos.data());
    if (con.geom[0] < 0 || con.geom[1] < 0) {
      if constexpr (std::is_same_v<Real, double>) {  // derivatives know no flexes
        for (const int side : {0, 1}) {
          for_each_contact_body(m, d, con, side, [&](int body, double weight) {
            const Vec3<Real> force = pull * (side == 0 ? weight : -weight);
            if (awake.body(body)) apply_force<Real>(m, d, force, {}, point, body, d.qfrc_adhesion.data());
          });
        }
      }
      continue;
    }
    const int body1 = m.geom_bodyid[con.geom[0]], body2 = m.geom_bodyid[con.geom[1]];
    if (awake.body(body1)) apply_force<Real>(m, d, pull, {}, point, body1, d.qfrc_adhesion.data());
    if (awake.body(body2)) apply_force<Real>(m, d, -pull, {}, point, body2, d.qfrc_adhesion.data());
  }
}

template <class Real>
void clear_parts(const Model& m, BasicData<Real>& d, const Awake& awake) {
  Real* const parts[] = {d.qfrc_spring.data(), d.qfrc_damper.data(),   d.qfrc_gravcomp.data(),
                         d.qfrc_fluid.data(),  d.qfrc_adhesion.data(), d.qfrc_passive.data()};
  const int nv = static_cast<int>(m.nv);
  if constexpr (std::is_same_v<Real, double>) {
    if (awake.everything()) {
      in_packs(nv, [&]<class T>(int i) SINEW_INLINED {
        for (double* part : parts) store_as(part + i, T{});
      });
      return;
    }
  }
  for (int i = 0; i < nv; ++i) {
    if (!awake.dof(i)) continue;
    for (Real* part : parts) part[i] = Real(0);
  }
}

template <class Real>
void add_parts(const Model& m, BasicData<Real>& d) {
  const Real *spring = d.qfrc_spring.data(), *damper = d.qfrc_damper.data();
  const Real *fluid = d.qfrc_fluid.data(), *adhesion = d.qfrc_adhesion.data();
  Real* passive = d.qfrc_passive.data();
  if constexpr (std::is_same_v<Real, double>) {
    in_packs(static_cast<int>(m.nv), [&]<class T>(int i) SINEW_INLINED {
      store_as(passive + i,
               load_as<T>(spring + i) + load_as<T>(damper + i) + load_as<T>(fluid + i) + load_as<T>(adhesion + i));
    });
  } else {
    for (int i = 0; i < m.nv; ++i) passive[i] = spring[i] + damper[i] + fluid[i] + adhesion[i];
  }
}

}  // namespace

template <class Real>
void passive_forces(const Model& m, BasicData<Real>& d) {
  const Awake awake(m, d);
  clear_parts(m, d, awake);
  const bool springs = !m.opt.disabled(kDisableSpring), dampers = !m.opt.disabled(kDisableDamper);
  if (!springs && !dampers) return;

  if (springs) joint_springs(m, d, awake);
  if (dampers) dof_dampers(m, d, awake);
  if constexpr (std::is_same_v<Real, double>)  // the analytic derivatives refuse flexes
    if (m.nflex > 0) flex_forces(m, d);
  tendon_springs_and_dampers(m, d);
  const bool gravcomp = gravity_compensated(m);
  if (gravcomp) gravity_compensation(m, d, awake);
  if (has_fluid(m)) fluid_forces(m, d);
  if constexpr (std::is_same_v<Real, double>)
    if (m.nflex > 0) passive_contact_forces(m, d);
  if (!m.opt.disabled(kDisableContact)) contact_adhesion(m, d, awake);

  add_parts(m, d);
  if (gravcomp) {
    for (int dof = 0; dof < m.nv; ++dof)
      if (!m.jnt_actgravcomp[m.dof_jntid[dof]]) d.qfrc_passive[dof] += d.qfrc_gravcomp[dof];
  }
  if (d.callbacks.passive) d.callbacks.passive(m, d);
  if constexpr (std::is_same_v<Real, double>)
    for_each_plugin(m, d, kPluginPassive, [&](PluginInstance& plugin, int) { plugin.add_passive_force(m, d); });
}

template void passive_forces(const Model&, BasicData<double>&);

template void passive_forces(const Model&, BasicData<Dual4>&);

}  // namespace sinew
