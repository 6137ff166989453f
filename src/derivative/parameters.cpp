#include "derivative/parameters.h"

#include <algorithm>
#include <cmath>

#include "constraint/kinds.h"
#include "derivative/sparse_row.h"
#include "derivative/step.h"
#include "derivative/workspace.h"
#include "dynamics/actuator_table.h"
#include "dynamics/fluid.h"
#include "dynamics/jacobian.h"
#include "dynamics/joint_table.h"
#include "dynamics/passive.h"
#include "dynamics/qderiv.h"
#include "math/dual.h"
#include "sinew/error.h"
#include "solver/problem.h"

namespace sinew {
namespace {

using Vector = Vec3<double>;

/// Ten values of an inertia, as in cinert: a symmetric matrix, m r, m.
void store_inertia(const Mat3<double>& J, const Vector& mr, double mass, double* out) {
  out[0] = J(0, 0), out[1] = J(1, 1), out[2] = J(2, 2);
  out[3] = J(0, 1), out[4] = J(0, 2), out[5] = J(1, 2);
  mr.store(out + 6);
  out[9] = mass;
}

/// Force of an elliptic contact between its cone and the polar cone.
template <class Real>
void middle_force(const Real& D0, const Real& mu, const Real* friction, const double* y, int dim, Real* force) {
  Real TT(0), N = mu * Real(y[0]);
  for (int j = 1; j < dim; ++j) TT += friction[j - 1] * friction[j - 1] * Real(y[j] * y[j]);
  const Real T = sqrt(TT), e = N - mu * T, Dm = D0 / (mu * mu * (Real(1) + mu * mu));
  force[0] = -(Dm * e * mu);
  for (int j = 1; j < dim; ++j) force[j] = -(force[0] / T) * friction[j - 1] * friction[j - 1] * Real(y[j]);
}

/// The contact's friction comes from this geom.
bool gives_friction(const Model& m, const Contact& contact, int geom, int component) {
  if (m.opt.enabled(kEnableOverride) || (contact.geom[0] != geom && contact.geom[1] != geom)) return false;
  if (explicit_pair(m, contact.geom[0], contact.geom[1]) >= 0) return false;
  const int other = contact.geom[0] == geom ? contact.geom[1] : contact.geom[0];
  const double own = m.geom_friction[3 * geom + component];
  if (own < kMinMu || m.geom_priority[geom] < m.geom_priority[other]) return false;
  return m.geom_priority[geom] > m.geom_priority[other] || own >= m.geom_friction[3 * other + component];
}

}  // namespace

ParameterColumns::ParameterColumns(const Model& m, const Data& d, DerivativeState& s) : m_(m), d_(d), s_(s) {
  sweep_.compute(m, d, s.group, {d.qvel.data(), s.acc.data(), true});
  std::vector<double> apart(m.nv);
  for (int i = 0; i < m.nv; ++i) apart[i] = s.acc[i] - s.acc_used[i];
  difference_.compute(m, d, s.group, apart.data());
  if (!s.implicit || m.opt.integrator == static_cast<int>(Integrator::Euler)) return;
  for (const double sign : {1.0, -1.0}) {
    for (int i = 0; i < m.nv; ++i) apart[i] = d.qvel[i] + sign * s.acc_used[i];
    (sign > 0 ? faster_ : slower_).compute(m, d, s.group, {apart.data(), nullptr, false});
  }
}

namespace {

/// Inertial force under the sweep's motion: I A + V ×f (I V).
Force<double> inertial_force(const RigidSweep& sweep, int body, const double* inertia) {
  const Motion<double>& V = sweep.velocity()[body];
  return mul_inertia(inertia, sweep.acceleration()[body]) + cross_force(V, mul_inertia(inertia, V));
}

}  // namespace

ParameterDifference& ParameterColumns::difference() {
  if (!by_difference_) by_difference_ = std::make_unique<ParameterDifference>(m_, d_, s_);
  return *by_difference_;
}

void ParameterColumns::add(const Parameter& p, int column) {
  switch (p.kind) {
    case ParameterKind::BodyMass:
    case ParameterKind::BodyCom:
    case ParameterKind::BodyInertia: add_inertial(p, column); break;
    case ParameterKind::DofDamping: add_damping(p.id, column); break;
    case ParameterKind::DofArmature:
      residual(p.id, column) += s_.acc[p.id];
      integrator(p.id, column) += s_.acc[p.id] - s_.acc_used[p.id];
      break;
    case ParameterKind::DofFrictionloss: add_frictionloss(p.id, column); break;
    case ParameterKind::JointStiffness: add_stiffness(p.id, column); break;
    case ParameterKind::GeomFriction: add_geom_friction(p.id, p.component, column); break;
    case ParameterKind::ActuatorGain:
    case ParameterKind::ActuatorBias: add_actuator(p, column); break;
    case ParameterKind::Gravity: add_gravity(p.component, column); break;
  }
}

/// Newton-Euler is linear in the ten inertia values of a body: their change acts as the force dI A + V ×f (dI V).
void ParameterColumns::add_inertial(const Parameter& p, int column) {
  // the fluid model uses the equivalent inertia box, at the center of mass
  const bool in_fluid = has_fluid(m_) && !(m_.opt.disabled(kDisableSpring) && m_.opt.disabled(kDisableDamper));
  if (in_fluid) difference().add(p, ParameterDifference::Forces::Fluid, s_.columns.param() + column, s_);
  const int b = p.id;
  const double mass = m_.body_mass[b];
  const Mat3<double> R = Mat3<double>::load(&d_.ximat[9 * b]);
  const Vector r = from_reference(m_, d_, Vector::load(&d_.xipos[3 * b]), b);
  const Vector e = Mat3<double>::load(&d_.xmat[9 * b]).column(p.component);
  const Mat3<double> one = Mat3<double>::identity();
  double change[10];
  if (p.kind == ParameterKind::BodyMass) {
    store_inertia(one * dot(r, r) - outer(r, r), r, 1, change);
  } else if (p.kind == ParameterKind::BodyCom) {
    store_inertia((one * (2 * dot(r, e)) - outer(e, r) - outer(r, e)) * mass, e * mass, 0, change);
  } else {
    const Vector axis = R.column(p.component);
    store_inertia(outer(axis, axis), {}, 0, change);
  }
  Force<double> force = inertial_force(sweep_, b, change);
  // forces at the center of mass: gravity compensation and xfrc_applied
  const bool lifted = gravity_compensated(m_) && !(m_.opt.disabled(kDisableSpring) && m_.opt.disabled(kDisableDamper));
  const Vector lift = lifted ? Vector::load(m_.opt.gravity.data()) * -m_.body_gravcomp[b] : Vector();
  if (p.kind == ParameterKind::BodyMass) force -= {cross(r, lift), lift};
  if (p.kind == ParameterKind::BodyCom) force.t -= cross(e, lift * mass + Vector::load(&d_.xfrc_applied[6 * b]));
  Force<double> inertial = mul_inertia(change, difference_.body[b]);
  const auto integrator_kind = static_cast<Integrator>(m_.opt.integrator);
  if ((integrator_kind == Integrator::Implicit && !in_fluid) ||
      (integrator_kind == Integrator::ImplicitFast && is_standalone_free_body(m_, b))) {
    // the matrix contains h ∂c/∂v, and ∂c/∂v a' = (c(v + a') - c(v - a')) / 2
    Force<double> bias = inertial_force(faster_, b, change);
    bias -= inertial_force(slower_, b, change);
    const double half = 0.5 * m_.opt.timestep;
    inertial -= {bias.t * half, bias.f * half};
  }
  for (int i = last_dof(m_, b); i >= 0; i = m_.dof_parentid[i]) {
    const Motion<double> axis = Motion<double>::load(&d_.cdof[6 * i]);
    residual(i, column) += dot(axis, force);
    integrator(i, column) += dot(axis, inertial);
  }
}

void ParameterColumns::add_gravity(int component, int column) {
  if (m_.opt.disabled(kDisableGravity)) return;
  Motion<double> up{};
  up.v[component] = -1;
  for (int i = 0; i < m_.nv; ++i)
    residual(i, column) += dot(Motion<double>::load(&d_.cdof[6 * i]), mul_inertia(&d_.crb[10 * m_.dof_bodyid[i]], up));
  if (!gravity_compensated(m_) || (m_.opt.disabled(kDisableSpring) && m_.opt.disabled(kDisableDamper))) return;
  for (int b = 1; b < m_.nbody; ++b) {
    const Vector lift = up.v * (m_.body_mass[b] * m_.body_gravcomp[b]);
    const Vector r = from_reference(m_, d_, Vector::load(&d_.xipos[3 * b]), b);
    for (int i = last_dof(m_, b); i >= 0; i = m_.dof_parentid[i])
      residual(i, column) -= dot(jacp_column(d_, i, r), lift);
  }
}

void ParameterColumns::add_damping(int dof, int column) {
  if (m_.opt.disabled(kDisableDamper)) return;
  residual(dof, column) += d_.qvel[dof];
  if (s_.implicit) integrator(dof, column) -= m_.opt.timestep * s_.acc_used[dof];
}

void ParameterColumns::add_stiffness(int jnt, int column) {
  if (m_.opt.disabled(kDisableSpring)) return;
  const int q = m_.jnt_qposadr[jnt], dof = m_.jnt_dofadr[jnt];
  visit_joint(joint_type(m_, jnt), [&](auto kind) {
    double force[6];
    kind.spring(force, {1, 0, 0}, static_cast<const double*>(&d_.qpos[q]), &m_.qpos_spring[q]);
    for (int i = 0; i < kind.nv; ++i) residual(dof + i, column) -= force[i];
  });
}

void ParameterColumns::add_frictionloss(int dof, int column) {
  for (int row = d_.ne; row < d_.ne + d_.nf; ++row) {
    if (d_.efc_type[row] != static_cast<int>(ConstraintKind::FrictionDof) || d_.efc_id[row] != dof) continue;
    const int state = s_.constraints->rows().state[row];
    if (state == kLinearNeg) residual(dof, column) -= 1;
    if (state == kLinearPos) residual(dof, column) += 1;
  }
}

/// Gains and biases are (p0 + p1 length + p2 velocity), times the input for gains.
void ParameterColumns::add_actuator(const Parameter& p, int column) {
  const int i = p.id, out = m_.actuator_outadr[i];
  const bool gain = p.kind == ParameterKind::ActuatorGain;
  const auto gain_type = GainType(m_.actuator_gaintype[i]);
  if (is_disabled(m_, i) || m_.opt.disabled(kDisableActuation)) return;
  const bool linear = gain ? gain_type == GainType::Affine || (gain_type == GainType::Fixed && p.component == 0)
                           : BiasType(m_.actuator_biastype[i]) == BiasType::Affine;
  const bool shared = pulls_limited_tendon(m_, i);
  const bool pid =
      DynType(m_.actuator_dyntype[i]) == DynType::Pid || DynType(m_.actuator_dyntype[i]) == DynType::DcMotor;
  if (!linear || shared || pid || p.component > 2)
    return difference().add(p, ParameterDifference::Forces::Actuators, s_.columns.param() + column, s_);
  const double force = d_.actuator_force[out];
  if (m_.actuator_forcelimited[i] &&
      (force <= m_.actuator_forcerange[2 * i] || force >= m_.actuator_forcerange[2 * i + 1]))
    return;
  double ctrl = d_.ctrl[m_.actuator_ctrladr[i]];
  if (m_.actuator_ctrllimited[m_.actuator_ctrladr[i]] && !m_.opt.disabled(kDisableClampctrl))
    ctrl = clip(ctrl, m_.actuator_ctrlrange[2 * m_.actuator_ctrladr[i]],
                m_.actuator_ctrlrange[2 * m_.actuator_ctrladr[i] + 1]);
  const Actuator<double> a = {m_, d_, i, &ctrl};
  double input = gain ? gain_input(a) : 1;
  if (gain && gain_type == GainType::Fixed) input = nearest_setpoint(input, a.length(), setpoint_period(m_, i));
  const double factor[3] = {1, a.length(), a.velocity()};
  const SparseRow j = moment_row(d_, out);
  for (int r = 0; r < j.n; ++r)
    if (!is_clipped(m_, d_, j.col[r])) residual(j.col[r], column) -= j.value[r] * input * factor[p.component];
  const bool in_matrix = s_.implicit && m_.opt.integrator != static_cast<int>(Integrator::Euler) && p.component == 2;
  // the integrator's matrix uses the unclamped control
  const double raw = gain && a.slots() == 0 ? d_.ctrl[m_.actuator_ctrladr[i]] : input;
  for (int r = 0; in_matrix && r < j.n; ++r)
    integrator(j.col[r], column) += m_.opt.timestep * raw * masked_product(m_, j, r, s_.acc_used.data());
}

void ParameterColumns::add_geom_friction(int geom, int component, int column) {
  for (int c = 0; c < d_.ncon; ++c) {
    const Contact& contact = d_.contact[c];
    const int row = contact.efc_address;
    if (row < 0 || contact.dim == 1 || !gives_friction(m_, contact, geom, component)) continue;
    // sliding, spin and roll expand to five coefficients
    double dfriction[5] = {};
    for (const int k : {component == 0 ? 0 : component == 1 ? 2 : 3, component == 0 ? 1 : component == 1 ? 2 : 4})
      dfriction[k] = 1;
    const bool elliptic = d_.efc_type[row] == static_cast<int>(ConstraintKind::ContactElliptic);
    const int nrow = contact_rows(contact.dim, elliptic);
    elliptic ? add_cone(row, nrow, dfriction, column) : add_pyramid(row, nrow, dfriction, column);
  }
}

/// Edges J0 ± f_k J_k; R = 2 f_0² R_0 / impratio with R_0 proportional to 1 + f_0².
void ParameterColumns::add_pyramid(int row, int nrow, const double* dfriction, int column) {
  const Contact& contact = d_.contact[d_.efc_id[row]];
  const RowSolution& rows = s_.constraints->rows();
  const int nnz = d_.efc_J_rownnz[row];
  const int* col = d_.efc_J_colind.data() + d_.efc_J_rowadr[row];
  const double* J = d_.efc_J.data() + d_.efc_J_rowadr[row];
  const double f0 = contact.friction[0], B = d_.efc_KBIP[4 * row + 1];
  const double dlnD = -dfriction[0] * (2 / f0 + 2 * f0 / (1 + f0 * f0));
  for (int r = 0; r < nrow; ++r) {
    if (rows.state[row + r] != kQuadratic) continue;
    const double* plus = J + (r & ~1) * nnz;
    const double change = (r % 2 == 0 ? 1 : -1) * dfriction[r / 2] / (2 * contact.friction[r / 2]);
    const auto dJ = [&](int k) { return change * (plus[k] - plus[nnz + k]); };
    double dy = contact.adhesion > 0 ? d_.efc_R[row + r] * dlnD * contact.adhesion / nrow : 0.0;
    for (int k = 0; k < nnz; ++k) dy += dJ(k) * (s_.acc[col[k]] + B * d_.qvel[col[k]]);
    const double z = d_.efc_D[row + r] * dy - rows.force[row + r] * dlnD;
    for (int k = 0; k < nnz; ++k) residual(col[k], column) += J[r * nnz + k] * z - dJ(k) * rows.force[row + r];
  }
}

/// Rows do not change; their forces do, through mu = f_0 / √impratio, the coefficients and D_j = D_1 f_{j-1}² / f_0².
void ParameterColumns::add_cone(int row, int nrow, const double* dfriction, int column) {
  using Real = Dual<1>;
  const Contact& contact = d_.contact[d_.efc_id[row]];
  const RowSolution& rows = s_.constraints->rows();
  const auto number = [](double value, double slope) {
    Real x(value);
    x.slope[0] = slope;
    return x;
  };
  double df[6] = {};
  if (rows.state[row] == kCone) {
    Real friction[5], force[6];
    for (int k = 0; k < 5; ++k) friction[k] = number(contact.friction[k], dfriction[k]);
    const Real mu = number(contact.mu, contact.mu / contact.friction[0] * dfriction[0]);
    middle_force(Real(d_.efc_D[row]), mu, friction, &rows.jar[row], nrow, force);
    for (int r = 0; r < nrow; ++r) df[r] = force[r].slope[0];
  } else if (rows.state[row] == kQuadratic) {
    for (int r = 2; r < nrow; ++r)
      df[r] =
          rows.force[row + r] * 2 * (dfriction[r - 1] / contact.friction[r - 1] - dfriction[0] / contact.friction[0]);
  }
  const int nnz = d_.efc_J_rownnz[row];
  const int* col = d_.efc_J_colind.data() + d_.efc_J_rowadr[row];
  const double* J = d_.efc_J.data() + d_.efc_J_rowadr[row];
  for (int r = 0; r < nrow; ++r)
    for (int k = 0; k < nnz; ++k) residual(col[k], column) -= J[r * nnz + k] * df[r];
}

void add_parameter_columns(const Model& m, const Data& d, DerivativeState& s) {
  ParameterColumns columns(m, d, s);
  for (std::size_t k = 0; k < s.parameters.size(); ++k) columns.add(s.parameters[k], static_cast<int>(k));
}

void transition_parameters(const Model& m, const Data& data, std::span<const Parameter> parameters,
                           std::vector<double>& out, TransitionWorkspace& workspace) {
  if (const std::string reason = analytic_refusal(m, data); !reason.empty())
    throw Exception(Error::message("the parameter derivative of a step does not support " + reason));
  for (const Parameter& p : parameters) parameter_value(m, p);  // throws if there is none
  StepDerivative& step = workspace.parts().step;
  DerivativeState& s = step.state();
  const int n = static_cast<int>(parameters.size()), rows = s.columns.state(), first = s.columns.param();
  s.parameters = parameters;
  s.columns.nparam = n;
  step.compute(m, data);
  s.parameters = {};
  s.columns.nparam = 0;
  out.assign(static_cast<std::size_t>(rows) * n, 0.0);
  for (int i = 0; i < rows; ++i)
    std::copy_n(step.next().row(i) + first, n, out.begin() + static_cast<std::ptrdiff_t>(i) * n);
}

}  // namespace sinew
