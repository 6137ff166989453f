#pragma once

#include <memory>
#include <span>
#include <vector>

#include "derivative/matrix.h"
#include "derivative/rigid.h"
#include "math/dual.h"
#include "sinew/analytic.h"
#include "sinew/data.h"

namespace sinew {

/// Columns of all derivatives: the tangent of the state, then the controls, then parameters of the model, which enter
/// like controls.
struct ColumnLayout {
  int nv = 0, na = 0, nu = 0, nparam = 0;

  int q() const { return 0; }
  int v() const { return nv; }
  int act() const { return 2 * nv; }
  int ctrl() const { return 2 * nv + na; }
  int state() const { return 2 * nv + na; }
  int param() const { return 2 * nv + na + nu; }
  int count() const { return 2 * nv + na + nu + nparam; }
};

class ConstraintColumns;
struct RungeKuttaColumns;
struct RungeKuttaDeleter {
  void operator()(RungeKuttaColumns* columns) const;
};

/// Forces in the residual: all forces of a step or, for inverse dynamics, passive ones, optionally with actuators.
enum class ForceSet { All, Passive, PassiveAndActuator };

/// Memory and results of differentiating the acceleration at one instant; kept, so that differentiating a model again
/// allocates nothing.
struct DerivativeState {
  explicit DerivativeState(const Model& m);
  ~DerivativeState();
  /// Sizes everything and clears the sums.
  void begin(const Model& m);

  ColumnLayout columns;
  std::vector<int> group;  // axis_groups

  ForceSet forces = ForceSet::All;
  std::span<const Parameter> parameters;  // columns.nparam of them
  std::vector<double> acc;                // a, converged
  std::vector<double> acc_used;           // a' of the integrator: W a' = M a

  /// ∂G/∂x at fixed acceleration, G = M a + c - τ + Jᵀ s'(J a - a_ref) = 0; then da/dx = -H⁻¹ ∂G/∂x or, if has_force is
  /// set, M da/dx, which is all that an integrator with its own matrix needs.
  Matrix residual;
  bool has_force = false;
  bool needs_acc = false;  // da/dx is always computed
  /// -(∂W/∂x) a' + (∂M/∂x) a of the integrator's matrix.
  Matrix integrator;
  bool implicit = false;  // the integrator has a matrix W other than M
  /// ∂act_dot/∂x, and derivatives of the actuators' lengths and velocities, if there are activations.
  Matrix act_dot, act_length, act_velocity;

  // memory of the parts, reused between calls
  Matrix work, spare, bias_change;
  std::vector<double> vector;
  std::vector<Dual4> dual_rate, dual_bias, dual_inertial;
  std::unique_ptr<RungeKuttaColumns, RungeKuttaDeleter> runge_kutta;
  RigidSweep sweep;
  std::unique_ptr<ConstraintColumns> constraints;
  std::unique_ptr<BasicData<Dual4>> dual;  // the smooth stages along four directions at a time
};

}  // namespace sinew
