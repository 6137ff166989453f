#pragma once

#include <algorithm>

#include "derivative/state.h"

// Derivatives of the smooth forces τ = passive + actuator + applied, at fixed acceleration: residual -= ∂τ/∂x.

namespace sinew {

/// Whether some force of the model needs dual numbers: fluid, spatial tendons with force or armature, transmissions
/// with variable moment arms, motors with internal states. All others are differentiated by hand.
bool needs_dual_forces(const Model& m);

/// Some actuator acts on the contacts of a body (adhesion).
bool drives_contacts(const Model& m);

/// Springs, dampers, gravity compensation, fixed tendons, and actuators with constant moment arms.
void add_forces_by_hand(const Model& m, const Data& d, DerivativeState& s);

/// Only the columns of controls and activations, for any moment arms. Returns false, with nothing added, if an actuator
/// has several inputs or its force depends on others.
bool add_inputs_by_hand(const Model& m, const Data& d, DerivativeState& s);

/// integrator += h (∂D/∂x) a' of the dampers, or for Euler -h (∂B/∂x) a' of dof dampers: the same.
void add_damper_matrix_change(const Model& m, const Data& d, DerivativeState& s);

/// All passive and actuator forces and activations, by running their stages with dual numbers, four columns at a time.
void add_forces_by_dual(const Model& m, const Data& d, DerivativeState& s);

/// Forces applied to bodies (xfrc_applied): fixed in space, at a point that moves.
void add_applied_forces(const Model& m, const Data& d, DerivativeState& s);

/// A force fixed in space that acts on a point of a body; the rotation of axes is left to the sweep (apply).
void add_point_force(const Model& m, const Data& d, int body, const Vec3<double>& point, const Force<double>& at_point,
                     DerivativeState& s);

/// residual(i, …): columns of the activations after the step, ∂act⁺/∂x, from act_dot; rows of `next`.
void next_activations(const Model& m, const Data& d, DerivativeState& s, Matrix& next, int first_row);

/// Moves qpos of the dual world along one dof, in direction `lane`: right multiplication for quaternions.
void seed_position(const Model& m, const Data& d, BasicData<Dual4>& x, int dof, int lane);

/// The world of dual numbers at the current state and inputs, with all directions zero.
BasicData<Dual4>& dual_world(const Model& m, const Data& d, DerivativeState& s);

/// visit(first, n) while qpos of the dual world moves along the dofs first … first + n - 1 in directions 0 … n - 1,
/// until all dofs are done; qpos then has zero directions again.
template <class Visit>
void sweep_positions(const Model& m, const Data& d, BasicData<Dual4>& x, Visit&& visit) {
  for (int first = 0; first < m.nv; first += Dual4::directions) {
    const int n = std::min<int>(Dual4::directions, static_cast<int>(m.nv) - first);
    for (int l = 0; l < n; ++l) seed_position(m, d, x, first + l, l);
    visit(first, n);
    for (Dual4& q : x.qpos) q = value_of(q);
  }
}

}  // namespace sinew
