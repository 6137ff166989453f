#include <fmt/format.h>

#include <bit>
#include <tuple>

#include "base/limits.h"
#include "compile/objects.h"
#include "geometry/shape_table.h"
#include "model/joint_kinds.h"
#include "model/sensor_kinds.h"

namespace sinew::compiling {
namespace {

using Target = SensorTarget;

bool is_frame(ObjType type) {
  return type == ObjType::Body || type == ObjType::XBody || type == ObjType::Geom || type == ObjType::Site ||
         type == ObjType::Camera;
}

bool allows(Target target, ObjType type) {
  switch (target) {
    case Target::None: return type == ObjType::Unknown;
    case Target::Site: return type == ObjType::Site;
    case Target::ScalarJoint:
    case Target::BallJoint:
    case Target::LimitedJoint: return type == ObjType::Joint;
    case Target::Tendon:
    case Target::LimitedTendon: return type == ObjType::Tendon;
    case Target::Actuator: return type == ObjType::Actuator;
    case Target::Frame: return is_frame(type);
    case Target::Body: return type == ObjType::Body;
    case Target::GeomOrBody: return type == ObjType::Geom || type == ObjType::Body;
    case Target::Contact:
      return type == ObjType::Unknown || type == ObjType::Site || type == ObjType::Body || type == ObjType::XBody ||
             type == ObjType::Geom;
    case Target::SiteOrCamera: return type == ObjType::Site || type == ObjType::Camera;
    case Target::Mesh: return type == ObjType::Mesh;
    case Target::Any: return true;
  }
  return false;
}

void check_target(Context& context, const Place& where, Target target, int id) {
  if (target == Target::ScalarJoint || target == Target::BallJoint || target == Target::LimitedJoint) {
    const JointNode& joint = *context.joints[id];
    const JointKind& kind = joint_kind(joint.in->type);
    if (target == Target::ScalarJoint && !kind.is_scalar())
      context.report.error(where, "joint", "must be a hinge or a slide");
    if (target == Target::BallJoint && !kind.is_ball()) context.report.error(where, "joint", "must be a ball joint");
    if (target == Target::LimitedJoint && !joint.limited) context.report.error(where, "joint", "must have a limit");
  }
  if (target == Target::LimitedTendon && !context.tendons[id].limited)
    context.report.error(where, "tendon", "must have a limit");
}

/// The sensor's target, and its reference.
void compile_objects(Context& context, const Place& where, const spec::Sensor& in, SensorNode& out) {
  const SensorKind& kind = sensor_kind(in.type);
  const Target target = kind.target;
  if (target == Target::Contact) {
    if (!allows(target, in.objtype))
      context.report.error(where, "", "first matching criterion: if set, must be (x)body, geom or site");
    if (!allows(target, in.reftype) || in.reftype == ObjType::Site)
      context.report.error(where, "", "second matching criterion: if set, must be (x)body or geom");
    if (context.report.failed()) return;
  }
  if (!allows(target, in.objtype)) {
    context.report.error(where, "", "cannot be attached to a " + std::string(element_name(in.objtype)));
    return;
  }
  if (in.objtype != ObjType::Unknown) out.objid = context.resolve(where, "objname", in.objtype, in.objname);
  if (out.objid >= 0) check_target(context, where, target, out.objid);

  if (in.reftype != ObjType::Unknown && in.refname.empty()) {
    context.report.error(where, "refname", "the name of the reference object is missing");
  } else if (in.reftype != ObjType::Unknown) {
    out.refid = context.resolve(where, "refname", in.reftype, in.refname);
  } else if (!in.refname.empty()) {
    context.report.error(where, "reftype", "is missing");
  }
  const bool needs_reference = kind.reference == SensorReference::GeomOrBody ||
                               kind.reference == SensorReference::Camera || kind.reference == SensorReference::Site;
  if (needs_reference && in.reftype == ObjType::Unknown)
    context.report.error(where, "refname", "the second object is missing");
  if (target == Target::GeomOrBody && in.objtype == in.reftype && out.objid >= 0 && out.objid == out.refid)
    context.report.error(where, "", "the two objects must differ");
  const auto is_height_field = [&](ObjType type, int id) {
    return type == ObjType::Geom && id >= 0 && shape_kind(context.geoms[id]->in->type).asset == GeomAsset::Hfield;
  };
  if (target == Target::GeomOrBody)
    for (const auto& [type, id, attribute] :
         {std::tuple(in.objtype, out.objid, "geom1"), std::tuple(in.reftype, out.refid, "geom2")})
      if (is_height_field(type, id))
        context.report.error(where, attribute, "the distance to a height field is not defined",
                             "name its body instead, to use the contacts of its surface");
  if (kind.reference == SensorReference::Camera && out.refid >= 0) {
    const auto& resolution = context.cameras[out.refid]->in->resolution;
    if (resolution[0] <= 0 || resolution[1] <= 0) context.report.error(where, "camera", "the camera has no resolution");
  }
}

/// Sum of the sizes of the fields whose bits are set.
template <std::size_t N>
int data_size(int bits, const int (&sizes)[N]) {
  int total = 0;
  for (std::size_t i = 0; i < N; ++i)
    if (bits & (1 << i)) total += sizes[i];
  return total;
}

constexpr int kRangeSizes[] = {1, 3, 3, 3, 3, 1};       // dist, dir, origin, point, normal, depth
constexpr int kContactSizes[] = {1, 3, 3, 1, 3, 3, 3};  // found, force, torque, dist, pos, normal, tangent

}  // namespace

int selected_numbers(const spec::Sensor& sensor) {
  const int dim = sensor_kind(sensor.type).dim;
  if (dim == kByRangeData) return data_size(sensor.intprm[0], kRangeSizes);
  return dim == kByContactData ? data_size(sensor.intprm[0], kContactSizes) : 0;
}

namespace {

/// The rules for values that MJCF's keywords cannot break but a program can.
void check_data_bits(Context& context, const Place& where, const spec::Sensor& in, int fields) {
  const int bits = in.intprm[0], all = (1 << fields) - 1;
  const std::string_view limit = fields == static_cast<int>(std::size(kContactSizes)) ? "mjNCONDATA" : "mjNRAYDATA";
  if (bits <= 0) {
    context.report.error(where, "data", fmt::format("data spec (intprm[0]) must be positive, got {}", bits));
  } else if (!(bits & all)) {
    context.report.error(
        where, "data",
        fmt::format("data spec intprm[0]={} must have at least one bit set of the first {} bits", bits, limit));
  } else if (bits & ~all) {
    context.report.error(where, "data",
                         fmt::format("data spec intprm[0]={} has bits set beyond the first {} bits", bits, limit));
  }
}

int dimension(Context& context, const Place& where, const spec::Sensor& in, const SensorNode& node) {
  std::int64_t dim = sensor_kind(in.type).dim;
  if (dim == kByRangeData) {
    check_data_bits(context, where, in, std::size(kRangeSizes));
    dim = data_size(in.intprm[0], kRangeSizes);
    if (in.objtype == ObjType::Camera && node.objid >= 0) {
      const auto& resolution = context.cameras[node.objid]->in->resolution;
      if (resolution[0] <= 0 || resolution[1] <= 0)
        context.report.error(where, "camera", "the camera has no resolution");
      dim *= std::int64_t{resolution[0]} * resolution[1];
    }
  } else if (dim == kByOutputs) {
    dim = node.objid >= 0 ? context.actuators[node.objid].outnum : 0;
  } else if (dim == kByContactData) {
    check_data_bits(context, where, in, std::size(kContactSizes));
    if (in.intprm[2] <= 0) context.report.error(where, "num", "num (intprm[2]) must be positive in sensor");
    if (in.intprm[1] < 0 || in.intprm[1] > 3)
      context.report.error(where, "reduce", fmt::format("unknown reduction criterion. got {}", in.intprm[1]));
    dim = std::int64_t{in.intprm[2]} * data_size(in.intprm[0], kContactSizes);
  } else if (dim == kByVertices) {
    dim = node.objid >= 0 ? static_cast<std::int64_t>(context.meshes[node.objid].mesh.vertex.size()) : 0;
  } else if (dim == kByPlugin) {
    const int plugin = context.plugin_of(in.plugin);
    dim = plugin >= 0 ? context.plugins[static_cast<std::size_t>(plugin)].sensor_values : 0;
  } else if (dim == kByUser) {
    dim = in.dim;
    if (dim < 0) context.report.error(where, "dim", "must not be negative");
  }
  if (dim > limits::kSensorNumbers) {
    context.report.error(where, "", "has " + std::to_string(dim) + " values, more than 2^28");
    return 0;
  }
  return static_cast<int>(dim);
}

void check_sensor(Context& context, const Place& where, const spec::Sensor& in, const SensorNode& node) {
  check_user(context, where, in.user, {context.spec.size.nuser_sensor, "nuser_sensor"});
  if (in.noise < 0) context.report.error(where, "noise", "must not be negative");
  if (in.cutoff < 0) context.report.error(where, "cutoff", "must not be negative");
  const bool direction = node.datatype == DataType::Axis || node.datatype == DataType::Quaternion;
  const bool searches = sensor_kind(in.type).reference == SensorReference::GeomOrBody;  // up to the cutoff
  if (in.cutoff > 0 && direction && !searches)
    context.report.error(where, "cutoff", "cannot be applied to an axis or a quaternion");
  if (node.datatype == DataType::Axis && node.dim != 3) context.report.error(where, "dim", "must be 3 for an axis");
  if (node.datatype == DataType::Quaternion && node.dim != 4)
    context.report.error(where, "dim", "must be 4 for a quaternion");
  check_history(context, where, in.delay, in.nsample);
  const auto [period, phase] = in.interval;
  if (period < 0) context.report.error(where, "interval", "the period must not be negative");
  if (phase > 0) context.report.error(where, "interval", "the phase must not be positive");
  if (period > 0 && phase <= -period) context.report.error(where, "interval", "the phase must be above -period");
}

SensorNode compile_sensor(Context& context, const spec::Sensor& in) {
  const SensorKind& row = sensor_kind(in.type);
  const Place where = place(row.element, in);
  SensorNode out;
  const bool user = in.type == SensorType::User;
  out.stage = user ? in.needstage : row.stage;
  if (const int plugin = context.plugin_of(in.plugin); plugin >= 0) {
    const PluginNode& node = context.plugins[static_cast<std::size_t>(plugin)];
    const Stage stage = node.plugin ? node.plugin->stage() : Stage::Acc;  // null: reported already
    out.stage = stage == Stage::None ? Stage::Pos : stage;
  } else if (in.type == SensorType::Plugin) {
    context.report.error(where, "plugin", "neither 'plugin' nor 'instance' is specified");
  }
  out.datatype = user ? in.datatype : row.datatype;
  compile_objects(context, where, in, out);
  out.dim = dimension(context, where, in, out);
  check_sensor(context, where, in, out);
  return out;
}

}  // namespace

void compile_sensors(Context& context) {
  for (const spec::Sensor& in : context.spec.sensors) context.sensors.push_back(compile_sensor(context, in));
}

namespace {

bool target_fits(const Model& m, Target target, int id) {
  switch (target) {
    case Target::ScalarJoint: return joint_kind(m, id).is_scalar();
    case Target::BallJoint: return joint_kind(m, id).is_ball();
    default: return true;  // a disabled limit is never active
  }
}

/// The second object: a camera to project on, a site to be inside, a geom or body to measure to, a frame.
bool reference_fits(const Model& m, const SensorKind& kind, int i) {
  const auto type = static_cast<ObjType>(m.sensor_reftype[i]);
  const int id = m.sensor_refid[i];
  switch (kind.reference) {
    case SensorReference::Camera: return type == ObjType::Camera && id >= 0;
    case SensorReference::Site: return type == ObjType::Site && id >= 0;
    case SensorReference::GeomOrBody: return allows(Target::GeomOrBody, type) && id >= 0;
    case SensorReference::OptionalContact: return allows(Target::Contact, type);
    case SensorReference::None:
    case SensorReference::OptionalFrame:
    case SensorReference::Geom: break;
  }
  return type == ObjType::Unknown || kind.target != Target::Frame || (is_frame(type) && id >= 0);
}

std::int64_t values_of(const Model& m, const SensorKind& kind, int i) {
  const int id = m.sensor_objid[i];
  const int* prm = &m.sensor_intprm[kNumSensorInt * i];
  switch (kind.dim) {
    case kByRangeData: {
      const bool camera = static_cast<ObjType>(m.sensor_objtype[i]) == ObjType::Camera;
      const int* pixels = camera ? &m.cam_resolution[2 * id] : nullptr;
      return std::int64_t{data_size(prm[0], kRangeSizes)} * (camera ? std::int64_t{pixels[0]} * pixels[1] : 1);
    }
    case kByOutputs: return m.actuator_outnum[id];
    case kByContactData: return prm[2] > 0 ? std::int64_t{prm[2]} * data_size(prm[0], kContactSizes) : -1;
    case kByVertices: return 3 * std::int64_t{m.mesh_vertnum[id]};
    case kByPlugin:
    case kByUser: return m.sensor_dim[i];
    default: return kind.dim;
  }
}

}  // namespace

bool sensor_fits(const Model& m, int i) {
  const SensorKind& kind = sensor_kind(static_cast<SensorType>(m.sensor_type[i]));
  const auto type = static_cast<ObjType>(m.sensor_objtype[i]);
  const int id = m.sensor_objid[i];
  const bool optional = type == ObjType::Unknown || kind.target == Target::Any;
  const bool stage = kind.type == SensorType::User || kind.type == SensorType::Plugin ||
                     m.sensor_needstage[i] == static_cast<int>(kind.stage);
  if ((kind.type == SensorType::Plugin) != (m.sensor_plugin[i] >= 0)) return false;
  return stage && allows(kind.target, type) && (id >= 0 || optional) && (id < 0 || target_fits(m, kind.target, id)) &&
         reference_fits(m, kind, i) && m.sensor_dim[i] == values_of(m, kind, i);
}

}  // namespace sinew::compiling
