#pragma once

#include <string_view>

#include "math/rigid.h"
#include "sinew/spec.h"

namespace sinew::mjcf {

/// Why the attributes of an orientation do not define one; the message is empty if they do.
struct OrientationProblem {
  std::string_view attribute, message;
};

/// The unit quaternion of an element: from its alternative form if given, else its quaternion. The identity after a
/// problem.
OrientationProblem resolve_orientation(const spec::Compiler& compiler, const spec::Reals<4>& quat,
                                       const spec::Orientation& alternative, rigid::Quat4& out);

}  // namespace sinew::mjcf
