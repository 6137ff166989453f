#include <algorithm>
#include <cmath>

#include "derivative/parameters.h"
#include "dynamics/actuation.h"
#include "dynamics/com.h"
#include "dynamics/inertia.h"
#include "dynamics/kinematics.h"
#include "dynamics/passive.h"
#include "dynamics/qderiv.h"
#include "dynamics/velocity.h"
#include "sinew/error.h"

namespace sinew {
namespace {

constexpr double kRelativeStep = 1e-4;  // extrapolated differences have a fourth-order error
constexpr double kLeastStep = 1e-6;

Integrator kind(const Model& m) { return static_cast<Integrator>(m.opt.integrator); }

}  // namespace

const double& parameter_value(const Model& m, const Parameter& p) {
  const auto at = [](const std::vector<double>& field, int stride, int id, int component) -> const double& {
    const auto index = static_cast<std::size_t>(stride) * id + component;
    if (id < 0 || component < 0 || component >= stride || index >= field.size())
      throw Exception(
          Error::message("parameter derivative of a step: the model has no such parameter (check id and component)"));
    return field[index];
  };
  switch (p.kind) {
    case ParameterKind::BodyMass: return at(m.body_mass, 1, p.id, 0);
    case ParameterKind::BodyCom: return at(m.body_ipos, 3, p.id, p.component);
    case ParameterKind::BodyInertia: return at(m.body_inertia, 3, p.id, p.component);
    case ParameterKind::DofDamping: return at(m.dof_damping, 1, p.id, 0);
    case ParameterKind::DofArmature: return at(m.dof_armature, 1, p.id, 0);
    case ParameterKind::DofFrictionloss: return at(m.dof_frictionloss, 1, p.id, 0);
    case ParameterKind::JointStiffness: return at(m.jnt_stiffness, 1, p.id, 0);
    case ParameterKind::GeomFriction: return at(m.geom_friction, 3, p.id, p.component);
    case ParameterKind::ActuatorGain: return at(m.actuator_gainprm, kNumGain, p.id, p.component);
    case ParameterKind::ActuatorBias: return at(m.actuator_biasprm, kNumBias, p.id, p.component);
    case ParameterKind::Gravity: break;
  }
  if (p.component < 0 || p.component > 2)
    throw Exception(Error::message("parameter derivative of a step: gravity has components 0, 1 and 2"));
  return m.opt.gravity[p.component];
}

double& parameter_value(Model& m, const Parameter& p) {
  return const_cast<double&>(parameter_value(static_cast<const Model&>(m), p));
}

ParameterDifference::ParameterDifference(const Model& m, const Data& d, const DerivativeState& s)
    : m_(m), d_(d), acc_used_(s.acc_used), matrix_(s.implicit && kind(m) != Integrator::Euler), trial_(m), x_(d) {
  // inertial frames no longer coincide with other frames when the center of mass moves
  std::ranges::fill(trial_.body_sameframe.edit(), static_cast<std::uint8_t>(SameFrame::None));
}

void ParameterDifference::Outcome::add(const Outcome& x, double scale) {
  const auto sum = [scale](std::vector<double>& y, const std::vector<double>& z) {
    for (std::size_t i = 0; i < y.size(); ++i) y[i] += scale * z[i];
  };
  sum(force, x.force);
  sum(slope, x.slope);
  sum(act_dot, x.act_dot);
}

/// D a' with the integrator's D: implicitfast mirrors the lower triangle, except for standalone free bodies.
void ParameterDifference::add_slope(std::vector<double>& out) const {
  for (int i = 0; i < m_.nv; ++i) {
    const bool full = kind(m_) == Integrator::Implicit || is_standalone_free_body(m_, m_.dof_bodyid[i]);
    for (int k = m_.D_rowadr[i]; k < m_.D_rowadr[i] + m_.D_rownnz[i]; ++k) {
      const int j = m_.D_colind[k];
      if (full || j <= i) out[i] += x_.qDeriv[k] * acc_used_[j];
      if (!full && j < i) out[j] += x_.qDeriv[k] * acc_used_[i];
    }
  }
}

ParameterDifference::Outcome ParameterDifference::evaluate(Forces forces) {
  Outcome out;
  if (forces == Forces::Fluid) {
    kinematics(trial_, x_);
    com_position(trial_, x_);
    if (matrix_) composite_inertia(trial_, x_);
    com_velocity(trial_, x_);
    passive_forces(trial_, x_);
    out.force.assign(x_.qfrc_fluid.begin(), x_.qfrc_fluid.end());
  } else {
    actuation(trial_, x_);
    out.force.assign(x_.qfrc_actuator.begin(), x_.qfrc_actuator.end());
    out.act_dot.assign(x_.act_dot.begin(), x_.act_dot.end());
  }
  if (!matrix_) return out;
  // for inertial parameters the bias is part of the difference; a gain does not change it
  velocity_derivative(trial_, x_, kind(m_) == Integrator::Implicit);
  out.slope.assign(m_.nv, 0.0);
  add_slope(out.slope);
  return out;
}

ParameterDifference::Outcome ParameterDifference::centered(const Parameter& p, Forces forces, double step) {
  double& number = parameter_value(trial_, p);
  const double value = number;
  number = value + step;
  Outcome out = evaluate(forces);
  number = value - step;
  out.add(evaluate(forces), -1);
  number = value;
  Outcome rate = out;
  rate.add(out, 1 / (2 * step) - 1);
  return rate;
}

void ParameterDifference::add(const Parameter& p, Forces forces, int column, DerivativeState& s) {
  const double step = std::max(kRelativeStep * std::abs(parameter_value(trial_, p)), kLeastStep);
  Outcome rate = centered(p, forces, step);
  const Outcome fine = rate;
  rate.add(fine, 1. / 3);
  rate.add(centered(p, forces, 2 * step), -1. / 3);
  for (int i = 0; i < m_.nv; ++i) {
    s.residual(i, column) -= rate.force[i];
    if (matrix_) s.integrator(i, column) += m_.opt.timestep * rate.slope[i];
  }
  for (std::size_t i = 0; i < rate.act_dot.size(); ++i) s.act_dot(static_cast<int>(i), column) += rate.act_dot[i];
}

}  // namespace sinew
