#include <algorithm>

#include "derivative/smooth.h"
#include "derivative/sparse_row.h"
#include "dynamics/actuation.h"
#include "dynamics/actuator_table.h"
#include "dynamics/fluid.h"
#include "dynamics/jacobian.h"
#include "dynamics/joint_table.h"
#include "dynamics/passive.h"
#include "dynamics/reflected.h"

namespace sinew {
namespace {

using Vector = Vec3<double>;

bool tendon_needs_dual(const Model& m, int tendon) {
  if (m.tendon_actfrclimited[tendon]) return true;
  return is_spatial(m, tendon) && (!tendon_spring(m, tendon).none() || !tendon_damper(m, tendon).none() ||
                                   total_tendon_armature(m, tendon) != 0);
}

bool has_constant_moment(const Model& m, int actuator) {
  const int target = m.actuator_trnid[2 * actuator];
  if (!transmission_kind(m, actuator).follows_target) return false;
  return drives_tendon(m, actuator) ? !is_spatial(m, target) : joint_kind(m, target).is_scalar();
}

/// One control, at most one activation and one force, which depends only on these, the length and the velocity.
bool is_simple(const Model& m, int i) {
  const auto dyn = DynType(m.actuator_dyntype[i]);
  const auto gain = GainType(m.actuator_gaintype[i]);
  const auto bias = BiasType(m.actuator_biastype[i]);
  return m.actuator_actnum[i] <= 1 && m.actuator_outnum[i] == 1 && m.actuator_ctrlnum[i] == 1 &&
         dyn <= DynType::Muscle && gain <= GainType::Muscle && bias <= BiasType::Muscle;
}

bool actuator_needs_dual(const Model& m, int i) { return !is_simple(m, i) || !has_constant_moment(m, i); }

/// residual(·, first + ·) -= slope jᵀ j.
void subtract_outer(Matrix& out, int first, double slope, const SparseRow& j) {
  if (slope == 0) return;
  for (int a = 0; a < j.n; ++a)
    for (int b = 0; b < j.n; ++b) out(j.col[a], first + j.col[b]) -= slope * j.value[a] * j.value[b];
}

void joint_spring_columns(const Model& m, const Data& d, int jnt, Matrix& out) {
  const SpringLaw law = joint_spring(m, jnt);
  if (law.none()) return;
  const int qpos = m.jnt_qposadr[jnt], dof = m.jnt_dofadr[jnt];
  const JointKind& kind = joint_kind(m, jnt);
  if (kind.is_scalar()) {
    const double x = d.qpos[qpos] - m.qpos_spring[qpos];
    out(dof, dof) += law.k + 2 * law.p0 * x + 3 * law.p1 * x * x;
    return;
  }
  const auto along = [&](const double* q, const double* rest, int first, auto spring) {
    for (int k = 0; k < 3; ++k) {
      Dual4 force[3];
      spring(k, q, rest, force);
      for (int i = 0; i < 3; ++i) out(dof + first + i, dof + first + k) -= force[i].slope[0];
    }
  };
  const auto turn = [&](int k, const double* q, const double* rest, Dual4* force) {
    Vec3<Dual4> e{Dual4(0), Dual4(0), Dual4(0)};
    e[k].slope[0] = 1;
    Dual4 turned[4];
    (normalized(Quat<Dual4>::load(q)) * exp(e)).store(turned);
    BallJoint::spring(force, law, static_cast<const Dual4*>(turned), rest);
  };
  const auto shift = [&](int k, const double* q, const double* rest, Dual4* force) {
    Vec3<Dual4> x = Vec3<Dual4>::load(q) - Vec3<Dual4>::load(rest);
    x[k].slope[0] = 1;
    spring_force(law, x).store(force);
  };
  if (kind.translations > 0) along(&d.qpos[qpos], &m.qpos_spring[qpos], 0, shift);
  const int quat = qpos + kind.translations;
  along(&d.qpos[quat], &m.qpos_spring[quat], kind.translations, turn);
}

void passive_columns(const Model& m, const Data& d, DerivativeState& s) {
  const bool springs = !m.opt.disabled(kDisableSpring), dampers = !m.opt.disabled(kDisableDamper);
  if (!springs && !dampers) return;
  const int v = s.columns.v();
  for (int jnt = 0; springs && jnt < m.njnt; ++jnt) joint_spring_columns(m, d, jnt, s.residual);
  for (int dof = 0; dampers && dof < m.nv; ++dof) s.residual(dof, v + dof) += dof_damper(m, dof).slope(d.qvel[dof]);
  for (int t = 0; t < m.ntendon; ++t) {
    if (is_spatial(m, t)) continue;
    const SpringLaw law = tendon_spring(m, t);
    const double x = tendon_stretch(m, d, t);
    // no force inside a range of rest lengths; at a single rest length the spring has its full slope
    const bool acts = x != 0 || m.tendon_lengthspring[2 * t] == m.tendon_lengthspring[2 * t + 1];
    if (springs && acts)
      subtract_outer(s.residual, 0, -(law.k + 2 * law.p0 * x + 3 * law.p1 * x * x), tendon_row(m, d, t));
    if (dampers) subtract_outer(s.residual, v, -tendon_damper(m, t).slope(d.ten_velocity[t]), tendon_row(m, d, t));
  }
  if (!gravity_compensated(m)) return;
  const Vector gravity = Vector::load(m.opt.gravity.data());
  for (int body = 1; body < m.nbody; ++body) {
    if (m.body_gravcomp[body] == 0) continue;
    add_point_force(m, d, body, Vector::load(&d.xipos[3 * body]),
                    {{}, gravity * -(m.body_mass[body] * m.body_gravcomp[body])}, s);
  }
}

/// Directions of the four slopes when all actuators are differentiated at once, each by its own quantities.
enum Lane { kCtrl, kAct, kLength, kVelocity };

void seed_actuators(const Model& m, const Data& d, BasicData<Dual4>& x) {
  for (int k = 0; k < m.nu; ++k) x.ctrl[k].slope[kCtrl] = 1;
  for (int k = 0; k < m.na; ++k) x.act[k].slope[kAct] = 1;
  for (int k = 0; k < m.nout; ++k) {
    x.actuator_length[k] = d.actuator_length[k];
    x.actuator_length[k].slope[kLength] = 1;
    x.actuator_velocity[k] = d.actuator_velocity[k];
    x.actuator_velocity[k].slope[kVelocity] = 1;
    x.moment_rownnz[k] = x.moment_rowadr[k] = 0;
  }
}

/// Arguments of an actuator: all, or only its control and activation.
enum class Inputs { All, ControlAndActivation };

/// out(row, …) += scale (∂y/∂x) for a value y whose slopes by lane are known; j: null without length and velocity.
void add_lanes(const ColumnLayout& c, const Model& m, int i, const SparseRow* j, const Dual4& y, double scale,
               double* row) {
  row[c.ctrl() + m.actuator_ctrladr[i]] += scale * y.slope[kCtrl];
  if (m.actuator_actnum[i] > 0) row[c.act() + m.actuator_actadr[i]] += scale * y.slope[kAct];
  for (int b = 0; j && b < j->n; ++b) {
    row[c.q() + j->col[b]] += scale * y.slope[kLength] * j->value[b];
    row[c.v() + j->col[b]] += scale * y.slope[kVelocity] * j->value[b];
  }
}

/// As in velocity_derivative: forces at their limit do not enter the integrator's matrix.
bool has_velocity_slope(const Model& m, const Data& d, int i) {
  if (is_disabled(m, i) || (!gain_row<double>(m, i).slope && !bias_row<double>(m, i).slope)) return false;
  if (!m.actuator_forcelimited[i]) return true;
  const double force = d.actuator_force[m.actuator_outadr[i]];
  return force > m.actuator_forcerange[2 * i] && force < m.actuator_forcerange[2 * i + 1];
}

/// h (∂D/∂x) a' of one actuator: its part of D is slope · momentᵀ moment.
void actuator_integrator_columns(const Model& m, const Data& d, int i, Inputs inputs, DerivativeState& s) {
  if (!has_velocity_slope(m, d, i)) return;
  BasicData<Dual4>& x = *s.dual;
  const SparseRow j = moment_row(d, m.actuator_outadr[i]);
  const Actuator<Dual4> a = {m, x, i, x.ctrl.data() + m.actuator_ctrladr[i]};
  Dual4 slope(0);
  if (const auto gain = gain_row<Dual4>(m, i).slope) slope += gain(a);
  if (const auto bias = bias_row<Dual4>(m, i).slope) slope += bias(a);
  for (int r = 0; r < j.n; ++r) {
    const double scale = m.opt.timestep * masked_product(m, j, r, s.acc_used.data());
    add_lanes(s.columns, m, i, inputs == Inputs::All ? &j : nullptr, slope, scale, s.integrator.row(j.col[r]));
  }
}

void actuator_columns(const Model& m, const Data& d, Inputs inputs, DerivativeState& s) {
  if (m.nactuator == 0 || m.opt.disabled(kDisableActuation)) return;
  BasicData<Dual4>& x = dual_world(m, d, s);
  seed_actuators(m, d, x);
  actuation(m, x);
  const bool implicit = s.implicit && m.opt.integrator != static_cast<int>(Integrator::Euler);
  for (int i = 0; i < m.nactuator; ++i) {
    const int out = m.actuator_outadr[i];
    const SparseRow j = moment_row(d, out);
    const SparseRow* arms = inputs == Inputs::All ? &j : nullptr;
    for (int r = 0; r < j.n; ++r)
      if (s.forces != ForceSet::Passive && !is_clipped(m, d, j.col[r]))
        add_lanes(s.columns, m, i, arms, x.actuator_force[out], -j.value[r], s.residual.row(j.col[r]));
    if (implicit) actuator_integrator_columns(m, d, i, inputs, s);
    if (m.actuator_actnum[i] == 0) continue;
    const int act = m.actuator_actadr[i];
    add_lanes(s.columns, m, i, arms, x.act_dot[act], 1, s.act_dot.row(act));
    for (int b = 0; arms && b < j.n; ++b) {
      s.act_length(out, s.columns.q() + j.col[b]) = j.value[b];
      s.act_velocity(out, s.columns.v() + j.col[b]) = j.value[b];
    }
  }
}

}  // namespace

bool needs_dual_forces(const Model& m) {
  if (has_fluid(m)) return true;
  for (int t = 0; t < m.ntendon; ++t)
    if (tendon_needs_dual(m, t)) return true;
  for (int i = 0; i < m.nactuator; ++i)
    if (actuator_needs_dual(m, i)) return true;
  return std::ranges::any_of(m.jnt_actgravcomp, [](auto routed) { return routed != 0; });
}

void add_point_force(const Model& m, const Data& d, int body, const Vector& point, const Force<double>& at_point,
                     DerivativeState& s) {
  const Vector offset = from_reference(m, d, point, body);
  s.sweep.apply(body, {at_point.t + cross(offset, at_point.f), at_point.f});
  for (int k = last_dof(m, body); k >= 0; k = m.dof_parentid[k]) {
    const Vector moment = cross(jacp_column(d, k, offset), at_point.f);
    for (int i = last_dof(m, body); i >= 0; i = m.dof_parentid[i]) s.residual(i, k) -= dot(jacr_column(d, i), moment);
  }
}

void add_applied_forces(const Model& m, const Data& d, DerivativeState& s) {
  for (int b = 1; b < m.nbody; ++b) {
    const double* xfrc = &d.xfrc_applied[6 * b];
    if (std::any_of(xfrc, xfrc + 6, [](double x) { return x != 0; }))
      add_point_force(m, d, b, Vector::load(&d.xipos[3 * b]), {Vector::load(xfrc + 3), Vector::load(xfrc)}, s);
  }
}

bool add_inputs_by_hand(const Model& m, const Data& d, DerivativeState& s) {
  for (int t = 0; t < m.ntendon; ++t)
    if (m.tendon_actfrclimited[t]) return false;  // the force of one actuator depends on others
  for (int i = 0; i < m.nactuator; ++i)
    if (!is_simple(m, i)) return false;
  actuator_columns(m, d, Inputs::ControlAndActivation, s);
  return true;
}

void add_damper_matrix_change(const Model& m, const Data& d, DerivativeState& s) {
  if (m.opt.disabled(kDisableDamper)) return;
  const auto curvature = [](const DamperLaw& law, double v) {
    return 2 * law.p0 * (v < 0 ? -1 : v > 0 ? 1 : 0) + 6 * law.p1 * v;
  };
  const double h = m.opt.timestep;
  const int v = s.columns.v();
  for (int i = 0; i < m.nv; ++i) s.integrator(i, v + i) -= h * curvature(dof_damper(m, i), d.qvel[i]) * s.acc_used[i];
  if (m.opt.integrator == static_cast<int>(Integrator::Euler)) return;
  for (int t = 0; t < m.ntendon; ++t) {
    const double slope = curvature(tendon_damper(m, t), d.ten_velocity[t]);
    if (slope == 0) continue;
    const SparseRow j = tendon_row(m, d, t);
    for (int r = 0; r < j.n; ++r)
      for (int b = 0; b < j.n; ++b)
        s.integrator(j.col[r], v + j.col[b]) -= h * slope * masked_product(m, j, r, s.acc_used.data()) * j.value[b];
  }
}

void add_forces_by_hand(const Model& m, const Data& d, DerivativeState& s) {
  passive_columns(m, d, s);
  actuator_columns(m, d, Inputs::All, s);
  if (s.implicit) add_damper_matrix_change(m, d, s);
}

}  // namespace sinew
