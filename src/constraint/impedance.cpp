#include "constraint/impedance.h"

#include <algorithm>
#include <cmath>

#include "base/arena.h"
#include "constraint/kinds.h"
#include "math/pack.h"

// The rows of one constraint share an impedance. What it follows from is laid out four constraints at a time, so that
// the divisions are done in packs; then it goes to the rows.

namespace sinew {
namespace {

/// Four constraints side by side.
struct Quad {
  // given
  double ref[2][4];  // solref
  double imp[5][4];  // solimp
  double offset[4];  // residual minus margin
  double stiff[4];   // 1, or 0 where dry friction has no stiffness
  double diagonal[4];
  // computed
  double value[4], slope[4];  // of the impedance
  double KBIP[4][4];          // of each constraint
  double R[4];                // of its first row
  double friction_R[4];       // of a cone's friction rows, the first of them
  double ratio[4];            // friction_R / R
};

SINEW_INLINE Pack spread(double x) { return Pack{x, x, x, x}; }
SINEW_INLINE Pack larger(const Pack& a, const Pack& b) { return a < b ? b : a; }
SINEW_INLINE Pack within(const Pack& x, const Pack& lo, const Pack& hi) { return x < lo ? lo : hi < x ? hi : x; }
SINEW_INLINE Pack bounded_impedance(const double* x) { return within(load(x), spread(kMinImp), spread(kMaxImp)); }

/// Impedance and its slope d imp / d pos by the solimp curve, for a curve of power 1 or 2.
SINEW_INLINE void evaluate_curve(Quad& q) {
  const Pack zero = {}, one = spread(1);
  const Pack d0 = bounded_impedance(q.imp[0]), d1 = bounded_impedance(q.imp[1]), mid = bounded_impedance(q.imp[3]);
  const Pack width = larger(zero, load(q.imp[2])), power = larger(one, load(q.imp[4]));
  const Pack signed_x = load(q.offset) / width;
  const Pack x = signed_x < zero ? -signed_x : signed_x;
  // y = x²/mid up to mid, then 1 - (1 - x)²/(1 - mid)
  const auto lower = x <= mid;
  const Pack scale = one / (lower ? mid : one - mid), arm = lower ? x : one - x;
  const Pack bent = scale * (arm * arm);
  const auto linear = power == one;
  const Pack y = linear ? x : lower ? bent : one - bent, rise = linear ? one : 2 * scale * arm;
  const Pack slope = (signed_x < zero ? -rise : rise) * (d1 - d0) / width;

  const auto flat = (d0 == d1) | (width <= spread(kMinVal)), beyond = (x >= one) | (x <= zero);
  store(q.value, flat ? 0.5 * (d0 + d1) : x >= one ? d1 : x <= zero ? d0 : d0 + y * (d1 - d0));
  store(q.slope, (flat | beyond) ? zero : slope);
}

/// A solref is (time constant, damping ratio), both positive, or (-stiffness, -damping), both not; else the default
/// takes its place. A time constant below `shortest` is not integrated stably.
SINEW_INLINE void check_solref(Pack& ref0, Pack& ref1, double shortest) {
  const Pack zero = {};
  const auto mixed = (ref0 > zero) != (ref1 > zero);
  ref0 = mixed ? spread(0.02) : ref0;
  ref1 = mixed ? spread(1) : ref1;
  ref0 = ref0 > zero ? larger(ref0, spread(shortest)) : ref0;
}

/// Stiffness K and damping B of the reference acceleration.
SINEW_INLINE void stiffness(const Pack& ref0, const Pack& ref1, const Pack& d1, Pack& K, Pack& B) {
  const Pack zero = {}, least = spread(kMinVal);
  const auto time = ref0 > zero, ratio = ref1 > zero;
  K = (time ? spread(1) : -ref0) / larger(least, time ? d1 * d1 * ref0 * ref0 * ref1 * ref1 : d1 * d1);
  B = (ratio ? spread(2) : -ref1) / larger(least, ratio ? d1 * ref0 : d1);
}

SINEW_INLINE void evaluate_first_row(Quad& q, double shortest, double impratio) {
  Pack ref0 = load(q.ref[0]), ref1 = load(q.ref[1]), K, B;
  check_solref(ref0, ref1, shortest);
  stiffness(ref0, ref1, bounded_impedance(q.imp[1]), K, B);
  K = load(q.stiff) > Pack{} ? K : Pack{};
  const Pack value = load(q.value), slope = load(q.slope);
  const Pack KB[2] = {__builtin_shufflevector(K, B, 0, 4, 2, 6), __builtin_shufflevector(K, B, 1, 5, 3, 7)};
  const Pack IP[2] = {__builtin_shufflevector(value, slope, 0, 4, 2, 6),
                      __builtin_shufflevector(value, slope, 1, 5, 3, 7)};
  for (int k = 0; k < 2; ++k) {
    store(q.KBIP[k], __builtin_shufflevector(KB[k], IP[k], 0, 1, 4, 5));
    store(q.KBIP[2 + k], __builtin_shufflevector(KB[k], IP[k], 2, 3, 6, 7));
  }
  const Pack R = larger(spread(kMinVal), (1 - value) * load(q.diagonal) / value), friction_R = R / impratio;
  store(q.R, R);
  store(q.friction_R, friction_R);
  store(q.ratio, friction_R / R);
}

/// Returns whether some curve has another power.
SINEW_KERNEL bool evaluate_curves(Quad* quad, int n) {
  auto other = Pack{} != Pack{};
  for (int i = 0; i < n; ++i) {
    evaluate_curve(quad[i]);
    const Pack power = load(quad[i].imp[4]);
    other |= (power > spread(1)) & (power != spread(2));
  }
  return (other[0] | other[1] | other[2] | other[3]) != 0;
}

SINEW_KERNEL void evaluate_first_rows(Quad* quad, int n, double shortest, double impratio) {
  for (int i = 0; i < n; ++i) evaluate_first_row(quad[i], shortest, impratio);
}

/// D = 1 / R and the diagonal that R stands for, given the impedance among KBIP.
SINEW_KERNEL void invert_regularizers(const double* R, const double* KBIP, int n, double* D, double* diagA) {
  const double* imp = KBIP + 2;
  int i = 0;
  for (; i + 4 <= n; i += 4, imp += 16) {
    const Pack r = load(R + i), value = {imp[0], imp[4], imp[8], imp[12]};
    store(D + i, 1 / r);
    store(diagA + i, r * value / (1 - value));
  }
  for (; i < n; ++i, imp += 4) {
    D[i] = 1 / R[i];
    diagA[i] = R[i] * *imp / (1 - *imp);
  }
}

/// A curve of any power.
void evaluate_curve_of_power(Quad& q, unsigned lane) {
  const auto bounded = [&](int k) { return std::clamp(q.imp[k][lane], kMinImp, kMaxImp); };
  const double d0 = bounded(0), d1 = bounded(1), mid = bounded(3), width = q.imp[2][lane], power = q.imp[4][lane];
  if (!(power > 1) || power == 2) return;
  const double x = std::abs(q.offset[lane] / width);
  if (d0 == d1 || width <= kMinVal || x >= 1 || x <= 0) return;  // where the power does not matter
  const double side = x <= mid ? mid : 1 - mid, arm = x <= mid ? x : 1 - x;
  const double scale = 1 / std::pow(side, power - 1), bent = scale * std::pow(arm, power);
  const double y = x <= mid ? bent : 1 - bent, rise = power * scale * std::pow(arm, power - 1);
  q.value[lane] = d0 + y * (d1 - d0);
  q.slope[lane] = rise * (q.offset[lane] < 0 ? -1 : 1) * (d1 - d0) / width;
}

/// Where a constraint keeps its solref and solimp.
struct Parameters {
  const double *ref, *imp;
};

Parameters parameters_of(const Model& m, const Data& d, ConstraintKind kind, int id) {
  const auto from = [id](const std::vector<double>& ref, const std::vector<double>& imp) {
    return Parameters{&ref[kNumRef * id], &imp[kNumImp * id]};
  };
  switch (kind) {
    case ConstraintKind::Equality: return from(m.eq_solref, m.eq_solimp);
    case ConstraintKind::FrictionDof: return from(m.dof_solref, m.dof_solimp);
    case ConstraintKind::LimitJoint: return from(m.jnt_solref, m.jnt_solimp);
    case ConstraintKind::FrictionTendon: return from(m.tendon_solref_fri, m.tendon_solimp_fri);
    case ConstraintKind::LimitTendon: return from(m.tendon_solref_lim, m.tendon_solimp_lim);
    default: return {d.contact[id].solref.data(), d.contact[id].solimp.data()};
  }
}

/// The residual that the impedance follows: the norm of a connect's or weld's rows, else the first row's.
double violation(const Data& d, int row, ConstraintKind kind) {
  const int nrow = d.efc_J_rowsuper[row] + 1;
  if (kind != ConstraintKind::Equality || nrow == 1) return d.efc_pos[row];
  double sum = 0;
  for (int r = 0; r < nrow; ++r) sum += d.efc_pos[row + r] * d.efc_pos[row + r];
  return std::sqrt(sum);
}

/// Fills one lane for the constraint whose first row this is.
void gather(const Model& m, const Data& d, int row, const double* diagonal, Quad& q, unsigned lane) {
  const auto kind = static_cast<ConstraintKind>(d.efc_type[row]);
  const Parameters p = parameters_of(m, d, kind, d.efc_id[row]);
  for (int k = 0; k < 2; ++k) q.ref[k][lane] = p.ref[k];
  for (int k = 0; k < 5; ++k) q.imp[k][lane] = p.imp[k];
  q.offset[lane] = violation(d, row, kind) - d.efc_margin[row];
  q.stiff[lane] = is_dry_friction(kind) ? 0 : 1;
  q.diagonal[lane] = diagonal[row];
}

/// Impedance, K, B and the regularizer of the first row of every constraint.
void evaluate(const Model& m, Data& d, const double* diagonal, double shortest, Quad* quad) {
  Quad* q = quad;
  unsigned lane = 0;
  // the last quad is filled up with the last constraint
  for (int row = 0, next = 0; next < d.nefc || lane != 0;) {
    if (next < d.nefc) {
      row = next;
      next += d.efc_J_rowsuper[row] + 1;
    }
    gather(m, d, row, diagonal, *q, lane);
    lane = (lane + 1) % 4;
    if (lane == 0) ++q;
  }
  const int nquad = static_cast<int>(q - quad);
  if (evaluate_curves(quad, nquad))
    for (int i = 0; i < nquad; ++i)
      for (lane = 0; lane < 4; ++lane) evaluate_curve_of_power(quad[i], lane);
  evaluate_first_rows(quad, nquad, shortest, std::max(kMinVal, m.opt.impratio));
}

/// B of a cone's friction rows, where they have a solref of their own, else B of the normal.
double friction_damping(const Contact& contact, const Quad& q, unsigned lane, double shortest) {
  double ref0 = contact.solreffriction[0], ref1 = contact.solreffriction[1];
  if ((ref0 == 0 && ref1 == 0) || (ref0 > 0) != (ref1 > 0)) return q.KBIP[lane][1];
  if (ref0 > 0) ref0 = std::max(ref0, shortest);
  const double d1 = std::clamp(q.imp[1][lane], kMinImp, kMaxImp);
  return ref1 > 0 ? 2 / std::max(kMinVal, d1 * ref0) : -ref1 / std::max(kMinVal, d1);
}

/// The edges of a pyramid are all alike, and have the friction of the regularized cone.
void scatter_pyramid(Contact& contact, const Quad& q, unsigned lane, int nrow, double* KBIP, double* R) {
  contact.mu = contact.friction[0] * std::sqrt(q.ratio[lane]);
  const double edge = 2 * contact.mu * contact.mu * q.R[lane];
  for (int r = 0; r < nrow; ++r) {
    store(KBIP + 4 * r, load(q.KBIP[lane]));
    R[r] = edge;
  }
}

/// The friction rows of an elliptic cone follow from its normal, so that friction is isotropic in the scaled space.
void scatter_cone(Contact& contact, const Quad& q, unsigned lane, double shortest, double* KBIP, double* R) {
  contact.mu = contact.friction[0] * std::sqrt(q.ratio[lane]);
  const Pack normal = load(q.KBIP[lane]);
  const Pack tangent = {0, friction_damping(contact, q, lane, shortest), normal[2], normal[3]};
  store(KBIP, normal);
  for (int r = 1; r < contact.dim; ++r) store(KBIP + 4 * r, tangent);
  const double *friction = contact.friction.data(), first = q.friction_R[lane];
  const double scaled = first * friction[0] * friction[0];
  R[0] = q.R[lane];
  R[1] = first;
  R[2] = scaled / (friction[1] * friction[1]);
  if (contact.dim > 3) R[3] = scaled / (friction[2] * friction[2]);
  for (int r = 4; r < contact.dim; ++r) R[r] = scaled / (friction[r - 1] * friction[r - 1]);
}

}  // namespace

void regularize_rows(const Model& m, Data& d, const double* diagonal) {
  if (d.nefc == 0) return;
  const double shortest = m.opt.disabled(kDisableRefsafe) ? 0 : 2 * m.opt.timestep;
  Scratch scratch(d.scratch());
  Quad* quad = scratch.take<Quad>((d.nefc + 3) / 4);
  evaluate(m, d, diagonal, shortest, quad);

  const Quad* q = quad;
  unsigned lane = 0;
  for (int row = 0; row < d.nefc;) {
    double *KBIP = &d.efc_KBIP[4 * row], *R = &d.efc_R[row];
    const int nrow = d.efc_J_rowsuper[row] + 1;
    const auto kind = static_cast<ConstraintKind>(d.efc_type[row]);
    if (kind == ConstraintKind::ContactPyramidal) {
      scatter_pyramid(d.contact[d.efc_id[row]], *q, lane, nrow, KBIP, R);
    } else if (kind == ConstraintKind::ContactElliptic) {
      scatter_cone(d.contact[d.efc_id[row]], *q, lane, shortest, KBIP, R);
    } else {
      store(KBIP, load(q->KBIP[lane]));
      R[0] = q->R[lane];
      for (int r = 1; r < nrow; ++r) {
        store(KBIP + 4 * r, load(q->KBIP[lane]));
        R[r] = std::max(kMinVal, (1 - q->value[lane]) * diagonal[row + r] / q->value[lane]);
      }
    }
    row += nrow;
    lane = (lane + 1) % 4;
    if (lane == 0) ++q;
  }
  invert_regularizers(d.efc_R.data(), d.efc_KBIP.data(), d.nefc, d.efc_D.data(), d.efc_diagA.data());
}

}  // namespace sinew
