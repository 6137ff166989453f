#include "constraint/impedance.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "constraint/kinds.h"
#include "math/elementary.h"
#include "math/scalar.h"

namespace sinew {
namespace {

double bounded_impedance(double x) { return std::clamp(x, kMinImp, kMaxImp); }

struct Impedance {
  double value = 0;
  double slope = 0;  // d value / d pos
};

/// The solimp curve (d0, d1, width, mid, power): from d0 at x = |offset| / width = 0 to d1 at 1 and beyond, along
///   y = x^p / mid^(p-1) up to mid, then 1 - (1 - x)^p / (1 - mid)^(p-1).
Impedance impedance_at(const double* solimp, double offset) {
  const double d0 = bounded_impedance(solimp[0]), d1 = bounded_impedance(solimp[1]);
  const double width = maximum(0.0, solimp[2]), mid = bounded_impedance(solimp[3]), power = maximum(1.0, solimp[4]);
  if (d0 == d1 || width <= kMinVal) return {0.5 * (d0 + d1), 0};
  const double signed_x = offset / width, x = std::abs(signed_x);
  if (x >= 1) return {d1, 0};
  if (x <= 0) return {d0, 0};
  double y = x, rise = 1;  // y and dy/dx of power 1
  if (power != 1) {
    const bool square = power == 2, lower = x <= mid;
    const double side = lower ? mid : 1 - mid, arm = lower ? x : 1 - x;
    const double scale = 1 / (square ? side : elementary::pow(side, power - 1));
    const double bent = scale * (square ? arm * arm : elementary::pow(arm, power));
    y = lower ? bent : 1 - bent;
    rise = power * scale * (square ? arm : elementary::pow(arm, power - 1));
  }
  return {d0 + y * (d1 - d0), (signed_x < 0 ? -rise : rise) * (d1 - d0) / width};
}

/// Stiffness and damping of the reference acceleration.
struct Spring {
  double K = 0;
  double B = 0;
};

/// A solref is (time constant, damping ratio), both positive, or (-stiffness, -damping), both nonpositive. Time
/// constants below `shortest` cannot be integrated stably.
double damping(double ref0, double ref1, double d1, double shortest) {
  if (ref0 > 0) ref0 = maximum(ref0, shortest);
  return ref1 > 0 ? 2 / maximum(kMinVal, d1 * ref0) : -ref1 / maximum(kMinVal, d1);
}
Spring spring_of(const double* solref, double d1, double shortest) {
  double ref0 = solref[0], ref1 = solref[1];
  if ((ref0 > 0) != (ref1 > 0)) ref0 = 0.02, ref1 = 1;  // mixed signs: use the default
  const double B = damping(ref0, ref1, d1, shortest);
  if (!(ref0 > 0)) return {-ref0 / maximum(kMinVal, d1 * d1), B};
  ref0 = maximum(ref0, shortest);
  return {1 / maximum(kMinVal, d1 * d1 * ref0 * ref0 * ref1 * ref1), B};
}

/// A constraint's solref and solimp.
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

/// The residual that determines the impedance: the norm of a connect's or weld's rows, otherwise the first row's.
double violation(const Data& d, int row, ConstraintKind kind) {
  const int nrow = d.efc_J_rowsuper[row] + 1;
  if (kind != ConstraintKind::Equality || nrow == 1) return d.efc_pos[row];
  double sum = 0;
  for (int r = 0; r < nrow; ++r) sum += d.efc_pos[row + r] * d.efc_pos[row + r];
  return std::sqrt(sum);
}

/// Values of one row: K and B of the reference acceleration, impedance and its slope.
struct Row {
  std::array<double, 4> KBIP;
  double R = 0, D = 0, diagA = 0;

  /// D = 1 / R, and the diagonal that corresponds to R.
  Row(double K, double B, const Impedance& impedance, double R)
      : KBIP{K, B, impedance.value, impedance.slope},
        R(R),
        D(1 / R),
        diagA(R * impedance.value / (1 - impedance.value)) {}

  void store(Data& d, int row) const {
    std::ranges::copy(KBIP, &d.efc_KBIP[4 * row]);
    d.efc_R[row] = R;
    d.efc_D[row] = D;
    d.efc_diagA[row] = diagA;
  }
};

double regularizer(const Impedance& impedance, double diagonal) {
  return maximum(kMinVal, (1 - impedance.value) * diagonal / impedance.value);
}

/// B of a cone's friction rows from their own solref, if they have one, otherwise B of the normal.
double friction_damping(const Contact& contact, double normal_B, double d1, double shortest) {
  const double ref0 = contact.solreffriction[0], ref1 = contact.solreffriction[1];
  if ((ref0 == 0 && ref1 == 0) || (ref0 > 0) != (ref1 > 0)) return normal_B;
  return damping(ref0, ref1, d1, shortest);
}

/// Fills the rows of one constraint.
class Regularizer {
 public:
  Regularizer(const Model& m, Data& d)
      : m_(m),
        d_(d),
        shortest_(m.opt.disabled(kDisableRefsafe) ? 0 : 2 * m.opt.timestep),
        impratio_(maximum(kMinVal, m.opt.impratio)) {}

  void fill(int row, int nrow, const double* diagonal) {
    const auto kind = static_cast<ConstraintKind>(d_.efc_type[row]);
    const Parameters p = parameters_of(m_, d_, kind, d_.efc_id[row]);
    const Impedance impedance = impedance_at(p.imp, violation(d_, row, kind) - d_.efc_margin[row]);
    const double d1 = bounded_impedance(p.imp[1]), R = regularizer(impedance, diagonal[row]);
    Spring spring = spring_of(p.ref, d1, shortest_);
    if (kind == ConstraintKind::ContactPyramidal) return fill_pyramid(row, nrow, spring, impedance, R);
    if (kind == ConstraintKind::ContactElliptic) return fill_cone(row, spring, impedance, d1, R);
    if (is_dry_friction(kind)) spring.K = 0;
    Row(spring.K, spring.B, impedance, R).store(d_, row);
    for (int r = row + 1; r < row + nrow; ++r)
      Row(spring.K, spring.B, impedance, regularizer(impedance, diagonal[r])).store(d_, r);
  }

 private:
  /// All edges of a pyramid are equal and use the friction of the regularized cone.
  void fill_pyramid(int row, int nrow, const Spring& spring, const Impedance& impedance, double R) {
    Contact& contact = d_.contact[d_.efc_id[row]];
    contact.mu = contact.friction[0] * std::sqrt(R / impratio_ / R);
    const Row edge(spring.K, spring.B, impedance, 2 * contact.mu * contact.mu * R);
    for (int r = row; r < row + nrow; ++r) edge.store(d_, r);
  }

  /// The friction rows of an elliptic cone follow from its normal row, so that friction is isotropic when scaled.
  void fill_cone(int row, const Spring& spring, const Impedance& impedance, double d1, double R) {
    Contact& contact = d_.contact[d_.efc_id[row]];
    const double *friction = contact.friction.data(), tangential = R / impratio_;
    contact.mu = friction[0] * std::sqrt(tangential / R);
    Row(spring.K, spring.B, impedance, R).store(d_, row);
    const double B = friction_damping(contact, spring.B, d1, shortest_);
    Row(0, B, impedance, tangential).store(d_, row + 1);
    const double scaled = tangential * friction[0] * friction[0];
    for (int r = 2; r < contact.dim; ++r)
      Row(0, B, impedance, scaled / (friction[r - 1] * friction[r - 1])).store(d_, row + r);
  }

  const Model& m_;
  Data& d_;
  double shortest_;  // shortest time constant that is integrated stably
  double impratio_;
};

}  // namespace

void regularize_rows(const Model& m, Data& d, const double* diagonal) {
  Regularizer regularizer(m, d);
  for (int row = 0; row < d.nefc;) {
    const int nrow = d.efc_J_rowsuper[row] + 1;
    regularizer.fill(row, nrow, diagonal);
    row += nrow;
  }
}

}  // namespace sinew
