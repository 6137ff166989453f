#pragma once

#include <vector>

#include "derivative/contact_geometry.h"
#include "derivative/state.h"

// Constraint forces by the implicit function theorem. With y = J a - a_ref and f = -s'(y) the residual is
//   G = M a + c - τ - Jᵀ f,    H = ∂G/∂a = M + Jᵀ s'' J,
//   ∂G/∂x = … - dJᵀ f + Jᵀ (s'' dy + ds'),   dy = dJ a + B dJ v + K (imp dpos + (pos - margin) dimp) + …
// dJᵀ f is split into the rotation of the dofs' axes, which the Newton-Euler sweep handles for the wrenches of all rows
// at once, and the change of these wrenches. Exact within one active set.

namespace sinew {

struct ConstraintProblem;
class ContactColumns;

/// The rows at the converged acceleration.
struct RowSolution {
  std::vector<double> jar, force, cone_hessian;
  std::vector<int> state;
  std::vector<int> cone_of_row;  // cone index at the first row of each cone, else -1
  bool converged = true;
};

class ConstraintColumns {
 public:
  /// Polishes s.acc by full Newton steps until the rows agree with it, and factors H there.
  void converge(const Model& m, Data& d, DerivativeState& s);

  /// Evaluates the rows at s.acc as it is; H(i, k) = ∂G_i/∂a_k there.
  void evaluate_at(const Model& m, Data& d, const DerivativeState& s, Matrix& H);

  /// Adds the rows' part of ∂G/∂x to s.residual, and their wrenches to s.sweep.
  void add(const Model& m, Data& d, DerivativeState& s);

  /// X := H⁻¹ X.
  void solve(Matrix& X) const;

  /// Whether `add` stores the changes for row_columns and force_columns; it then also covers rows without force.
  void keep_changes(bool keep) { keep_ = keep; }
  /// dy/dx of all rows, from da/dx.
  void row_columns(const Data& d, const Matrix& da, Matrix& dy) const;
  /// df/dx of all rows, from dy.
  void force_columns(const Data& d, const Matrix& dy, Matrix& df) const;
  /// df of all rows in response to accelerations alone: columns first … of df.
  void add_force_response(const Data& d, const Matrix& da, Matrix& df, int first) const;
  const std::vector<ContactRate>& contact_rates() const { return rates_; }

  const RowSolution& rows() const { return rows_; }

 private:
  friend class ContactColumns;
  friend class FrameColumns;

  /// z = s'' dy + ds' of the rows of one block, from dy and dlnD = dD/D; overwrites dy.
  void respond(const Data& d, int row, int nrow, double dlnD, double* dy) const;
  /// The same for a column at fixed acceleration, which is stored if requested by keep_changes.
  void respond_to(int column, const Data& d, int row, int nrow, double dlnD, double* dy);
  void resize(const Data& d, const ConstraintProblem& p);
  double log_slope(const Data& d, int row) const;

  void add_scalar_row(const Model& m, const Data& d, DerivativeState& s, int row);
  void add_ball_limit(const Model& m, const Data& d, DerivativeState& s, int row);
  void add_polynomial(const Model& m, const Data& d, DerivativeState& s, int row);
  void add_pulls(const Model& m, const Data& d, ContactColumns& contacts);
  void add_tendon_row(const Model& m, const Data& d, DerivativeState& s, int row);
  void add_velocity_columns(const Data& d, DerivativeState& s, int row, int nrow);
  void add_turning_row(const Data& d, DerivativeState& s, int row, int k, double dpos, const double* dJ);
  void tendon_hessians(const Model& m, const Data& d, DerivativeState& s);
  void exact_diagonal_changes(const Model& m, const Data& d);
  void add_diagonal_changes(const Data& d, DerivativeState& s);

  RowSolution rows_;
  std::vector<double> hessian_, diag_inv_;
  int stride_ = 0;
  CarriedMotion carried_acc_, carried_vel_;
  RigidSweep drift_;                    // velocity-product accelerations, for connect and weld
  std::vector<Motion<double>> beyond_;  // by body: contribution of joints behind a ball joint, summed along the chain
  std::vector<ContactRate> rates_;
  Matrix tendon_hessian_;  // ∂ten_J/∂q: a row for each entry of ten_J
  bool has_tendon_hessian_ = false;
  bool keep_ = false;
  bool small_ = false;                      // the last Newton step was small
  std::vector<int> before_;                 // states before it
  Matrix step_;                             // a Newton step
  std::vector<double> row_x_, row_change_;  // of one row
  Matrix diag_change_;                      // flag diagexact: d ln diag(J M⁻¹ Jᵀ)/dq that applies to each row
  std::unique_ptr<Data> moved_;             // scratch Data for it
  Matrix change_, log_change_;              // dy at fixed acceleration, and dD/D (at the first row of a block)
};

}  // namespace sinew
