#pragma once

#include <algorithm>

#include "derivative/state.h"

// Derivatives of the smooth forces τ = passive + actuator + applied, at fixed acceleration: residual -= ∂τ/∂x.

namespace sinew {

/// Whether some force of the model needs the dual numbers: fluid, spatial tendons that carry force or armature,
/// transmissions whose moment arms change, motors with states of their own. All others are differentiated by hand.
bool needs_dual_forces(const Model& m);

/// Some actuator pulls on the contacts of a body.
bool drives_contacts(const Model& m);

/// Springs, dampers, gravity compensation, fixed tendons, and actuators with constant moment arms.
void add_forces_by_hand(const Model& m, const Data& d, DerivativeState& s);

/// The columns of controls and activations alone, whatever the moment arms. False, and nothing added, where an actuator
/// has several inputs or its force depends on others.
bool add_inputs_by_hand(const Model& m, const Data& d, DerivativeState& s);

/// integrator += h (∂D/∂x) a' of the dampers, or for Euler -h (∂B/∂x) a' of those of dofs: the same.
void add_damper_matrix_change(const Model& m, const Data& d, DerivativeState& s);

/// All passive and actuator forces and activations, by running their stages with dual numbers, four columns at a time.
void add_forces_by_dual(const Model& m, const Data& d, DerivativeState& s);

/// Forces that the user applies to bodies (xfrc_applied): fixed in space, at a point that moves.
void add_applied_forces(const Model& m, const Data& d, DerivativeState& s);

/// A force that is fixed in space acts on a point of a body; its turning of axes is left to the sweep (apply).
void add_point_force(const Model& m, const Data& d, int body, const Vec3<double>& point, const Force<double>& at_point,
                     DerivativeState& s);

/// residual(i, …): the columns of activations after the step, ∂act⁺/∂x, from act_dot; rows of `next`.
void next_activations(const Model& m, const Data& d, DerivativeState& s, Matrix& next, int first_row);

/// Moves qpos of the dual world along one dof, as the direction `lane`: right multiplication for quaternions.
void seed_position(const Model& m, const Data& d, BasicData<Dual4>& x, int dof, int lane);

/// The world of dual numbers at the present state and inputs, without any direction.
BasicData<Dual4>& dual_world(const Model& m, const Data& d, DerivativeState& s);

/// visit(first, n) while qpos of the dual world moves along the dofs first … first + n - 1 as its directions 0 … n - 1,
/// until all dofs had their turn; then qpos has no direction again.
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
