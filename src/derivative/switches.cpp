#include "derivative/switches.h"

#include <algorithm>
#include <cmath>

#include "constraint/kinds.h"
#include "derivative/constraint.h"
#include "dynamics/jacobian.h"
#include "math/quat.h"
#include "model/joint_kinds.h"
#include "solver/problem.h"

namespace sinew {
namespace {

constexpr double kNearSwitch = 1e-6;  // of a row, relative to the accelerations it compares

/// Boundary that a row's y must cross to change its state: its distance, and the rate of approach of each column.
class Borders {
 public:
  Borders(const Matrix& dy, const SwitchSearch& search) : dy_(dy), search_(search) {}

  /// Distance of the rows row …, whose changes are weighted.
  void add(int row, double distance, double scale, const double* weight, int n) {
    double most = 0;
    for (int k = 0; k < dy_.cols(); ++k) {
      double rate = 0;
      for (int i = 0; i < n; ++i) rate += weight[i] * dy_(row + i, k);
      most = std::max(most, std::abs(rate));
    }
    if (std::abs(distance) <= kNearSwitch * scale || search_.within(distance, most)) {
      search_.add(SwitchKind::Row, row);
    } else if (most > 0) {
      search_.report.reach = std::min(search_.report.reach, std::abs(distance) / most);
    }
  }

  void add_cone(int row, const Contact& contact, const double* y, double scale) {
    // N = mu y0 and T = |friction y|: the boundaries are N = mu T and mu N = -T
    const int dim = contact.dim;
    const double mu = contact.mu;
    double U[6], T = 0;
    for (int j = 1; j < dim; ++j) U[j] = contact.friction[j - 1] * y[j], T += U[j] * U[j];
    T = std::sqrt(T);
    if (T <= kNearSwitch * scale) return search_.add(SwitchKind::Row, row);
    double top[6] = {mu}, bottom[6] = {mu * mu};
    for (int j = 1; j < dim; ++j) {
      const double dT = U[j] * contact.friction[j - 1] / T;
      top[j] = -mu * dT;
      bottom[j] = dT;
    }
    add(row, mu * y[0] - mu * T, scale, top, dim);
    add(row, mu * mu * y[0] + T, scale, bottom, dim);
  }

 private:
  const Matrix& dy_;
  const SwitchSearch& search_;
};

/// Magnitude of the terms of y = J a + B v + K imp (pos - margin).
double row_scale(const Data& d, int row, double y) {
  const double* KBIP = &d.efc_KBIP[4 * row];
  return std::abs(y + d.efc_aref[row]) + std::abs(KBIP[1] * d.efc_vel[row]) +
         std::abs(KBIP[0] * KBIP[2] * (d.efc_pos[row] - d.efc_margin[row]));
}

void find_rows(const SwitchSearch& search, const RowSolution& rows, const Matrix& dy) {
  const Data& d = search.d;
  Borders borders(dy, search);
  const double one = 1;
  for (int row = d.ne; row < d.nefc;) {
    const double y = rows.jar[row], scale = row_scale(d, row, y);
    const auto kind = static_cast<ConstraintKind>(d.efc_type[row]);
    if (is_dry_friction(kind)) {
      const double bound = d.efc_R[row] * d.efc_frictionloss[row];
      borders.add(row, std::abs(y) - bound, scale, &one, 1);
      ++row;
    } else if (kind == ConstraintKind::ContactElliptic) {
      const Contact& contact = d.contact[d.efc_id[row]];
      borders.add_cone(row, contact, &rows.jar[row], scale);
      row += contact.dim;
    } else {
      borders.add(row, y, scale, &one, 1);
      ++row;
    }
  }
}

/// Rate of change of a contact's distance.
double approach(const Model& m, const Data& d, const Contact& contact) {
  const Vec3<double> pos = Vec3<double>::load(contact.pos.data());
  const auto velocity = [&](int side) {
    const int body = m.geom_bodyid[contact.geom[side]];
    const Vec3<double> c = Vec3<double>::load(&d.subtree_com[3 * m.body_rootid[body]]);
    return move_motion(Motion<double>::load(&d.cvel[6 * body]), c, pos).v;
  };
  return dot(Vec3<double>::load(contact.frame.data()), velocity(1) - velocity(0));
}

void find_limits(const SwitchSearch& search) {
  const Model& m = search.m;
  const Data& d = search.d;
  if (m.opt.disabled(kDisableConstraint) || m.opt.disabled(kDisableLimit)) return;
  for (int j = 0; j < m.njnt; ++j) {
    if (!m.jnt_limited[j]) continue;
    const auto check = [&](double dist, double speed) {
      if (search.within(dist - m.jnt_margin[j], 1)) search.add(SwitchKind::JointLimit, j);
      const bool soon = std::abs(dist - m.jnt_margin[j]) <= search.eps + std::abs(speed) * m.opt.timestep;
      auto& limits = search.report.limits;
      if (soon && (limits.empty() || limits.back() != j)) limits.push_back(j);
    };
    const double *q = &d.qpos[m.jnt_qposadr[j]], *v = &d.qvel[m.jnt_dofadr[j]];
    switch (joint_kind(m, j).limit) {
      case JointLimit::None: break;
      case JointLimit::Interval:
        check(*q - m.jnt_range[2 * j], *v);
        check(m.jnt_range[2 * j + 1] - *q, *v);
        break;
      case JointLimit::Angle: {
        Vec3<double> axis = log(normalized(Quat<double>::load(q)));
        const double angle = normalize(axis);
        check(std::max(m.jnt_range[2 * j], m.jnt_range[2 * j + 1]) - angle, dot(axis, Vec3<double>::load(v)));
        break;
      }
    }
  }
}

const char* text_of(SwitchKind kind) {
  switch (kind) {
    case SwitchKind::Row: return "constraint row # is at a state boundary";
    case SwitchKind::Pair: return "geoms # and @ start or stop touching";
    case SwitchKind::Feature: return "contact # is about to jump to other points";
    case SwitchKind::JointLimit: return "joint # reaches the margin of its limit";
    case SwitchKind::TendonLimit: return "tendon # reaches the margin of its limit";
    case SwitchKind::Control: return "control # is at the end of its range";
    case SwitchKind::Activation: return "the activation of actuator # is at a kink";
    case SwitchKind::Force: return "the force of actuator # is at the end of its range";
    case SwitchKind::JointForce: return "the actuator force of joint # is at the end of its range";
    case SwitchKind::TendonForce: return "the actuator force of tendon # is at the end of its range";
    case SwitchKind::TendonSpring: return "the spring of tendon # starts to act";
    case SwitchKind::TendonWrap: return "tendon # starts to touch geom @";
  }
  return "";
}

}  // namespace

std::string describe(const Switch& s) {
  std::string text;
  for (const char* c = text_of(s.kind); *c; ++c)
    text += *c == '#' ? std::to_string(s.id) : *c == '@' ? std::to_string(s.other) : std::string(1, *c);
  return text;
}

double most_speed(const Model& m, const Data& d, int body, const Vec3<double>& point, double radius) {
  double most = 0;
  const Vec3<double> offset = from_reference(m, d, point, body);
  for (int i = last_dof(m, body); i >= 0; i = m.dof_parentid[i])
    most = std::max(most, norm(jacp_column(d, i, offset)) + radius * norm(jacr_column(d, i)));
  return most;
}

void find_switches(const SwitchSearch& search, const DerivativeState& s, const Matrix& dy) {
  const Model& m = search.m;
  const Data& d = search.d;
  SwitchReport& report = search.report;
  report.switches.clear();
  for (auto* list : {&report.contacts, &report.limits, &report.curved}) list->clear();
  report.converged = true;
  report.reach = std::numeric_limits<double>::infinity();
  if (d.nefc > 0) {
    report.converged = s.constraints->rows().converged;
    find_rows(search, s.constraints->rows(), dy);
  }
  for (int c = 0; c < d.ncon; ++c) {
    const Contact& contact = d.contact[c];
    const double moved = search.eps + std::abs(approach(m, d, contact)) * m.opt.timestep;
    if (std::abs(contact.dist - contact.includemargin) <= moved) report.contacts.push_back(c);
  }
  find_pair_switches(search, s);
  find_limits(search);
  find_tendon_switches(search);
  find_actuator_switches(search);
}

}  // namespace sinew
