#pragma once

#include "derivative/state.h"

// From the acceleration to the state after one step. With W the integrator's matrix, W a' = M a:
//   W da' = M da + dM (a - a') - (dW - dM) a',    dv⁺ = dv + h da',
//   dq⁺ = E dq + h F dv⁺,  E = exp(-[s]ₓ) and F the right Jacobian of the rotation s = h w⁺; 1 for scalars.

namespace sinew {

/// Determines whether the integrator has its own matrix, factors it and computes a'. Writes d.qH, qLU, qDeriv.
void begin_integrator(const Model& m, Data& d, DerivativeState& s);

/// s.integrator += the hand-differentiated part of dM (a - a') - (dW - dM) a'.
void add_matrix_change(const Model& m, const Data& d, DerivativeState& s);

/// Rows of next: q⁺, v⁺, act⁺ from s.residual = da/dx.
void integrate_columns(const Model& m, Data& d, DerivativeState& s, Matrix& next);

/// The same for RK4, whose stages are differentiated here. d must hold the first stage; its state is restored, but
/// computed quantities are those of the last stage.
void rk4_columns(const Model& m, Data& d, DerivativeState& s, Matrix& next);

/// X = da/dx (or M da/dx if has_force is set) becomes da'/dx, with the columns of dM a - dW a'. Not for RK4.
void use_acceleration(const Model& m, const Data& d, DerivativeState& s, const Matrix& change, bool has_force,
                      Matrix& X);

/// The velocity that moves the positions for time h, and its columns: rows first_row … of `columns`, times `scale`.
struct PositionRate {
  const double* speed;
  const Matrix& columns;
  int first_row;
  double scale;
  bool from_state = true;  // the first nv columns are those of the initial positions
};

/// Rows 0 … nv-1 of out: E dq + h F d(rate), dq the identity, or zero if the columns are not those of the state.
void move_position_columns(const Model& m, const PositionRate& rate, double h, Matrix& out);

}  // namespace sinew
