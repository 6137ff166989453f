#include "derivative/switches.h"

#include <algorithm>
#include <cmath>

#include "constraint/kinds.h"
#include "derivative/constraint.h"
#include "dynamics/joint_table.h"
#include "solver/problem.h"

namespace sinew {
namespace {

constexpr double kNearSwitch = 1e-6;  // of a row, relative to the accelerations it compares
constexpr double kAtBound = 1e-9;     // m, rad or control

/// A border that a row's y must cross to change its state: how far it is, and how fast each column takes it there.
class Borders {
 public:
  Borders(const Matrix& dy, SwitchReport& report) : dy_(dy), report_(report) {}

  /// distance of the rows row …, whose changes count with the weights.
  void add(int row, double distance, double scale, const double* weight, int n) {
    if (std::abs(distance) <= kNearSwitch * scale) {
      if (report_.rows.empty() || report_.rows.back() != row) report_.rows.push_back(row);
      return;
    }
    for (int k = 0; k < dy_.cols(); ++k) {
      double rate = 0;
      for (int i = 0; i < n; ++i) rate += weight[i] * dy_(row + i, k);
      if (rate != 0) report_.reach = std::min(report_.reach, std::abs(distance / rate));
    }
  }

  void add_cone(int row, const Contact& contact, const double* y, double scale) {
    // N = mu y0 and T = |friction y|: the borders are N = mu T and mu N = -T
    const int dim = contact.dim;
    const double mu = contact.mu;
    double U[6], T = 0;
    for (int j = 1; j < dim; ++j) U[j] = contact.friction[j - 1] * y[j], T += U[j] * U[j];
    T = std::sqrt(T);
    if (T <= kNearSwitch * scale) {
      report_.rows.push_back(row);
      return;
    }
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
  SwitchReport& report_;
};

/// The size of what is added up in y = J a + B v + K imp (pos - margin).
double row_scale(const Data& d, int row, double y) {
  const double* KBIP = &d.efc_KBIP[4 * row];
  return std::abs(y + d.efc_aref[row]) + std::abs(KBIP[1] * d.efc_vel[row]) +
         std::abs(KBIP[0] * KBIP[2] * (d.efc_pos[row] - d.efc_margin[row]));
}

void find_rows(const Data& d, const RowSolution& rows, const Matrix& dy, SwitchReport& report) {
  Borders borders(dy, report);
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

/// Velocity of the distance of a contact.
double approach(const Model& m, const Data& d, const Contact& contact) {
  const Vec3<double> pos = Vec3<double>::load(contact.pos.data());
  const auto velocity = [&](int side) {
    const int body = m.geom_bodyid[contact.geom[side]];
    const Vec3<double> c = Vec3<double>::load(&d.subtree_com[3 * m.body_rootid[body]]);
    return move_motion(Motion<double>::load(&d.cvel[6 * body]), c, pos).v;
  };
  return dot(Vec3<double>::load(contact.frame.data()), velocity(1) - velocity(0));
}

void find_limits(const Model& m, const Data& d, SwitchReport& report) {
  for (int j = 0; j < m.njnt; ++j) {
    if (!m.jnt_limited[j] || joint_nv(joint_type(m, j)) != 1) continue;
    const double q = d.qpos[m.jnt_qposadr[j]], v = d.qvel[m.jnt_dofadr[j]];
    for (const int side : {0, 1}) {
      const double dist = side == 0 ? q - m.jnt_range[2 * j] : m.jnt_range[2 * j + 1] - q;
      if (std::abs(dist - m.jnt_margin[j]) > kAtBound + std::abs(v) * m.opt.timestep) continue;
      report.limits.push_back(j);
      break;
    }
  }
}

}  // namespace

void find_switches(const Model& m, const Data& d, const DerivativeState& s, const Matrix& dy, SwitchReport& report) {
  for (auto* list : {&report.rows, &report.contacts, &report.features, &report.limits, &report.controls}) list->clear();
  report.converged = true;
  report.reach = std::numeric_limits<double>::infinity();
  if (d.nefc > 0) {
    report.converged = s.constraints->rows().converged;
    find_rows(d, s.constraints->rows(), dy, report);
    for (int c = 0; c < d.ncon; ++c)
      if (!s.constraints->contact_rates()[c].smooth) report.features.push_back(c);
  }
  for (int c = 0; c < d.ncon; ++c) {
    const Contact& contact = d.contact[c];
    if (std::abs(contact.dist - contact.includemargin) <= kAtBound + std::abs(approach(m, d, contact)) * m.opt.timestep)
      report.contacts.push_back(c);
  }
  find_limits(m, d, report);
  for (int u = 0; u < m.nu && !m.opt.disabled(kDisableClampctrl); ++u)
    if (m.actuator_ctrllimited[u] && (std::abs(d.ctrl[u] - m.actuator_ctrlrange[2 * u]) <= kAtBound ||
                                      std::abs(d.ctrl[u] - m.actuator_ctrlrange[2 * u + 1]) <= kAtBound))
      report.controls.push_back(u);
  find_actuator_switches(m, d, report);
}

}  // namespace sinew
