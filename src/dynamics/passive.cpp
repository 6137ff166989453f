#include "dynamics/passive.h"

#include <algorithm>

#include "dynamics/actuator_load.h"
#include "dynamics/fluid.h"
#include "dynamics/jacobian.h"
#include "math/quat.h"

namespace sinew {

Coefficients joint_stiffness(const Model& m, int jnt) {
  return {m.jnt_stiffness[jnt], m.jnt_stiffnesspoly[2 * jnt], m.jnt_stiffnesspoly[2 * jnt + 1]};
}

Coefficients tendon_stiffness(const Model& m, int tendon) {
  return {m.tendon_stiffness[tendon], m.tendon_stiffnesspoly[2 * tendon], m.tendon_stiffnesspoly[2 * tendon + 1]};
}

namespace {

void add_actuator_damping(const Model& m, int actuator, double gear2, Coefficients& c) {
  c.k += m.actuator_damping[actuator] * gear2;
  c.p0 += m.actuator_dampingpoly[2 * actuator] * gear2;
  c.p1 += m.actuator_dampingpoly[2 * actuator + 1] * gear2;
}

}  // namespace

Coefficients dof_damping(const Model& m, int dof) {
  Coefficients c = {m.dof_damping[dof], m.dof_dampingpoly[2 * dof], m.dof_dampingpoly[2 * dof + 1]};
  visit_joint_load(m, m.dof_jntid[dof], [&](int a, double gear2) { add_actuator_damping(m, a, gear2, c); });
  return c;
}

Coefficients tendon_damping(const Model& m, int tendon) {
  Coefficients c = {m.tendon_damping[tendon], m.tendon_dampingpoly[2 * tendon], m.tendon_dampingpoly[2 * tendon + 1]};
  visit_tendon_load(m, tendon, [&](int a, double gear2) { add_actuator_damping(m, a, gear2, c); });
  return c;
}

bool gravity_compensated(const Model& m) {
  const auto& g = m.opt.gravity;
  return m.flg_gravcomp && !m.opt.disabled(kDisableGravity) && (g[0] != 0 || g[1] != 0 || g[2] != 0);
}

namespace {

/// f = -x k(|x|) for a displacement in three directions.
template <class Real>
void spring3(const Coefficients& stiffness, const Vec3<Real>& x, Real* force) {
  (x * -stiffness.spring(norm(x))).store(force);
}

template <class Real>
void joint_springs(const Model& m, BasicData<Real>& d) {
  for (int jnt = 0; jnt < m.njnt; ++jnt) {
    const Coefficients stiffness = joint_stiffness(m, jnt);
    if (stiffness.zero()) continue;
    const Real* q = &d.qpos[m.jnt_qposadr[jnt]];
    const double* rest = &m.qpos_spring[m.jnt_qposadr[jnt]];
    Real* force = &d.qfrc_spring[m.jnt_dofadr[jnt]];
    const auto rotation = [&](int at) {
      return subtract(normalized(Quat<Real>::load(q + at)), Quat<Real>::load(rest + at));
    };
    switch (JointType(m.jnt_type[jnt])) {
      case JointType::Free:
        spring3(stiffness, Vec3<Real>::load(q) - Vec3<Real>::load(rest), force);
        spring3(stiffness, rotation(3), force + 3);
        break;
      case JointType::Ball:
        spring3(stiffness, rotation(0), force);
        break;
      case JointType::Slide:
      case JointType::Hinge: {
        const Real x = q[0] - Real(rest[0]);
        force[0] = -x * stiffness.spring(x);
        break;
      }
    }
  }
}

template <class Real>
void dof_dampers(const Model& m, BasicData<Real>& d) {
  for (int dof = 0; dof < m.nv; ++dof) {
    const Coefficients damping = dof_damping(m, dof);
    if (!damping.zero()) d.qfrc_damper[dof] = -d.qvel[dof] * damping.damper(d.qvel[dof]);
  }
}

template <class Real>
void add_tendon_force(const Model& m, const BasicData<Real>& d, int tendon, const Real& force, Real* qfrc) {
  const int end = m.ten_J_rowadr[tendon] + m.ten_J_rownnz[tendon];
  for (int k = m.ten_J_rowadr[tendon]; k < end; ++k) qfrc[m.ten_J_colind[k]] += d.ten_J[k] * force;
}

template <class Real>
void tendon_springs_and_dampers(const Model& m, BasicData<Real>& d) {
  const bool springs = !m.opt.disabled(kDisableSpring), dampers = !m.opt.disabled(kDisableDamper);
  for (int t = 0; t < m.ntendon; ++t) {
    const Coefficients stiffness = tendon_stiffness(m, t), damping = tendon_damping(m, t);
    if (springs && !stiffness.zero()) {
      const Real x = tendon_stretch(m, d, t);
      add_tendon_force(m, d, t, -x * stiffness.spring(x), d.qfrc_spring.data());
    }
    if (dampers && !damping.zero()) {
      const Real v = d.ten_velocity[t];
      add_tendon_force(m, d, t, -v * damping.damper(v), d.qfrc_damper.data());
    }
  }
}

template <class Real>
void gravity_compensation(const Model& m, BasicData<Real>& d) {
  const Vec3<Real> gravity = Vec3<Real>::load(m.opt.gravity.data());
  for (int body = 1; body < m.nbody; ++body) {
    if (m.body_gravcomp[body] == 0) continue;
    const Vec3<Real> lift = gravity * Real(-(m.body_mass[body] * m.body_gravcomp[body]));
    apply_force<Real>(m, d, lift, {}, Vec3<Real>::load(&d.xipos[3 * body]), body, d.qfrc_gravcomp.data());
  }
}

/// Each adhesive contact pulls its two bodies together along the normal.
template <class Real>
void contact_adhesion(const Model& m, BasicData<Real>& d) {
  for (int i = 0; i < d.ncon; ++i) {
    const Contact& con = d.contact[std::size_t(i)];
    if (con.adhesion == 0 || con.exclude > 1 || con.geom[0] < 0 || con.geom[1] < 0) continue;
    const Vec3<Real> pull = Vec3<Real>::load(con.frame.data()) * Real(con.adhesion);
    const Vec3<Real> point = Vec3<Real>::load(con.pos.data());
    apply_force<Real>(m, d, pull, {}, point, m.geom_bodyid[con.geom[0]], d.qfrc_adhesion.data());
    apply_force<Real>(m, d, -pull, {}, point, m.geom_bodyid[con.geom[1]], d.qfrc_adhesion.data());
  }
}

}  // namespace

template <class Real>
void passive_forces(const Model& m, BasicData<Real>& d) {
  for (auto part : {d.qfrc_spring, d.qfrc_damper, d.qfrc_gravcomp, d.qfrc_fluid, d.qfrc_adhesion, d.qfrc_passive})
    std::fill(part.begin(), part.end(), Real(0));
  const bool springs = !m.opt.disabled(kDisableSpring), dampers = !m.opt.disabled(kDisableDamper);
  if (!springs && !dampers) return;

  if (springs) joint_springs(m, d);
  if (dampers) dof_dampers(m, d);
  tendon_springs_and_dampers(m, d);
  const bool gravcomp = gravity_compensated(m);
  if (gravcomp) gravity_compensation(m, d);
  if (has_fluid(m)) fluid_forces(m, d);
  if (m.flg_adhesion && !m.opt.disabled(kDisableContact)) contact_adhesion(m, d);

  for (int dof = 0; dof < m.nv; ++dof)
    d.qfrc_passive[dof] = d.qfrc_spring[dof] + d.qfrc_damper[dof] + d.qfrc_fluid[dof] + d.qfrc_adhesion[dof];
  if (gravcomp) {
    for (int dof = 0; dof < m.nv; ++dof)
      if (!m.jnt_actgravcomp[m.dof_jntid[dof]]) d.qfrc_passive[dof] += d.qfrc_gravcomp[dof];
  }
  if (d.callbacks.passive) d.callbacks.passive(m, d);
}

template void passive_forces(const Model&, BasicData<double>&);

}  // namespace sinew
