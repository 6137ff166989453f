#include "compile/orientation.h"

#include "spec/orientation.h"

namespace sinew::compiling {

Quat4 resolve_orientation(Context& context, const Place& where, const spec::Reals<4>& quat,
                          const spec::Orientation& alternative) {
  Quat4 out;
  const mjcf::OrientationProblem wrong =
      mjcf::resolve_orientation(context.spec.compiler_of(where.origin), quat, alternative, out);
  if (!wrong.message.empty()) context.report.error(where, wrong.attribute, std::string(wrong.message));
  return out;
}

}  // namespace sinew::compiling
