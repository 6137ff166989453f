#pragma once

#include "sinew/data.h"

namespace sinew {

/// Recursive Newton-Euler: the joint forces that balance the bodies' inertia and gravity at the velocity in d and the
/// acceleration qacc (null: zero). Armature is not included, as it is not part of the bodies' inertia.
/// Reads: qvel, cdof, cdof_dot, cvel, cinert, body_awake. Writes: nothing.
/// a_b = a_parent + Σ cdof_dot q̇ + Σ cdof q̈ from a_world = -gravity;  f_b = I a_b + cvel ×f (I cvel), summed from the
/// leaves to the roots;  result_i = cdof_i · f_body(i)   (Featherstone 2008, ch. 5)
template <class Real>
void rne(const Model& m, BasicData<Real>& d, const Real* qacc, Real* result);

/// result += a Jᵀ (J̇ q̇) for every spatial tendon with armature a (its own and its actuators').
/// Reads: qvel, site_xpos, subtree_com, cdof, cdof_dot, cvel, ten_J. Writes: nothing.
template <class Real>
void add_tendon_bias(const Model& m, BasicData<Real>& d, Real* result);

/// Bias force: Coriolis, centrifugal and gravitational force, including the bias of tendon armature.
/// Reads: as rne, as add_tendon_bias. Writes: qfrc_bias.
template <class Real>
void bias_forces(const Model& m, BasicData<Real>& d);

}  // namespace sinew
