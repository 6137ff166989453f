#pragma once

#include "math/vec3.h"
#include "sinew/data.h"

// Body accelerations and interaction forces, on demand (acceleration, force and torque sensors). Three calls in this
// order: applied_body_forces; add_body_force for each wrench of a contact, connect or weld; body_accelerations.

namespace sinew {

/// External force on each body from xfrc_applied, at the tree's center of mass; initializes cfrc_ext.
/// Reads: xfrc_applied, xipos, subtree_com. Writes: cfrc_ext.
template <class Real>
void applied_body_forces(const Model& m, BasicData<Real>& d);

/// cfrc_ext[body] += the wrench acting at `point`, all in world axes. Ignored for the world body.
template <class Real>
void add_body_force(const Model& m, BasicData<Real>& d, int body, const Vec3<Real>& force, const Vec3<Real>& torque,
                    const Vec3<Real>& point);

/// Body accelerations (including -gravity, as measured by an accelerometer) and interaction forces with the parent.
/// Reads: qvel, qacc, cdof, cdof_dot, cvel, cinert, cfrc_ext. Writes: cacc, cfrc_int.
/// cfrc_int_b = I cacc + cvel ×f (I cvel) - cfrc_ext, accumulated from the leaves up to and including the world.
template <class Real>
void body_accelerations(const Model& m, BasicData<Real>& d);

}  // namespace sinew
