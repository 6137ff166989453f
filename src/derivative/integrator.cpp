#include "derivative/integrator.h"

#include <span>

#include "base/arena.h"
#include "derivative/smooth.h"
#include "derivative/solve.h"
#include "dynamics/inertia.h"
#include "model/joint_kinds.h"
#include "sim/integrator_matrix.h"
#include "sinew/derivatives.h"

namespace sinew {
namespace {

Integrator kind(const Model& m) { return static_cast<Integrator>(m.opt.integrator); }

void solve_free_rows(const Model& m, const Data& d, const Matrix& rhs, Matrix& X) {
  for_each_standalone_free_body(m, [&](int body, int first) {
    FreeBlock block;
    free_body_block(m, d, body, first, block);
    for (int k = 0; k < X.cols(); ++k) {
      FreeBlock copy;
      std::copy_n(block, kFreeDofs * kFreeDofs, copy);
      double x[kFreeDofs];
      for (int i = 0; i < kFreeDofs; ++i) x[i] = rhs(first + i, k);
      if (!solve_free_block(copy, x)) continue;
      for (int i = 0; i < kFreeDofs; ++i) X(first + i, k) = x[i];
    }
  });
}

/// X := W⁻¹ X.
void solve_matrix_rows(const Model& m, const Data& d, DerivativeState& s, Matrix& X) {
  switch (kind(m)) {
    case Integrator::Implicit: solve_tree_lu_rows(m, d.qLU.data(), X); return;
    case Integrator::ImplicitFast: {
      s.spare = X;
      solve_tree_rows(m, d.qH.data(), d.qHDiagInv.data(), X);
      solve_free_rows(m, d, s.spare, X);
      return;
    }
    default: solve_tree_rows(m, d.qH.data(), d.qHDiagInv.data(), X);
  }
}

/// -h ∂(∂c/∂v a')/∂x. The bias force is quadratic in the velocity, so ∂c/∂v a' = (c(v + a') - c(v - a')) / 2, and its
/// derivative by v is ∂c/∂v at the velocity a'.
void add_bias_change(const Model& m, const Data& d, DerivativeState& s, Matrix& out) {
  const double h = m.opt.timestep;
  s.vector.resize(m.nv);
  for (const double sign : {1.0, -1.0}) {
    for (int i = 0; i < m.nv; ++i) s.vector[i] = d.qvel[i] + sign * s.acc_used[i];
    s.sweep.compute(m, d, s.group, {s.vector.data(), nullptr, false});
    s.sweep.add_position_derivative(m, d, -0.5 * h * sign, out, s.columns.q());
  }
  s.sweep.compute(m, d, s.group, {s.acc_used.data(), nullptr, false});
  s.sweep.add_velocity_derivative(m, d, -h, out, s.columns.v());
}

}  // namespace

void begin_integrator(const Model& m, Data& d, DerivativeState& s) {
  s.implicit = kind(m) == Integrator::Implicit || kind(m) == Integrator::ImplicitFast ||
               (kind(m) == Integrator::Euler && euler_damps_implicitly(m));
  s.acc_used = s.acc;
  if (!s.implicit) return;
  s.work.reset(static_cast<int>(m.nv), 1);
  s.vector.resize(m.nv);
  mul_tree_sparse(m, d.M.data(), s.acc.data(), s.vector.data());
  for (int i = 0; i < m.nv; ++i) s.work(i, 0) = s.vector[i];
  switch (kind(m)) {
    case Integrator::Euler: euler_matrix(m, d, d.qH.data()); break;
    case Integrator::ImplicitFast: implicitfast_matrix(m, d, d.qH.data()); break;
    default: {
      Scratch scratch(d.scratch());
      implicit_matrix(m, d, d.qLU.data());
      factor_tree_lu(pattern_of_D(m), d.qLU.data(), scratch.take<int>(m.nv));
    }
  }
  if (kind(m) != Integrator::Implicit) factor_tree_sparse(m, d.qH.data(), d.qHDiagInv.data());
  solve_matrix_rows(m, d, s, s.work);
  for (int i = 0; i < m.nv; ++i) s.acc_used[i] = s.work(i, 0);
}

void add_matrix_change(const Model& m, const Data& d, DerivativeState& s) {
  if (!s.implicit) return;
  s.vector.resize(m.nv);
  for (int i = 0; i < m.nv; ++i) s.vector[i] = s.acc[i] - s.acc_used[i];
  s.sweep.compute(m, d, s.group, {nullptr, s.vector.data(), false});
  s.sweep.add_position_derivative(m, d, 1, s.integrator, s.columns.q());
  // with dual numbers the matrix of the implicit integrator has been differentiated as a whole
  if (kind(m) == Integrator::Implicit && !needs_dual_forces(m)) add_bias_change(m, d, s, s.integrator);
  if (kind(m) == Integrator::ImplicitFast) {
    Matrix& change = s.bias_change;
    bool known = false;
    for_each_standalone_free_body(m, [&](int, int first) {
      if (!known) {
        change.reset(static_cast<int>(m.nv), s.columns.count());
        add_bias_change(m, d, s, change);
        known = true;
      }
      for (int i = first; i < first + kFreeDofs; ++i)
        for (int k = 0; k < change.cols(); ++k) s.integrator(i, k) += change(i, k);
    });
  }
}

void move_position_columns(const Model& m, const PositionRate& rate, double h, Matrix& out) {
  const int n = out.cols();
  for (int j = 0; j < m.njnt; ++j) {
    const JointKind& kind = joint_kind(m, j);
    int dof = m.jnt_dofadr[j];
    const int scalars = kind.has_quaternion() ? kind.translations : kind.nv;
    const auto columns = [&](int i) { return rate.columns.row(rate.first_row + i); };
    for (const int end = dof + scalars; dof < end; ++dof) {
      for (int k = 0; k < n; ++k) out(dof, k) = h * rate.scale * columns(dof)[k];
      if (rate.from_state) out(dof, dof) += 1;
    }
    if (!kind.has_quaternion()) continue;
    const QuatIntegrateDerivative maps = d_quat_integrate(std::span<const double, 3>(rate.speed + dof, 3), h);
    const Mat3<double> F = Mat3<double>::load(maps.by_vel.data()) * (h * rate.scale);
    for (int i = 0; i < 3; ++i) {
      for (int k = 0; k < n; ++k)
        out(dof + i, k) = F(i, 0) * columns(dof)[k] + F(i, 1) * columns(dof + 1)[k] + F(i, 2) * columns(dof + 2)[k];
      for (int k = 0; rate.from_state && k < 3; ++k) out(dof + i, dof + k) += maps.by_quat[3 * i + k];
    }
  }
}

void use_acceleration(const Model& m, const Data& d, DerivativeState& s, const Matrix& change, bool has_force,
                      Matrix& X) {
  if (!s.implicit) return;
  if (!has_force) {
    multiply_tree_rows(m, d.M.data(), X, s.work);
    std::swap(X, s.work);
  }
  for (int i = 0; i < m.nv; ++i) add_scaled(X.row(i), change.row(i), 1, X.stride());
  solve_matrix_rows(m, d, s, X);
}

void integrate_columns(const Model& m, Data& d, DerivativeState& s, Matrix& next) {
  const int nv = static_cast<int>(m.nv), n = s.columns.count();
  const double h = m.opt.timestep;
  use_acceleration(m, d, s, s.integrator, s.has_force, s.residual);
  next.reset(s.columns.state(), n);
  std::vector<double>& speed = s.vector;
  speed.resize(m.nv);
  for (int i = 0; i < nv; ++i) {
    double* v = next.row(nv + i);
    for (int k = 0; k < n; ++k) v[k] = h * s.residual(i, k);
    v[s.columns.v() + i] += 1;
    speed[i] = d.qvel[i] + h * s.acc_used[i];
  }
  move_position_columns(m, {speed.data(), next, nv, 1}, h, next);
  next_activations(m, d, s, next, 2 * nv);
}

}  // namespace sinew
