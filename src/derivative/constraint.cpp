#include "derivative/constraint.h"

#include <algorithm>
#include <cmath>

#include "base/arena.h"
#include "constraint/kinds.h"
#include "constraint/problem_view.h"
#include "derivative/constraint_contact.h"
#include "derivative/constraint_frames.h"
#include "derivative/solve.h"
#include "math/pack.h"
#include "model/equality_kinds.h"
#include "model/transmission_kinds.h"
#include "solver/evaluate.h"
#include "solver/solve.h"

namespace sinew {
namespace {

constexpr int kPolishSteps = 12;
constexpr double kPolishTolerance = 1e-13;  // of the acceleration, relative
constexpr double kSmallStep = 1e-10;        // for cones, whose curvature varies with the point

/// Upper triangle of M + Jᵀ s'' J.
void assemble(const ConstraintProblem& p, const RowSolution& rows, int stride, double* H) {
  std::fill_n(H, static_cast<std::size_t>(p.M.n) * stride, 0.0);
  for (int i = 0; i < p.M.n; ++i)
    for (int k = p.M.rowadr[i]; k < p.M.rowadr[i] + p.M.rownnz[i]; ++k) H[p.M.colind[k] * stride + i] = p.M.value[k];
  for (const RowBlock& block : p.blocks) {
    for (int r = 0; r < block.nrow; ++r) {
      const int row = block.row + r;
      const double* J = block.J + r * block.nnz;
      if (rows.state[row] == kQuadratic) {
        for (int a = 0; a < block.nnz; ++a) {
          const double c = p.D[row] * J[a];
          double* line = H + block.col[a] * stride;
          for (int b = a; b < block.nnz; ++b) line[block.col[b]] += c * J[b];
        }
      } else if (rows.state[row] == kCone) {
        const FrictionCone& cone = p.cones[rows.cone_of_row[row]];
        const double* W = &rows.cone_hessian[kConeHessian * rows.cone_of_row[row]];
        for (int a = 0; a < block.nnz; ++a) {
          double* line = H + block.col[a] * stride;
          for (int i = 0; i < cone.dim; ++i) {
            double c = 0;
            for (int j = 0; j < cone.dim; ++j) c += W[i * cone.dim + j] * J[j * block.nnz + a];
            for (int b = a; b < block.nnz; ++b) line[block.col[b]] += c * J[i * block.nnz + b];
          }
        }
        r += cone.dim - 1;
      }
    }
  }
}

/// Rows at acceleration a, and the gradient M a - f - Jᵀ force there.
void evaluate(const ConstraintProblem& p, const double* acc, RowSolution& rows, double* grad, Arena& arena) {
  Scratch scratch(arena);
  const ProblemPoint at = {.jar = rows.jar.data(),
                           .force = rows.force.data(),
                           .state = rows.state.data(),
                           .cone_hessian = rows.cone_hessian.data(),
                           .frc_constraint = scratch.take<double>(p.M.n)};
  evaluate_at(p, acc, at, arena);
  gradient_at(p, acc, at.frc_constraint, grad);
}

/// The row's force depends on D.
bool has_force(int state) { return state == kQuadratic || state == kCone; }

double size(const double* x, int n) {
  double sum = 0;
  for (int i = 0; i < n; ++i) sum += x[i] * x[i];
  return std::sqrt(sum);
}

}  // namespace

void ConstraintColumns::resize(const Data& d, const ConstraintProblem& p) {
  rows_.jar.resize(d.nefc);
  rows_.force.resize(d.nefc);
  rows_.state.assign(d.nefc, -1);
  rows_.cone_hessian.resize(kConeHessian * p.cones.size());
  rows_.cone_of_row.assign(d.nefc, -1);
  for (std::size_t c = 0; c < p.cones.size(); ++c) rows_.cone_of_row[p.cones[c].row] = static_cast<int>(c);
  stride_ = padded(p.M.n);
  hessian_.resize(static_cast<std::size_t>(p.M.n) * stride_ + 4);
  diag_inv_.resize(p.M.n);
}

void ConstraintColumns::evaluate_at(const Model& m, Data& d, const DerivativeState& s, Matrix& H) {
  Scratch scratch(d.scratch());
  const ProblemView view(m, d, scratch);
  const int nv = static_cast<int>(m.nv);
  resize(d, view.whole());
  evaluate(view.whole(), s.acc.data(), rows_, scratch.take<double>(nv), d.scratch());
  assemble(view.whole(), rows_, stride_, hessian_.data());
  H.reset(nv, nv);
  for (int i = 0; i < nv; ++i)
    for (int k = i; k < nv; ++k) H(i, k) = H(k, i) = hessian_[static_cast<std::size_t>(i) * stride_ + k];
}

void ConstraintColumns::converge(const Model& m, Data& d, DerivativeState& s) {
  const int nv = static_cast<int>(m.nv);
  Scratch scratch(d.scratch());
  const ProblemView view(m, d, scratch);
  const ConstraintProblem& p = view.whole();
  resize(d, p);

  double* grad = scratch.take<double>(nv);
  const auto factor_here = [&] {
    evaluate(p, s.acc.data(), rows_, grad, d.scratch());
    assemble(p, rows_, stride_, hessian_.data());
    return factor_dense(hessian_.data(), nv, stride_, diag_inv_.data());
  };
  const auto newton_step = [&] {
    step_.reset(nv, 1);
    for (int i = 0; i < nv; ++i) step_(i, 0) = grad[i];
    solve(step_);
    double moved = 0;
    for (int i = 0; i < nv; ++i) {
      s.acc[i] -= step_(i, 0);
      moved += step_(i, 0) * step_(i, 0);
    }
    const double relative = std::sqrt(moved) / (1 + size(s.acc.data(), nv));
    const bool curved = std::ranges::any_of(rows_.state, [](int state) { return state == kCone; });
    small_ = relative <= (curved ? kSmallStep : 1);
    return relative <= kPolishTolerance;
  };
  rows_.converged = false;
  for (int i = 0; i < kPolishSteps && !rows_.converged; ++i) {
    if (!factor_here()) break;
    rows_.converged = newton_step();
    if (rows_.converged || !small_) continue;
    // a step within one active set of quadratic rows is exact; a small one with cones has a second-order error
    before_ = rows_.state;
    evaluate(p, s.acc.data(), rows_, grad, d.scratch());
    rows_.converged = before_ == rows_.state;
  }
  if (!rows_.converged) {
    // full steps may cycle between active sets: the solver's line search does not
    Solution x;
    s.acc.assign(d.qacc.begin(), d.qacc.end());
    x.acc = s.acc.data();
    x.frc_constraint = scratch.zeros<double>(nv);
    x.force = rows_.force.data();
    x.state = rows_.state.data();
    SolverOptions options;
    options.tolerance = kPolishTolerance;
    options.ls_tolerance = 1e-3;
    solve_from(p, options, x, d.scratch());
    rows_.converged = factor_here() && newton_step();
  }
}

void ConstraintColumns::solve(Matrix& X) const { solve_dense_rows(hessian_.data(), stride_, diag_inv_.data(), X); }

double ConstraintColumns::log_slope(const Data& d, int row) const {
  // D = imp / ((1 - imp) diagA): dD/D = dimp / (imp (1 - imp)), unless R is at its floor
  const double imp = d.efc_KBIP[4 * row + 2];
  return d.efc_R[row] > kMinVal ? 1 / (imp * (1 - imp)) : 0;
}

void ConstraintColumns::respond(const Data& d, int row, int nrow, double dlnD, double* dy) const {
  if (rows_.state[row] == kCone) {
    const double* W = &rows_.cone_hessian[kConeHessian * rows_.cone_of_row[row]];
    double z[6];
    for (int i = 0; i < nrow; ++i) {
      z[i] = -rows_.force[row + i] * dlnD;
      for (int j = 0; j < nrow; ++j) z[i] += W[i * nrow + j] * dy[j];
    }
    std::copy_n(z, nrow, dy);
    return;
  }
  for (int i = 0; i < nrow; ++i)
    dy[i] = rows_.state[row + i] == kQuadratic ? d.efc_D[row + i] * dy[i] - rows_.force[row + i] * dlnD : 0;
}

void ConstraintColumns::respond_to(int column, const Data& d, int row, int nrow, double dlnD, double* dy) {
  if (keep_) {
    for (int r = 0; r < nrow; ++r) change_(row + r, column) = dy[r];
    log_change_(row, column) = dlnD;
  }
  respond(d, row, nrow, dlnD, dy);
}

void ConstraintColumns::row_columns(const Data& d, const Matrix& da, Matrix& dy) const {
  dy = change_;
  for (int row = 0; row < d.nefc; ++row)
    for (int k = d.efc_J_rowadr[row]; k < d.efc_J_rowadr[row] + d.efc_J_rownnz[row]; ++k)
      add_scaled(dy.row(row), da.row(d.efc_J_colind[k]), d.efc_J[k], dy.stride());
}

void ConstraintColumns::force_columns(const Data& d, const Matrix& dy, Matrix& df) const {
  df.reset(d.nefc, dy.cols());
  for (int row = 0; row < d.nefc;) {
    const int nrow = d.efc_J_rowsuper[row] + 1;
    for (int k = 0; k < dy.cols(); ++k) {
      double z[10];
      for (int r = 0; r < nrow; ++r) z[r] = dy(row + r, k);
      respond(d, row, nrow, log_change_(row, k), z);
      for (int r = 0; r < nrow; ++r) df(row + r, k) = -z[r];
    }
    row += nrow;
  }
  for (int row = 0; row < diag_change_.rows(); ++row)
    if (has_force(rows_.state[row]))
      for (int k = 0; k < diag_change_.cols(); ++k) df(row, k) -= rows_.force[row] * diag_change_(row, k);
}

void ConstraintColumns::add_force_response(const Data& d, const Matrix& da, Matrix& df, int first) const {
  for (int row = 0; row < d.nefc;) {
    const int nrow = d.efc_J_rowsuper[row] + 1, nnz = d.efc_J_rownnz[row], adr = d.efc_J_rowadr[row];
    for (int k = 0; k < da.cols(); ++k) {
      double z[10] = {};
      for (int r = 0; r < nrow; ++r)
        for (int i = 0; i < nnz; ++i) z[r] += d.efc_J[adr + r * nnz + i] * da(d.efc_J_colind[adr + i], k);
      respond(d, row, nrow, 0, z);
      for (int r = 0; r < nrow; ++r) df(row + r, first + k) -= z[r];
    }
    row += nrow;
  }
}

/// Jᵀ s'' B J: all rows whose a_ref depends on velocity through -B J v alone.
void ConstraintColumns::add_velocity_columns(const Data& d, DerivativeState& s, int row, int nrow) {
  const int nnz = d.efc_J_rownnz[row];
  const int* col = d.efc_J_colind.data() + d.efc_J_rowadr[row];
  const double* J = d.efc_J.data() + d.efc_J_rowadr[row];
  double z[10];
  for (int k = 0; k < nnz; ++k) {
    for (int r = 0; r < nrow; ++r) z[r] = d.efc_KBIP[4 * (row + r) + 1] * J[r * nnz + k];
    const int column = s.columns.v() + col[k];
    respond_to(column, d, row, nrow, 0, z);
    for (int r = 0; r < nrow; ++r) {
      if (z[r] == 0) continue;
      for (int i = 0; i < nnz; ++i) s.residual(col[i], column) += J[r * nnz + i] * z[r];
    }
  }
}

/// One row whose Jacobian changes by dJ (values on the row's columns; null: constant) and whose residual changes by
/// dpos along dof k.
void ConstraintColumns::add_turning_row(const Data& d, DerivativeState& s, int row, int k, double dpos,
                                        const double* dJ) {
  const int nnz = d.efc_J_rownnz[row];
  const int* col = d.efc_J_colind.data() + d.efc_J_rowadr[row];
  const double* J = d.efc_J.data() + d.efc_J_rowadr[row];
  const double* KBIP = &d.efc_KBIP[4 * row];
  const double dimp = KBIP[3] * dpos;
  double dy = KBIP[0] * (KBIP[2] * dpos + (d.efc_pos[row] - d.efc_margin[row]) * dimp);
  for (int i = 0; dJ && i < nnz; ++i) dy += dJ[i] * (s.acc[col[i]] + KBIP[1] * d.qvel[col[i]]);
  respond_to(k, d, row, 1, dimp * log_slope(d, row), &dy);
  for (int i = 0; i < nnz; ++i) s.residual(col[i], k) += J[i] * dy - (dJ ? dJ[i] * rows_.force[row] : 0);
}

/// Limits of scalar joints: the row is the gradient of its residual and constant.
void ConstraintColumns::add_scalar_row(const Model&, const Data& d, DerivativeState& s, int row) {
  const int adr = d.efc_J_rowadr[row];
  for (int k = 0; k < d.efc_J_rownnz[row]; ++k)
    add_turning_row(d, s, row, d.efc_J_colind[adr + k], d.efc_J[adr + k], nullptr);
}

void ConstraintColumns::add_ball_limit(const Model& m, const Data& d, DerivativeState& s, int row) {
  const int jnt = d.efc_id[row];
  const Quat<double> q = normalized(Quat<double>::load(&d.qpos[m.jnt_qposadr[jnt]]));
  using Real = Dual<3>;
  Vec3<Real> e{Real(0), Real(0), Real(0)};
  for (int k = 0; k < 3; ++k) e[k].slope[k] = 1;
  const double numbers[4] = {q.w, q.x, q.y, q.z};
  Vec3<Real> axis = log(Quat<Real>::load(numbers) * exp(e));
  normalize(axis);
  for (int k = 0; k < 3; ++k) {
    double dJ[3];
    for (int i = 0; i < 3; ++i) dJ[i] = -axis[i].slope[k];
    add_turning_row(d, s, row, m.jnt_dofadr[jnt] + k, d.efc_J[d.efc_J_rowadr[row] + k], dJ);
  }
}

/// y - c0 - (c1 x + … + c4 x⁴) of joints or tendons: dJ = dJ_y - p' dJ_x - p'' (J_x)_k J_x.
void ConstraintColumns::add_polynomial(const Model& m, const Data& d, DerivativeState& s, int row) {
  const int eq = d.efc_id[row], nnz = d.efc_J_rownnz[row], adr = d.efc_J_rowadr[row];
  const int* col = d.efc_J_colind.data() + adr;
  const bool joints = equality_kind(m, eq).objects == EqualityObjects::Joints;
  const int y = m.eq_obj1id[eq], x = m.eq_obj2id[eq];
  const double* c = &m.eq_data[kNumEqData * eq];
  double slope = 0, curve = 0;
  if (x >= 0) {
    const double v =
        joints ? d.qpos[m.jnt_qposadr[x]] - m.qpos0[m.jnt_qposadr[x]] : d.ten_length[x] - m.tendon_length0[x];
    slope = c[1] + v * (2 * c[2] + v * (3 * c[3] + v * 4 * c[4]));
    curve = 2 * c[2] + v * (6 * c[3] + v * 12 * c[4]);
  }
  // the row of x, scattered to this row's columns, and its derivative
  const auto number = [&](int tendon, int dof) {
    const int begin = m.ten_J_rowadr[tendon], end = begin + m.ten_J_rownnz[tendon];
    const int* columns = m.ten_J_colind.data();
    const int* found = std::lower_bound(columns + begin, columns + end, dof);
    const int at = static_cast<int>(found - columns);
    return at < end && *found == dof ? at : -1;
  };
  std::vector<double>&Jx = row_x_, &dJ = row_change_;
  Jx.assign(nnz, 0.0);
  dJ.resize(nnz);
  for (int i = 0; x >= 0 && i < nnz; ++i) {
    if (joints) {
      Jx[i] = col[i] == m.jnt_dofadr[x];
    } else if (const int at = number(x, col[i]); at >= 0) {
      Jx[i] = d.ten_J[at];
    }
  }
  for (int k = 0; k < nnz; ++k) {
    for (int i = 0; i < nnz; ++i) {
      dJ[i] = -curve * Jx[k] * Jx[i];
      if (joints || !has_tendon_hessian_) continue;
      if (const int at = number(y, col[i]); at >= 0) dJ[i] += tendon_hessian_(at, col[k]);
      if (x < 0) continue;
      if (const int at = number(x, col[i]); at >= 0) dJ[i] -= slope * tendon_hessian_(at, col[k]);
    }
    add_turning_row(d, s, row, col[k], d.efc_J[adr + k], dJ.data());
  }
}

/// A tendon's dry friction or limit: the row is ± its Jacobian.
void ConstraintColumns::add_tendon_row(const Model& m, const Data& d, DerivativeState& s, int row) {
  const int id = d.efc_id[row], adr = m.ten_J_rowadr[id], nnz = d.efc_J_rownnz[row];
  const bool limit = d.efc_type[row] == static_cast<int>(ConstraintKind::LimitTendon);
  const double upper = m.tendon_range[2 * id + 1] - d.ten_length[id];
  const double sign = limit && d.efc_pos[row] == upper ? -1 : 1;
  std::vector<double>& dJ = row_change_;
  dJ.assign(nnz, 0.0);
  for (int k = 0; k < nnz; ++k) {
    const int dof = m.ten_J_colind[adr + k];
    for (int i = 0; has_tendon_hessian_ && i < nnz; ++i) dJ[i] = sign * tendon_hessian_(adr + i, dof);
    add_turning_row(d, s, row, dof, limit ? sign * d.ten_J[adr + k] : 0, dJ.data());
  }
}

/// Adhesion actuators share their force evenly among the contacts of a body.
void ConstraintColumns::add_pulls(const Model& m, const Data& d, ContactColumns& contacts) {
  constexpr int kInGap = 1;
  for (int a = 0; a < m.nactuator; ++a) {
    if (!pulls_on_contacts(m, a)) continue;
    const auto pulled = [&](const Contact& contact) {
      const int body = m.actuator_trnid[2 * a];
      return contact.exclude <= kInGap &&
             (m.geom_bodyid[contact.geom[0]] == body || m.geom_bodyid[contact.geom[1]] == body);
    };
    const auto count = std::count_if(d.contact.begin(), d.contact.begin() + d.ncon, pulled);
    for (int c = 0; c < d.ncon; ++c)
      if (pulled(d.contact[c]))
        contacts.add_pull(c, -d.actuator_force[m.actuator_outadr[a]] / static_cast<double>(count));
  }
}

void ConstraintColumns::add(const Model& m, Data& d, DerivativeState& s) {
  carried_acc_.compute(m, d, s.group, s.acc.data());
  carried_vel_.compute(m, d, s.group, d.qvel.data());
  tendon_hessians(m, d, s);
  if (keep_) {
    change_.reset(d.nefc, s.columns.count());
    log_change_.reset(d.nefc, s.columns.count());
  }
  ContactColumns contacts(m, d, s, *this);
  diag_change_.reset(0, 0);
  if (m.opt.enabled(kEnableDiagexact)) exact_diagonal_changes(m, d);
  if (s.forces != ForceSet::Passive) add_pulls(m, d, contacts);
  FrameColumns frames(m, d, s, *this);
  for (int row = 0; row < d.nefc;) {
    const int nrow = d.efc_J_rowsuper[row] + 1;
    switch (static_cast<ConstraintKind>(d.efc_type[row])) {
      case ConstraintKind::Equality:
        if (nrow > 1) {
          frames.add(row, nrow);
        } else {
          add_polynomial(m, d, s, row);
          add_velocity_columns(d, s, row, 1);
        }
        break;
      case ConstraintKind::FrictionDof: add_velocity_columns(d, s, row, 1); break;
      case ConstraintKind::LimitJoint:
        d.efc_J_rownnz[row] == 3 ? add_ball_limit(m, d, s, row) : add_scalar_row(m, d, s, row);
        add_velocity_columns(d, s, row, 1);
        break;
      case ConstraintKind::FrictionTendon:
      case ConstraintKind::LimitTendon:
        add_tendon_row(m, d, s, row);
        add_velocity_columns(d, s, row, 1);
        break;
      default: contacts.add(row, nrow); add_velocity_columns(d, s, row, nrow);
    }
    row += nrow;
  }
  if (diag_change_.rows() > 0) add_diagonal_changes(d, s);
}

}  // namespace sinew
