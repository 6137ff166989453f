#pragma once

#include "compile/context.h"

namespace sinew::compiling {

inline constexpr double kRadian = kPi / 180;

/// An angle of an orientation, which is written in the units of the compiler settings, in radians.
inline double orientation_angle(const spec::Compiler& compiler, double angle) {
  return compiler.degree ? angle / 180 * kPi : angle;
}

/// The unit quaternion of an element: its alternative form where there is one, else its quaternion. Errors are
/// reported, and the identity returned.
Quat4 resolve_orientation(Context& context, const Place& where, const spec::Reals<4>& quat,
                          const spec::Orientation& alternative);

}  // namespace sinew::compiling
