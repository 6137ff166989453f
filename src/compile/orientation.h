#pragma once

#include "compile/context.h"

namespace sinew::compiling {

/// The unit quaternion of an element: its alternative form where there is one, else its quaternion. Errors are
/// reported, and the identity returned.
Quat4 resolve_orientation(Context& context, const Place& where, const spec::Reals<4>& quat,
                          const spec::Orientation& alternative);

}  // namespace sinew::compiling
