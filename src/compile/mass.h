#pragma once

#include "compile/context.h"

namespace sinew::compiling {

/// Mass, inertia and inertial frame of a body from its inertial element or its geoms. own: the body's pose before the
/// frame around it, which MuJoCo leaves in the inertial frame of a massless body.
void compile_mass(Context& context, BodyNode& body, const Pose& own);

/// Adds the mass of a fused child; child_pose: the child's frame in the body.
void absorb_mass(BodyNode& body, const BodyNode& child, const Pose& child_pose);

/// Reports bodies that can move but have no inertia.
void check_moving_bodies(Context& context);

}  // namespace sinew::compiling
