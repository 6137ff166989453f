#pragma once

#include <array>
#include <span>
#include <vector>

#include "sinew/data.h"

// Derivatives of one step and of inverse dynamics; formulas: docs/derivatives.md.
//
// The state of a step is x = (qpos, qvel, act). Its changes dx = (dq, dv, dact) have ndx = 2 nv + na components: a
// position changes along the tangent of its joint, so that a quaternion q becomes q exp(dq). Matrices are row-major.

namespace sinew {

/// dx_next = A dx + B dctrl,  dsensordata = C dx + D dctrl.
struct Transition {
  int ndx = 0;
  int nu = 0;
  int nsensordata = 0;    // rows of C and D; 0 where sensors were not asked for
  std::vector<double> A;  // ndx x ndx
  std::vector<double> B;  // ndx x nu
  std::vector<double> C;  // nsensordata x ndx
  std::vector<double> D;  // nsensordata x nu

  /// Zeros of the model's sizes.
  void resize(const Model& model, bool sensors);
};

struct TransitionOptions {
  double eps = 1e-6;        // perturbation of differences, and how near a switch is one that is reported
  bool centered = true;     // (f(x + eps) - f(x - eps)) / 2 eps instead of (f(x + eps) - f(x)) / eps
  bool sensors = false;     // C and D as well
  bool compatible = false;  // as MuJoCo: factors and sensors of the unperturbed step are used again
  int threads = 1;          // columns are shared among them; the result has the same bits for any number
};

/// Finite differences of one step from the state of `data`, which is not changed. Every perturbed step starts the
/// solver from the warm start of `data` and leaves out the stages that the perturbation cannot change. A control whose
/// perturbation would leave its range is differenced to the other side; one outside of its range has a zero column.
/// Models with delay buffers, whose content would be part of the state, are refused with sinew::Exception.
/// With several threads, callbacks of `data` run in all of them.
void transition_fd(const Model& model, const Data& data, const TransitionOptions& options, Transition& out);

struct InverseOptions {
  double eps = 1e-6;       // perturbation
  bool actuation = false;  // f = qfrc_inverse - qfrc_actuator instead of qfrc_inverse
  bool sensors = false;    // the Ds* as well
  bool inertia = false;    // DmDq as well
};

/// Derivatives of inverse dynamics by position (along the tangent), velocity and acceleration. As in MuJoCo the layout
/// is transposed: row i holds the derivative by component i of the argument.
struct InverseDerivative {
  std::vector<double> DfDq, DfDv, DfDa;  // nv x nv: of the force f
  std::vector<double> DsDq, DsDv, DsDa;  // nv x nsensordata: of the sensors
  std::vector<double> DmDq;              // nv x nC: of the inertia M, in its sparse form
};

/// One-sided finite differences of inverse dynamics at qpos, qvel and qacc of `data`, which is not changed. Refused
/// where inverse dynamics is not defined: RK4 with the flag invdiscrete.
void inverse_fd(const Model& model, const Data& data, const InverseOptions& options, InverseDerivative& out);

/// d (qfrc_passive + qfrc_actuator - qfrc_bias) / d qvel into data.qDeriv, which is what the implicit integrators use,
/// and as a dense nv x nv matrix. Without the bias where with_bias is false. Couplings between branches that have no
/// place in the sparse pattern are left out, as are velocities behind clamps and bristles: smooth_vel_exact has them.
/// Needs forward.
void smooth_vel(const Model& model, Data& data, bool with_bias, std::vector<double>& dense);

/// The same derivative, with the bias and without any approximation, by dual numbers.
void smooth_vel_exact(const Model& model, const Data& data, std::vector<double>& dense);

/// Derivatives of q exp(scale vel), the quaternion q after turning, along the tangents of its arguments (3 x 3).
struct QuatIntegrateDerivative {
  std::array<double, 9> by_quat;
  std::array<double, 9> by_vel;  // by the scaled velocity: times scale for that by vel itself
  std::array<double, 3> by_scale;
};
QuatIntegrateDerivative d_quat_integrate(std::span<const double, 3> vel, double scale);

/// Derivatives of the rotation vector that leads from b to a, along the tangents of the quaternions (3 x 3).
struct SubQuatDerivative {
  std::array<double, 9> by_a;
  std::array<double, 9> by_b;
};
SubQuatDerivative d_sub_quat(std::span<const double, 4> a, std::span<const double, 4> b);

}  // namespace sinew
