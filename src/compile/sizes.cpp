#include <algorithm>
#include <limits>

#include "compile/assemble.h"
#include "compile/meshes.h"

namespace sinew::compiling {
namespace {

/// The size given in the file, or the longest user data of that kind.
template <class Nodes, class User>
std::int64_t user_size(int given, const Nodes& nodes, User&& user) {
  if (given >= 0) return given;
  std::size_t longest = 0;
  for (const auto& node : nodes) longest = std::max(longest, user(node).size());
  return static_cast<std::int64_t>(longest);
}

void set_user_sizes(const Context& context, Model& m) {
  const spec::Sizes& size = context.spec.size;
  const auto of_node = [](const auto* node) -> const std::vector<double>& { return node->in->user; };
  const auto of_spec = [](const auto& in) -> const std::vector<double>& { return in.user; };
  m.nuser_body = user_size(size.nuser_body, context.tree.bodies, of_node);
  m.nuser_jnt = user_size(size.nuser_jnt, context.joints, of_node);
  m.nuser_geom = user_size(size.nuser_geom, context.geoms, of_node);
  m.nuser_site = user_size(size.nuser_site, context.sites, of_node);
  m.nuser_cam = user_size(size.nuser_cam, context.cameras, of_node);
  m.nuser_tendon = user_size(size.nuser_tendon, context.spec.tendons, of_spec);
  m.nuser_actuator = user_size(size.nuser_actuator, context.spec.actuators, of_spec);
  m.nuser_sensor = user_size(size.nuser_sensor, context.spec.sensors, of_spec);
}

void set_tree_sizes(const Context& context, Model& m) {
  m.nbody = static_cast<std::int64_t>(context.tree.bodies.size());
  m.njnt = static_cast<std::int64_t>(context.joints.size());
  m.ngeom = static_cast<std::int64_t>(context.geoms.size());
  m.nsite = static_cast<std::int64_t>(context.sites.size());
  m.ncam = static_cast<std::int64_t>(context.cameras.size());
  m.nlight = static_cast<std::int64_t>(context.lights.size());
  for (const BodyNode* body : context.tree.bodies) m.nmocap += body->in->mocap;
  for (const JointNode* joint : context.joints) {
    const JointType type = joint->in->type;
    m.nq += type == JointType::Free ? 7 : type == JointType::Ball ? 4 : 1;
    m.nv += type == JointType::Free ? 6 : type == JointType::Ball ? 3 : 1;
  }
}

std::int64_t numeric_size(const spec::Numeric& in) {
  return in.size ? *in.size : static_cast<std::int64_t>(in.data.size());
}

void set_object_sizes(const Context& context, Model& m) {
  const Spec& spec = context.spec;
  const auto count = [](const auto& list) { return static_cast<std::int64_t>(list.size()); };
  if (!spec.compiler.discardvisual) {
    m.ntex = count(spec.textures);
    m.nmat = count(spec.materials);
    for (const TextureNode& texture : context.textures) m.ntexdata += count(texture.data);
  }
  m.npair = count(context.pairs);
  m.nexclude = count(context.excludes);
  m.neq = count(spec.equalities);
  m.ntendon = count(spec.tendons);
  for (const TendonNode& tendon : context.tendons) m.nwrap += count(tendon.path);
  m.nactuator = count(spec.actuators);
  for (std::size_t i = 0; i < context.actuators.size(); ++i) {
    const ActuatorNode& actuator = context.actuators[i];
    m.nu += actuator.ctrlnum;
    m.nout += actuator.outnum;
    m.na += actuator.actnum;
    const std::int64_t nsample = spec.actuators[i].nsample;
    if (nsample > 0) m.nhistory += 2 + 2 * nsample;
  }
  m.nsensor = count(spec.sensors);
  for (std::size_t i = 0; i < context.sensors.size(); ++i) {
    m.nsensordata += context.sensors[i].dim;
    const std::int64_t nsample = spec.sensors[i].nsample;
    if (nsample > 0) m.nhistory += 2 + nsample + nsample * context.sensors[i].dim;
  }
  m.nnumeric = count(spec.numerics);
  for (const spec::Numeric& in : spec.numerics) m.nnumericdata += numeric_size(in);
  m.ntext = count(spec.texts);
  for (const spec::Text& in : spec.texts) m.ntextdata += count(in.data) + 1;
  m.ntuple = count(spec.tuples);
  m.ntupledata = count(context.tuple_items);
  m.nkey = std::max<std::int64_t>(spec.size.nkey, count(spec.keys));
}

}  // namespace

void set_sizes(Context& context) {
  Model& m = context.model;
  set_tree_sizes(context, m);
  set_object_sizes(context, m);
  set_user_sizes(context, m);
  add_mesh_sizes(context, m);
  m.nuserdata = context.spec.size.nuserdata;
  m.njmax = context.spec.size.njmax;
  m.nconmax = context.spec.size.nconmax;

  // before anything is allocated: a few characters such as nkey="2000000000" must not take the machine's memory
  constexpr std::int64_t kMostEntries = std::numeric_limits<int>::max();
  constexpr double kMostBytes = 4.0 * 1024 * 1024 * 1024;
  const Place whole = {"size", {}, {context.spec.files.empty() ? -1 : 0, 0}};
  double bytes = 0;
  m.for_each_field([&](std::string_view name, const auto& field, std::int64_t rows, std::int64_t cols, auto) {
    const double entries = static_cast<double>(rows) * static_cast<double>(cols);
    bytes += entries * sizeof(field[0]);
    if (entries <= static_cast<double>(kMostEntries)) return;
    context.report.error(whole, "",
                         "the model is too large: " + std::string(name) + " would have " + std::to_string(rows) +
                             " x " + std::to_string(cols) + " entries");
  });
  for (const std::int64_t n : {m.nsensordata, m.nhistory, m.nuserdata}) {
    bytes += static_cast<double>(n) * sizeof(double);
    if (n > kMostEntries)
      context.report.error(whole, "", "the model is too large: its state has more than 2^31 numbers");
  }
  if (bytes > kMostBytes && !context.report.failed())
    context.report.error(whole, "", "the model is too large: it needs more than 4 GB");
}

}  // namespace sinew::compiling
