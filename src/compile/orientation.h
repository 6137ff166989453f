#pragma once

#include "compile/context.h"

namespace sinew::compiling {

/// The unit quaternion of an element: its alternative form where there is one, else its quaternion. Errors are
/// reported, and the identity returned.
Quat4 resolve_orientation(Context& context, const Place& where, const spec::Reals<4>& quat,
                          const spec::Orientation& alternative);

/// Rotation by three angles (radians) about the axes that the letters name: a lower-case letter turns about the axis
/// of the frame as turned so far, an upper-case one about the fixed axis.
Quat4 euler_rotation(std::string_view sequence, const Vec& angles);

}  // namespace sinew::compiling
