#pragma once

#include "sinew/data.h"

namespace sinew {

/// Velocity derivative of the smooth forces: qDeriv = ∂(qfrc_passive + qfrc_actuator - qfrc_bias)/∂qvel.
/// with_bias = true is for the implicit integrator; false for implicitfast: no bias term, and the fluid term
/// symmetrized except for standalone free bodies. Entries outside the pattern of D (sibling branches, other trees) are
/// dropped; clamps of joints and tendons and the bias of tendon armature are not differentiated, as in MuJoCo.
/// Reads: qvel, ctrl, act, subtree_com, cdof, cdof_dot, cvel, cinert, crb, xipos, ximat, geom_xpos, geom_xmat, ten_J,
/// ten_velocity, flexedge_J, actuator_*, moment_*.
/// Writes: qDeriv.
template <class Real>
void velocity_derivative(const Model& m, BasicData<Real>& d, bool with_bias);

/// A body that is a whole tree by itself: one free joint, no descendants with mass. implicitfast treats its six dofs
/// exactly.
bool is_standalone_free_body(const Model& m, int body);

/// ∂qfrc_bias/∂qvel of such a body, 6 x 6 row-major, rows and columns in the order of its dofs.
/// With R = xmat, s = xipos - xpos, w = R qvel_rot, I the inertia about the center of mass in world axes:
/// [[0, -m K R], [0, Rᵀ C R]],  K = [w×s]ₓ + [w]ₓ[s]ₓ,  C = -m [s]ₓ K + [w]ₓ I - [I w]ₓ.
/// Reads: qvel, xmat, xpos, xipos, ximat. Writes: nothing.
template <class Real>
void free_body_bias_derivative(const Model& m, const BasicData<Real>& d, int body, Real* block);

}  // namespace sinew
