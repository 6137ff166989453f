#pragma once

#include "compile/context.h"

namespace sinew::compiling {

inline constexpr double kRadian = kPi / 180;

/// An angle of an orientation, converted from the unit of the compiler settings to radians.
inline double orientation_angle(const spec::Compiler& compiler, double angle) {
  return compiler.degree ? angle / 180 * kPi : angle;
}

/// The unit quaternion of an element: from its alternative form if given, else its quaternion. Reports errors, and then
/// returns the identity.
Quat4 resolve_orientation(Context& context, const Place& where, const spec::Reals<4>& quat,
                          const spec::Orientation& alternative);

}  // namespace sinew::compiling
