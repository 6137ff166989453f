#include <algorithm>

#include "derivative/acceleration.h"
#include "derivative/constraint.h"
#include "derivative/integrator.h"
#include "derivative/smooth.h"
#include "derivative/solve.h"
#include "dynamics/actuation.h"
#include "dynamics/com.h"
#include "dynamics/inertia.h"
#include "dynamics/kinematics.h"
#include "dynamics/tendon.h"
#include "sim/integrator_table.h"
#include "sinew/analytic.h"
#include "sinew/error.h"
#include "sinew/state.h"
#include "sinew/step.h"

// qfrc_inverse is the residual G of the step without actuators and applied forces, at the acceleration a that the user
// gives: ∂f/∂a = H and ∂f/∂q, ∂f/∂v are the columns of ∂G/∂x, all at the rows' state for this a. With invdiscrete the
// user's a is that of the integrator: the rows see ā = M⁻¹ W a, and M dā = d(W a) - dM ā.

namespace sinew {
namespace {

void store_transposed(const Matrix& from, int first, int n, std::vector<double>& to) {
  to.resize(static_cast<std::size_t>(n) * n);
  for (int i = 0; i < n; ++i)
    for (int k = 0; k < n; ++k) to[static_cast<std::size_t>(k) * n + i] = from(i, first + k);
}

/// ∂G/∂a at s.acc.
void acceleration_derivative(const Model& m, Data& d, DerivativeState& s, Matrix& H) {
  if (d.nefc > 0) return s.constraints->evaluate_at(m, d, s, H);
  H.reset(static_cast<int>(m.nv), static_cast<int>(m.nv));
  for (int i = 0; i < m.nv; ++i)
    for (int k = m.M_rowadr[i]; k < m.M_rowadr[i] + m.M_rownnz[i]; ++k)
      H(i, m.M_colind[k]) = H(m.M_colind[k], i) = d.M[k];
}

/// C = A B for the columns first … of B, added to those of C.
void add_product(const Matrix& A, const Matrix& B, Matrix& C) {
  for (int i = 0; i < A.rows(); ++i)
    for (int k = 0; k < A.cols(); ++k) add_scaled(C.row(i), B.row(k), A(i, k), C.stride());
}

/// ∂M/∂q in its sparse form, four dofs at a time.
void inertia_derivative(const Model& m, const Data& d, DerivativeState& s, std::vector<double>& out) {
  out.assign(static_cast<std::size_t>(m.nv * m.nC), 0.0);
  BasicData<Dual4>& x = dual_world(m, d, s);
  sweep_positions(m, d, x, [&](int first, int n) {
    kinematics(m, x);
    com_position(m, x);
    tendon_paths(m, x);
    composite_inertia(m, x);
    for (int l = 0; l < n; ++l)
      for (int k = 0; k < m.nC; ++k) out[static_cast<std::size_t>((first + l) * m.nC + k)] = x.M[k].slope[l];
  });
}

void refuse(const std::string& what) {
  throw Exception(Error::message("the analytic derivative of inverse dynamics does not know " + what));
}

}  // namespace

void inverse_analytic(const Model& m, const Data& data, const InverseOptions& options, InverseDerivative& out) {
  const bool discrete = m.opt.enabled(kEnableInvdiscrete);
  if (const std::string reason = analytic_refusal(m, data); !reason.empty()) refuse(reason);
  if (options.sensors) refuse("sensors");
  if (discrete && m.opt.integrator == static_cast<int>(Integrator::RK4)) refuse("RK4 with the flag invdiscrete");
  if (discrete && m.opt.disabled(kDisableDamper)) refuse("disabled dampers with the flag invdiscrete");

  Data d(m);
  copy_state(m, data, d, kStateIntegration);
  std::ranges::copy(data.qacc, d.qacc.begin());
  inverse_skip(m, d, Stage::None, true);
  actuation(m, d);

  DerivativeState s(m);
  s.forces = options.actuation ? ForceSet::PassiveAndActuator : ForceSet::Passive;
  s.begin(m);
  s.acc.assign(data.qacc.begin(), data.qacc.end());
  s.acc_used = s.acc;
  if (discrete) {
    begin_integrator(m, d, s);  // the factors; its a' is not used
    s.acc_used.assign(data.qacc.begin(), data.qacc.end());
    integrator(m.opt.integrator).discrete_force(m, d, data.qacc.data(), s.acc.data());
    solve_inertia(m, d, s.acc.data());
  }
  Matrix H;
  acceleration_derivative(m, d, s, H);
  residual_columns(m, d, s);

  const int nv = static_cast<int>(m.nv);
  if (discrete) {
    // dā = M⁻¹ (d(W a) - dM ā): s.integrator holds the negative of the bracket
    Matrix change = s.integrator;
    for (int i = 0; i < nv; ++i)
      for (int k = 0; k < change.stride(); ++k) change.row(i)[k] *= -1;
    solve_tree_rows(m, d.qLD.data(), d.qLDiagInv.data(), change);
    add_product(H, change, s.residual);
    Matrix W;  // its columns, by applying it to unit vectors
    W.reset(nv, nv);
    std::vector<double> unit(nv, 0.0), column(nv);
    for (int k = 0; k < nv; ++k) {
      unit[k] = 1;
      integrator(m.opt.integrator).discrete_force(m, d, unit.data(), column.data());
      unit[k] = 0;
      for (int i = 0; i < nv; ++i) W(i, k) = column[i];
    }
    solve_tree_rows(m, d.qLD.data(), d.qLDiagInv.data(), W);
    Matrix product;
    product.reset(nv, nv);
    add_product(H, W, product);
    H = product;
  }
  store_transposed(s.residual, s.columns.q(), nv, out.DfDq);
  store_transposed(s.residual, s.columns.v(), nv, out.DfDv);
  store_transposed(H, 0, nv, out.DfDa);
  out.DmDq.clear();
  if (options.inertia) inertia_derivative(m, d, s, out.DmDq);
}

}  // namespace sinew
