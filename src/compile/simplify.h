#pragma once

#include "compile/context.h"

namespace sinew::compiling {

/// fusestatic: a static body that nothing refers to is merged into its parent.
void fuse_static_bodies(Context& context);

/// discardvisual: removes geoms that neither collide nor are referenced.
void discard_visual_geoms(Context& context);

}  // namespace sinew::compiling
