#pragma once

#include "sinew/data.h"

namespace sinew {

/// An integrator: a row of the table below and a file integrator_<name>.cpp.
struct IntegratorKind {
  /// Advances from the state at t, with the results of forward there, to the state at t + h.
  void (*integrate)(const Model& m, Data& d);
  /// force = A a, where A is the matrix of the integrator's equation A a = qfrc: velocities change by h a. Null if
  /// there is no such matrix, because a step has several stages. False where A is the inertia itself.
  bool (*discrete_force)(const Model& m, Data& d, const double* a, double* force);
};

/// Semi-implicit Euler with implicit damping of the dofs.
/// Reads: M, qvel, qfrc_smooth, qfrc_constraint, act_dot, as advance. Writes: qH, qHDiagInv, as advance.
void integrate_euler(const Model& m, Data& d);

/// Classical Runge-Kutta: the levels run three times more, without sensors.
/// Reads: time, qpos, qvel, act, act_dot, qacc, nefmK, as position, as velocity, as acceleration, as advance.
/// Writes: as position, as velocity, as acceleration, as advance.
void integrate_rk4(const Model& m, Data& d);

/// Implicit in the velocity, with the whole derivative of the smooth forces.
/// Reads: M, qfrc_smooth, qfrc_constraint, act_dot, qacc, efm_active, warning, as velocity_derivative, as advance.
/// Writes: qLU, warning, as velocity_derivative, as advance.
void integrate_implicit(const Model& m, Data& d);

/// Implicit in the velocity, without the derivative of the bias force except for free bodies.
/// Reads: M, qfrc_smooth, qfrc_constraint, act_dot, qacc, efm_active, as velocity_derivative,
/// as free_body_bias_derivative, as advance.
/// Writes: qH, qHDiagInv, as velocity_derivative, as advance.
void integrate_implicitfast(const Model& m, Data& d);

bool euler_discrete_force(const Model& m, Data& d, const double* a, double* force);
bool implicit_discrete_force(const Model& m, Data& d, const double* a, double* force);
bool implicitfast_discrete_force(const Model& m, Data& d, const double* a, double* force);

/// By the value of Option::integrator; an invalid value falls back to Euler.
inline const IntegratorKind& integrator(int kind) {
  static constexpr IntegratorKind kTable[] = {{integrate_euler, euler_discrete_force},
                                              {integrate_rk4, nullptr},
                                              {integrate_implicit, implicit_discrete_force},
                                              {integrate_implicitfast, implicitfast_discrete_force}};
  return kTable[kind >= 0 && kind < static_cast<int>(std::size(kTable)) ? kind : 0];
}

}  // namespace sinew
