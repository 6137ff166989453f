#include "spec/orientation.h"

#include <cmath>

#include "math/elementary.h"

namespace sinew::mjcf {
namespace {

using rigid::Matrix3;
using rigid::Quat4;
using rigid::quat_of;
using rigid::unit;
using rigid::Vec;

double angle_of(const spec::Compiler& compiler, double angle) { return compiler.degree ? angle / 180 * kPi : angle; }

OrientationProblem from_axis_angle(const spec::Compiler& compiler, const spec::Orientation& in, Quat4& out) {
  Vec axis = Vec::load(in.value.data());
  const double angle = angle_of(compiler, in.value[3]);
  if (unit(axis) == 0) return {"axisangle", "the axis is too short to define a direction"};
  const double s = elementary::sin(angle / 2);
  out = {elementary::cos(angle / 2), axis.x * s, axis.y * s, axis.z * s};
  return {};
}

OrientationProblem from_xy_axes(const spec::Orientation& in, Quat4& out) {
  Vec x = Vec::load(in.value.data()), y = Vec::load(in.value.data() + 3);
  if (unit(x) == 0) return {"xyaxes", "the x axis is too short to define a direction"};
  y -= x * dot(x, y);
  if (unit(y) == 0) return {"xyaxes", "the y axis is too short, or parallel to the x axis"};
  Vec z = cross(x, y);
  unit(z);
  out = quat_of(Matrix3::from_columns(x, y, z));
  return {};
}

OrientationProblem from_z_axis(const spec::Orientation& in, Quat4& out) {
  Vec z = Vec::load(in.value.data());
  if (unit(z) == 0) return {"zaxis", "the axis is too short to define a direction"};
  out = rigid::quat_from_z(z);
  return {};
}

}  // namespace

OrientationProblem resolve_orientation(const spec::Compiler& compiler, const spec::Reals<4>& quat,
                                       const spec::Orientation& alternative, Quat4& out) {
  using Kind = spec::Orientation::Kind;
  out = {};
  switch (alternative.kind) {
    case Kind::AxisAngle: return from_axis_angle(compiler, alternative, out);
    case Kind::XyAxes: return from_xy_axes(alternative, out);
    case Kind::ZAxis: return from_z_axis(alternative, out);
    case Kind::Euler: {
      const auto& v = alternative.value;
      out = rigid::euler_rotation(compiler.eulerseq,
                                  {angle_of(compiler, v[0]), angle_of(compiler, v[1]), angle_of(compiler, v[2])});
      return {};
    }
    case Kind::None: break;
  }
  Quat4 q = Quat4::load(quat.data());
  if (unit(q) == 0) return {"quat", "the quaternion is too short to define an orientation"};
  out = q;
  return {};
}

}  // namespace sinew::mjcf
