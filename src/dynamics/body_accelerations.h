#pragma once

#include "math/vec3.h"
#include "sinew/data.h"

// Body accelerations and forces between bodies, on demand (sensors of acceleration, force and torque). Three calls in
// this order: applied_body_forces; add_body_force for each wrench of a contact, connect or weld; body_accelerations.

namespace sinew {

/// External force on each body from xfrc_applied, at the tree's centre of mass; starts cfrc_ext.
/// Reads: xfrc_applied, xipos, subtree_com. Writes: cfrc_ext.
template <class Real>
void applied_body_forces(const Model& m, BasicData<Real>& d);

/// cfrc_ext[body] += the wrench that acts at `point`, all in world axes. The world takes none.
template <class Real>
void add_body_force(const Model& m, BasicData<Real>& d, int body, const Vec3<Real>& force, const Vec3<Real>& torque,
                    const Vec3<Real>& point);

/// Body accelerations (with -gravity in them, as an accelerometer feels it) and interaction forces with the parent.
/// Reads: qvel, qacc, cdof, cdof_dot, cvel, cinert, cfrc_ext. Writes: cacc, cfrc_int.
/// cfrc_int_b = I cacc + cvel ×f (I cvel) - cfrc_ext, summed from the leaves into the world too.
template <class Real>
void body_accelerations(const Model& m, BasicData<Real>& d);

}  // namespace sinew
