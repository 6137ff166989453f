#include "constraint/impedance.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/arena.h"
#include "constraint/kinds.h"
#include "dynamics/inertia.h"
#include "math/pack.h"

namespace sinew {
namespace {

using SolRef = std::array<double, 2>;

/// The parameters of one constraint, ready to use.
struct Parameters {
  SolRef solref;
  SolRef solreffriction = {0, 0};  // zero: as solref
  std::array<double, 5> solimp;
};

/// Rows that share one evaluation of the impedance.
int block_rows(const Model& m, const Data& d, int row) {
  const int id = d.efc_id[row];
  switch (static_cast<ConstraintKind>(d.efc_type[row])) {
    case ConstraintKind::Equality: {
      const auto type = static_cast<EqualityType>(m.eq_type[id]);
      return type == EqualityType::Connect ? 3 : type == EqualityType::Weld ? 6 : 1;
    }
    case ConstraintKind::ContactPyramidal: return contact_rows(d.contact[id].dim, false);
    case ConstraintKind::ContactElliptic: return d.contact[id].dim;
    default: return 1;
  }
}

Parameters raw_parameters(const Model& m, const Data& d, int row) {
  const int id = d.efc_id[row];
  const auto from = [id](const std::vector<double>& ref, const std::vector<double>& imp) {
    Parameters p;
    std::copy_n(&ref[kNumRef * id], kNumRef, p.solref.begin());
    std::copy_n(&imp[kNumImp * id], kNumImp, p.solimp.begin());
    return p;
  };
  switch (static_cast<ConstraintKind>(d.efc_type[row])) {
    case ConstraintKind::Equality: return from(m.eq_solref, m.eq_solimp);
    case ConstraintKind::FrictionDof: return from(m.dof_solref, m.dof_solimp);
    case ConstraintKind::LimitJoint: return from(m.jnt_solref, m.jnt_solimp);
    case ConstraintKind::FrictionTendon: return from(m.tendon_solref_fri, m.tendon_solimp_fri);
    case ConstraintKind::LimitTendon: return from(m.tendon_solref_lim, m.tendon_solimp_lim);
    default: return {d.contact[id].solref, d.contact[id].solreffriction, d.contact[id].solimp};
  }
}

/// A solref is (time constant, damping ratio), both positive, or (-stiffness, -damping), both not. refsafe: a time
/// constant below two steps is not integrated stably.
SolRef checked(const Model& m, SolRef ref, const SolRef& fallback) {
  if ((ref[0] > 0) != (ref[1] > 0)) ref = fallback;
  if (!m.opt.disabled(kDisableRefsafe) && ref[0] > 0) ref[0] = std::max(ref[0], 2 * m.opt.timestep);
  return ref;
}

Parameters parameters(const Model& m, const Data& d, int row) {
  Parameters p = raw_parameters(m, d, row);
  p.solref = checked(m, p.solref, {0.02, 1});
  if (p.solreffriction != SolRef{0, 0}) p.solreffriction = checked(m, p.solreffriction, {0, 0});
  p.solimp[0] = std::clamp(p.solimp[0], kMinImp, kMaxImp);
  p.solimp[1] = std::clamp(p.solimp[1], kMinImp, kMaxImp);
  p.solimp[3] = std::clamp(p.solimp[3], kMinImp, kMaxImp);
  p.solimp[2] = std::max(0.0, p.solimp[2]);
  p.solimp[4] = std::max(1.0, p.solimp[4]);
  return p;
}

/// The residual that the impedance follows: the norm of a connect's or weld's rows, else the first row's.
double violation(const Data& d, int row, int nrow) {
  if (d.efc_type[row] != static_cast<int>(ConstraintKind::Equality) || nrow == 1) return d.efc_pos[row];
  double sum = 0;
  for (int r = 0; r < nrow; ++r) sum += d.efc_pos[row + r] * d.efc_pos[row + r];
  return std::sqrt(sum);
}

/// Stiffness K and damping B of the reference acceleration.
void set_stiffness(const SolRef& ref, double imp_max, bool with_stiffness, double* KBIP) {
  KBIP[0] = 0;
  if (with_stiffness)
    KBIP[0] = ref[0] > 0 ? 1 / std::max(kMinVal, imp_max * imp_max * ref[0] * ref[0] * ref[1] * ref[1])
                         : -ref[0] / std::max(kMinVal, imp_max * imp_max);
  KBIP[1] = ref[1] > 0 ? 2 / std::max(kMinVal, imp_max * ref[0]) : -ref[1] / std::max(kMinVal, imp_max);
}

/// The friction of a contact's regularized cone, from the ratio of its two regularizers.
double regularized_friction(const Model& m, double R0, const Contact& contact) {
  const double R1 = R0 / std::max(kMinVal, m.opt.impratio);
  return contact.friction[0] * std::sqrt(R1 / R0);
}

/// The friction rows of an elliptic cone follow from its normal, so that friction is isotropic in the scaled space.
void regularize_cone(const Model& m, const Contact& contact, double* R) {
  R[1] = R[0] / std::max(kMinVal, m.opt.impratio);
  for (int j = 2; j < contact.dim; ++j)
    R[j] = R[1] * contact.friction[0] * contact.friction[0] / (contact.friction[j - 1] * contact.friction[j - 1]);
}

/// R, D = 1 / R and the diagonal that R stands for, of nrow rows.
void set_regularizers(const Model& m, Data& d, int row, int nrow, double imp, const double* diagonal) {
  double* R = &d.efc_R[row];
  const auto regularizer = [&](int r) { return std::max(kMinVal, (1 - imp) * diagonal[row + r] / imp); };
  const auto kind = static_cast<ConstraintKind>(d.efc_type[row]);
  R[0] = regularizer(0);
  if (kind == ConstraintKind::ContactPyramidal) {
    // all edges alike, from the first
    Contact& contact = d.contact[d.efc_id[row]];
    contact.mu = regularized_friction(m, R[0], contact);
    const double edge = 2 * contact.mu * contact.mu * R[0];
    std::fill_n(R, nrow, edge);
    std::fill_n(&d.efc_D[row], nrow, 1 / edge);
    std::fill_n(&d.efc_diagA[row], nrow, edge * imp / (1 - imp));
    return;
  }
  if (kind == ConstraintKind::ContactElliptic) {
    Contact& contact = d.contact[d.efc_id[row]];
    contact.mu = regularized_friction(m, R[0], contact);
    regularize_cone(m, contact, R);
  } else {
    for (int r = 1; r < nrow; ++r) R[r] = regularizer(r);
  }
  for (int r = 0; r < nrow; ++r) {
    d.efc_D[row + r] = 1 / R[r];
    d.efc_diagA[row + r] = R[r] * imp / (1 - imp);
  }
}

double invweight_of(const Model& m, int body, bool rotation) { return m.body_invweight0[2 * body + rotation]; }

void approximate_equality(const Model& m, const Data& d, int row, int nrow, double* diagonal) {
  const int eq = d.efc_id[row], id1 = m.eq_obj1id[eq], id2 = m.eq_obj2id[eq];
  if (nrow > 1) {
    const bool sites = m.eq_objtype[eq] == static_cast<int>(ObjType::Site);
    const int body1 = sites ? m.site_bodyid[id1] : id1, body2 = sites ? m.site_bodyid[id2] : id2;
    for (int r = 0; r < nrow; ++r) diagonal[r] = invweight_of(m, body1, r >= 3) + invweight_of(m, body2, r >= 3);
    return;
  }
  const bool joint = m.eq_type[eq] == static_cast<int>(EqualityType::Joint);
  const auto weight = [&](int id) {
    return id < 0 ? 0.0 : joint ? m.dof_invweight0[m.jnt_dofadr[id]] : m.tendon_invweight0[id];
  };
  diagonal[0] = weight(id1) + weight(id2);
}

void approximate_contact(const Model& m, const Data& d, int row, int nrow, double* diagonal) {
  const Contact& contact = d.contact[d.efc_id[row]];
  const int body1 = m.geom_bodyid[contact.geom[0]], body2 = m.geom_bodyid[contact.geom[1]];
  const double translation = invweight_of(m, body1, false) + invweight_of(m, body2, false);
  const double rotation = invweight_of(m, body1, true) + invweight_of(m, body2, true);
  for (int r = 0; r < nrow; ++r) {
    if (d.efc_type[row] == static_cast<int>(ConstraintKind::ContactPyramidal)) {
      const double mu = contact.friction[r / 2];
      diagonal[r] = translation + mu * mu * (r < 4 ? translation : rotation);
    } else {
      diagonal[r] = r < 3 ? translation : rotation;
    }
  }
}

}  // namespace

Impedance impedance(const double solimp[kNumImp], double pos, double margin) {
  const double d0 = solimp[0], d1 = solimp[1], width = solimp[2], mid = solimp[3], power = solimp[4];
  if (d0 == d1 || width <= kMinVal) return {0.5 * (d0 + d1), 0};
  double x = (pos - margin) / width, sign = 1;
  if (x < 0) x = -x, sign = -1;
  if (x >= 1) return {d1, 0};
  if (x <= 0) return {d0, 0};
  double y = x, slope = 1;
  if (power == 2) {
    // the default, without calls of pow
    const double rest = 1 - x;
    y = x <= mid ? 1 / mid * (x * x) : 1 - 1 / (1 - mid) * (rest * rest);
    slope = x <= mid ? 2 * (1 / mid) * x : 2 * (1 / (1 - mid)) * rest;
  } else if (power != 1) {
    if (x <= mid) {
      const double a = 1 / std::pow(mid, power - 1);
      y = a * std::pow(x, power);
      slope = power * a * std::pow(x, power - 1);
    } else {
      const double b = 1 / std::pow(1 - mid, power - 1);
      y = 1 - b * std::pow(1 - x, power);
      slope = power * b * std::pow(1 - x, power - 1);
    }
  }
  return {d0 + y * (d1 - d0), slope * sign * (d1 - d0) / width};
}

void approximate_diagonal(const Model& m, const Data& d, double* diagonal) {
  for (int row = 0; row < d.nefc;) {
    const int nrow = block_rows(m, d, row), id = d.efc_id[row];
    switch (static_cast<ConstraintKind>(d.efc_type[row])) {
      case ConstraintKind::Equality: approximate_equality(m, d, row, nrow, diagonal + row); break;
      case ConstraintKind::FrictionDof: diagonal[row] = m.dof_invweight0[id]; break;
      case ConstraintKind::LimitJoint: diagonal[row] = m.dof_invweight0[m.jnt_dofadr[id]]; break;
      case ConstraintKind::FrictionTendon:
      case ConstraintKind::LimitTendon: diagonal[row] = m.tendon_invweight0[id]; break;
      default: approximate_contact(m, d, row, nrow, diagonal + row);
    }
    row += nrow;
  }
}

void exact_diagonal(const Model& m, Data& d, double* diagonal) {
  Scratch scratch(d.scratch());
  double* x = scratch.take<double>(m.nv);
  for (int row = 0; row < d.nefc; ++row) {
    std::fill_n(x, m.nv, 0.0);
    for (int k = d.efc_J_rowadr[row]; k < d.efc_J_rowadr[row] + d.efc_J_rownnz[row]; ++k)
      x[d.efc_J_colind[k]] = d.efc_J[k];
    half_solve_tree_sparse(m, d.qLD.data(), d.qLDiagInv.data(), x, 1);
    diagonal[row] = 0;
    for (int i = 0; i < m.nv; ++i) diagonal[row] += x[i] * x[i];
  }
}

void regularize_rows(const Model& m, Data& d, const double* diagonal) {
  for (int row = 0; row < d.nefc;) {
    const int nrow = block_rows(m, d, row);
    const auto kind = static_cast<ConstraintKind>(d.efc_type[row]);
    const bool elliptic = kind == ConstraintKind::ContactElliptic;
    const Parameters p = parameters(m, d, row);
    const Impedance imp = impedance(p.solimp.data(), violation(d, row, nrow), d.efc_margin[row]);
    const bool own_friction = p.solreffriction[0] != 0 || p.solreffriction[1] != 0;
    double normal[4] = {0, 0, imp.value, imp.slope}, tangent[4] = {0, 0, imp.value, imp.slope};
    set_stiffness(p.solref, p.solimp[1], !is_dry_friction(kind), normal);
    if (elliptic) set_stiffness(own_friction ? p.solreffriction : p.solref, p.solimp[1], false, tangent);
    double* KBIP = &d.efc_KBIP[4 * row];
    for (int r = 0; r < nrow; ++r, KBIP += 4) store(KBIP, load(elliptic && r > 0 ? tangent : normal));
    set_regularizers(m, d, row, nrow, imp.value, diagonal);
    row += nrow;
  }
}

}  // namespace sinew
