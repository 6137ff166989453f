#include "compile/orientation.h"

#include <cmath>

namespace sinew::compiling {
namespace {

Quat4 from_axis_angle(Context& context, const Place& where, const spec::Orientation& in) {
  Vec axis = Vec::load(in.value.data());
  const double angle = orientation_angle(context.spec.compiler_of(where.origin), in.value[3]);
  if (unit(axis) == 0) {
    context.report.error(where, "axisangle", "the axis is too short to define a direction");
    return {};
  }
  const double s = std::sin(angle / 2);
  return {std::cos(angle / 2), axis.x * s, axis.y * s, axis.z * s};
}

Quat4 from_xy_axes(Context& context, const Place& where, const spec::Orientation& in) {
  Vec x = Vec::load(in.value.data()), y = Vec::load(in.value.data() + 3);
  if (unit(x) == 0) {
    context.report.error(where, "xyaxes", "the x axis is too short to define a direction");
    return {};
  }
  y -= x * dot(x, y);
  if (unit(y) == 0) {
    context.report.error(where, "xyaxes", "the y axis is too short, or parallel to the x axis");
    return {};
  }
  Vec z = cross(x, y);
  unit(z);
  return quat_of(Matrix3::from_columns(x, y, z));
}

Quat4 from_z_axis(Context& context, const Place& where, const spec::Orientation& in) {
  Vec z = Vec::load(in.value.data());
  if (unit(z) == 0) {
    context.report.error(where, "zaxis", "the axis is too short to define a direction");
    return {};
  }
  return quat_from_z(z);
}

}  // namespace

Quat4 resolve_orientation(Context& context, const Place& where, const spec::Reals<4>& quat,
                          const spec::Orientation& alternative) {
  using Kind = spec::Orientation::Kind;
  switch (alternative.kind) {
    case Kind::AxisAngle: return from_axis_angle(context, where, alternative);
    case Kind::XyAxes: return from_xy_axes(context, where, alternative);
    case Kind::ZAxis: return from_z_axis(context, where, alternative);
    case Kind::Euler: {
      const auto& v = alternative.value;
      const spec::Compiler& compiler = context.spec.compiler_of(where.origin);
      const auto angle = [&](std::size_t i) { return orientation_angle(compiler, v[i]); };
      return euler_rotation(compiler.eulerseq, {angle(0), angle(1), angle(2)});
    }
    case Kind::None: break;
  }
  Quat4 q = Quat4::load(quat.data());
  if (unit(q) == 0) {
    context.report.error(where, "quat", "the quaternion is too short to define an orientation");
    return {};
  }
  return q;
}

}  // namespace sinew::compiling
