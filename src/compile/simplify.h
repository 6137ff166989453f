#pragma once

#include "compile/context.h"

namespace sinew::compiling {

/// fusestatic: a body that cannot move and that nothing names becomes part of its parent.
void fuse_static_bodies(Context& context);

/// discardvisual: removes geoms that neither collide nor are named by anything.
void discard_visual_geoms(Context& context);

}  // namespace sinew::compiling
