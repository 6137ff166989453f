#pragma once

#include <array>
#include <span>
#include <vector>

#include "sinew/data.h"

// Derivatives of one step and of inverse dynamics; formulas: docs/derivatives.md.
//
// The state of a step is x = (qpos, qvel, act). Its changes dx = (dq, dv, dact) have ndx = 2 nv + na components: a
// position changes along the tangent of its joint: a quaternion q becomes q exp(dq). Matrices are row-major.

namespace sinew {

/// dx_next = A dx + B dctrl,  dsensordata = C dx + D dctrl.
struct Transition {
  int ndx = 0;
  int nu = 0;
  int nsensordata = 0;    // rows of C and D; 0 if sensors were not requested
  std::vector<double> A;  // ndx x ndx
  std::vector<double> B;  // ndx x nu
  std::vector<double> C;  // nsensordata x ndx
  std::vector<double> D;  // nsensordata x nu

  /// Zero matrices of the model's sizes.
  void resize(const Model& model, bool sensors);
};

struct TransitionOptions {
  double eps = 1e-6;        // perturbation of differences, and distance within which a switch is reported
  bool centered = true;     // (f(x + eps) - f(x - eps)) / 2 eps instead of (f(x + eps) - f(x)) / eps
  bool sensors = false;     // also C and D
  bool compatible = false;  // as MuJoCo: factors and sensors of the unperturbed step are reused
  int threads = 1;          // columns are divided among them; same bits for any number
};

/// Finite differences of one step from the state of `data`, which is not changed. Every perturbed step starts the
/// solver from the warm start of `data` and skips the stages that the perturbation cannot affect. A control whose
/// perturbation would leave its range is differenced toward the other side; one outside its range has a zero column.
/// Models with delay buffers, whose content would be part of the state, are refused with sinew::Exception. With several
/// threads, callbacks of `data` run in all of them.
void transition_fd(const Model& model, const Data& data, const TransitionOptions& options, Transition& out);

struct InverseOptions {
  double eps = 1e-6;       // perturbation
  bool actuation = false;  // f = qfrc_inverse - qfrc_actuator instead of qfrc_inverse
  bool sensors = false;    // also Ds*
  bool inertia = false;    // also DmDq
};

/// Derivatives of inverse dynamics with respect to position (along the tangent), velocity and acceleration. As in
/// MuJoCo the layout is transposed: row i holds the derivative with respect to component i of the argument.
struct InverseDerivative {
  std::vector<double> DfDq, DfDv, DfDa;  // nv x nv: of the force f
  std::vector<double> DsDq, DsDv, DsDa;  // nv x nsensordata: of the sensors
  std::vector<double> DmDq;              // nv x nC: of the inertia M, in its sparse form
};

/// One-sided finite differences of inverse dynamics at qpos, qvel and qacc of `data`, which is not changed. Refused if
/// inverse dynamics is not defined: RK4 with the flag invdiscrete.
void inverse_fd(const Model& model, const Data& data, const InverseOptions& options, InverseDerivative& out);

/// d (qfrc_passive + qfrc_actuator - qfrc_bias) / d qvel into data.qDeriv, which is what the implicit integrators use,
/// and as a dense nv x nv matrix. with_bias = false omits the bias. Couplings between branches outside the sparse
/// pattern are omitted, as are velocity terms behind clamps and bristles: smooth_vel_exact includes them. Needs
/// forward.
void smooth_vel(const Model& model, Data& data, bool with_bias, std::vector<double>& dense);

/// The same derivative, with the bias and without any approximation, by dual numbers.
void smooth_vel_exact(const Model& model, const Data& data, std::vector<double>& dense);

/// Derivatives of q exp(scale vel), the quaternion q after the rotation, along the tangents of its arguments (3 x 3).
struct QuatIntegrateDerivative {
  std::array<double, 9> by_quat;
  std::array<double, 9> by_vel;  // with respect to the scaled velocity; multiply by scale for vel itself
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
