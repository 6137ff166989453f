#include <algorithm>

#include "derivative/acceleration.h"
#include "derivative/constraint.h"
#include "derivative/integrator.h"
#include "derivative/sensor.h"
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

// qfrc_inverse is the residual G of the step without actuators and applied forces, at the given acceleration a:
// ∂f/∂a = H and ∂f/∂q, ∂f/∂v are the columns of ∂G/∂x, all with the states of the rows at this a. With invdiscrete the
// given a is that of the integrator: the rows see ā = M⁻¹ W a, and M dā = d(W a) - dM ā.

namespace sinew {
namespace {

/// Row k of `to` is column first + k of `from`.
void store_transposed(const Matrix& from, int first, int n, std::vector<double>& to) {
  const int rows = from.rows();
  to.resize(static_cast<std::size_t>(n) * rows);
  for (int i = 0; i < rows; ++i)
    for (int k = 0; k < n; ++k) to[static_cast<std::size_t>(k) * rows + i] = from(i, first + k);
}

/// ∂G/∂a at s.acc.
void acceleration_derivative(const Model& m, Data& d, DerivativeState& s, Matrix& H) {
  if (d.nefc > 0) return s.constraints->evaluate_at(m, d, s, H);
  H.reset(static_cast<int>(m.nv), static_cast<int>(m.nv));
  for (int i = 0; i < m.nv; ++i)
    for (int k = m.M_rowadr[i]; k < m.M_rowadr[i] + m.M_rownnz[i]; ++k)
      H(i, m.M_colind[k]) = H(m.M_colind[k], i) = d.M[k];
}

/// C += A B.
void add_product(const Matrix& A, const Matrix& B, Matrix& C) {
  for (int i = 0; i < A.rows(); ++i)
    for (int k = 0; k < A.cols(); ++k) add_scaled(C.row(i), B.row(k), A(i, k), C.stride());
}

/// ∂M/∂q in sparse form, four dofs at a time.
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

/// Derivatives of the acceleration seen by the rows, by the state and by the given acceleration.
struct RowAcceleration {
  Matrix by_state, by_acc;
};

/// Discrete time: dā = M⁻¹ (d(W a) - dM ā); s.integrator holds the negative of the parenthesis.
void discrete_acceleration(const Model& m, Data& d, DerivativeState& s, RowAcceleration& out) {
  const int nv = static_cast<int>(m.nv);
  out.by_state = s.integrator;
  for (int i = 0; i < nv; ++i)
    for (int k = 0; k < out.by_state.stride(); ++k) out.by_state.row(i)[k] *= -1;
  solve_tree_rows(m, d.qLD.data(), d.qLDiagInv.data(), out.by_state);
  // columns of W, by applying it to unit vectors
  std::vector<double> unit(nv, 0.0), column(nv);
  for (int k = 0; k < nv; ++k) {
    unit[k] = 1;
    integrator(m.opt.integrator).discrete_force(m, d, unit.data(), column.data());
    unit[k] = 0;
    for (int i = 0; i < nv; ++i) out.by_acc(i, k) = column[i];
  }
  solve_tree_rows(m, d.qLD.data(), d.qLDiagInv.data(), out.by_acc);
}

/// Sensors see the given acceleration and the rows' forces.
void sensor_derivative(const Model& m, const Data& d, const Data& data, const DerivativeState& s,
                       const RowAcceleration& rows, InverseDerivative& out) {
  const int nv = static_cast<int>(m.nv);
  Matrix da, df, dy, by_state, sensed;
  da.reset(nv, 3 * nv);
  for (int i = 0; i < nv; ++i) da(i, 2 * nv + i) = 1;
  df.reset(d.nefc, 3 * nv);
  if (d.nefc > 0) {
    s.constraints->row_columns(d, rows.by_state, dy);
    s.constraints->force_columns(d, dy, by_state);
    for (int r = 0; r < d.nefc; ++r) std::copy_n(by_state.row(r), 2 * nv, df.row(r));
    s.constraints->add_force_response(d, rows.by_acc, df, 2 * nv);
  }
  const std::vector<double> acc(data.qacc.begin(), data.qacc.end());
  inverse_sensor_columns(m, d, s, {acc, da, df}, sensed);
  store_transposed(sensed, 0, nv, out.DsDq);
  store_transposed(sensed, nv, nv, out.DsDv);
  store_transposed(sensed, 2 * nv, nv, out.DsDa);
}

void refuse(const std::string& what) {
  throw Exception(Error::message("the analytic derivative of inverse dynamics does not support " + what));
}

}  // namespace

void inverse_analytic(const Model& m, const Data& data, const InverseOptions& options, InverseDerivative& out) {
  const bool discrete = m.opt.enabled(kEnableInvdiscrete);
  if (const std::string reason = analytic_refusal(m, data); !reason.empty()) refuse(reason);
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
    begin_integrator(m, d, s);  // for the factors; its a' is not used
    s.acc_used.assign(data.qacc.begin(), data.qacc.end());
    integrator(m.opt.integrator).discrete_force(m, d, data.qacc.data(), s.acc.data());
    solve_inertia(m, d, s.acc.data());
  }
  const bool sensors = options.sensors && m.nsensordata > 0 && !m.opt.disabled(kDisableSensor);
  s.constraints->keep_changes(sensors);
  Matrix H;
  acceleration_derivative(m, d, s, H);
  residual_columns(m, d, s);

  const int nv = static_cast<int>(m.nv);
  RowAcceleration rows;
  rows.by_state.reset(nv, s.columns.count());
  rows.by_acc.reset(nv, nv);
  for (int i = 0; i < nv; ++i) rows.by_acc(i, i) = 1;
  if (discrete) {
    discrete_acceleration(m, d, s, rows);
    add_product(H, rows.by_state, s.residual);
    Matrix product;
    product.reset(nv, nv);
    add_product(H, rows.by_acc, product);
    H = product;
  }
  store_transposed(s.residual, s.columns.q(), nv, out.DfDq);
  store_transposed(s.residual, s.columns.v(), nv, out.DfDv);
  store_transposed(H, 0, nv, out.DfDa);
  for (auto* matrix : {&out.DsDq, &out.DsDv, &out.DsDa})
    matrix->assign(options.sensors ? static_cast<std::size_t>(m.nv * m.nsensordata) : 0, 0.0);
  if (sensors) sensor_derivative(m, d, data, s, rows, out);
  out.DmDq.clear();
  if (options.inertia) inertia_derivative(m, d, s, out.DmDq);
}

}  // namespace sinew
