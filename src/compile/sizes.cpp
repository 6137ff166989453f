#include <algorithm>

#include "base/limits.h"
#include "compile/assemble.h"
#include "compile/flex.h"
#include "compile/meshes.h"
#include "model/joint_kinds.h"
#include "model/objects.h"
#include "model/transmission_kinds.h"

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
  // including bodies that were fused with their parents
  m.nuser_body = user_size(
      size.nuser_body, context.tree.storage, [](const BodyNode& body) -> const auto& { return body.in->user; });
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
    const JointKind& kind = joint_kind(joint->in->type);
    m.nq += kind.nq;
    m.nv += kind.nv;
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
  add_flex_sizes(context, m);
  m.nuserdata = context.spec.size.nuserdata;
  m.njmax = context.spec.size.njmax;
  m.nconmax = context.spec.size.nconmax;

  // before any allocation: a short attribute such as nkey="2000000000" must not exhaust memory
  const Place whole = {"size", {}, {context.spec.files.empty() ? -1 : 0, 0}};
  double bytes = 0, largest = 0;
  std::string largest_name;
  const auto count = [&](std::string_view name, std::int64_t rows, std::int64_t cols, std::size_t size) {
    const double entries = static_cast<double>(rows) * static_cast<double>(cols), own = entries * size;
    bytes += own;
    if (own > largest) {
      largest = own;
      largest_name = name;
    }
    if (entries <= static_cast<double>(limits::kArrayEntries)) return;
    context.report.error(whole, "",
                         "the model is too large: " + std::string(name) + " would have " + std::to_string(rows) +
                             " x " + std::to_string(cols) + " entries, at most " +
                             std::to_string(limits::kArrayEntries) + " are allowed");
  };
  m.for_each_field([&](std::string_view name, const auto& field, std::int64_t rows, std::int64_t cols, auto) {
    count(name, rows, cols, sizeof(field[0]));
  });
  using Real = double;
#define SINEW_DATA(group, type, name, rows, cols, writer, doc) count("Data::" #name, m.rows, cols, sizeof(type));
#include "sinew/data_fields.def"
#undef SINEW_DATA
  if (context.report.failed() || context.budget.take(bytes)) return;
  context.report.error(whole, "",
                       "the model is too large: with one Data it " + context.budget.refusal(bytes) +
                           "; most of it is " + largest_name + " with " + readable_bytes(largest),
                       Budget::kHint);
}

bool count_structure(Context& context) {
  const Model& m = context.model;
  // rows of M hold the ancestors of a dof; D has both triangles, B for a body the dofs above and below it, ten_J for a
  // tendon the dofs that move the bodies of its path
  std::vector<std::int64_t> above(static_cast<std::size_t>(m.nbody));  // dofs that move a body
  double inertia = 0, bodies = 0, tendons = 0, moments = 0;
  for (int b = 1; b < m.nbody; ++b) {
    const std::int64_t own = m.body_dofnum[b], higher = above[m.body_parentid[b]];
    above[b] = higher + own;
    inertia += static_cast<double>(own * higher + own * (own + 1) / 2);
    bodies += static_cast<double>(higher);
  }
  bodies += 2 * inertia;
  for (int t = 0; t < m.ntendon; ++t) {
    std::int64_t columns = 0;
    for (int w = m.tendon_adr[t]; w < m.tendon_adr[t] + m.tendon_num[t]; ++w) {
      if (static_cast<WrapType>(m.wrap_type[w]) == WrapType::Joint)
        ++columns;
      else if (const int body = wrapped_body(m, w); body >= 0)
        columns += above[body];
    }
    tendons += static_cast<double>(std::min<std::int64_t>(columns, m.nv));
  }
  for (int a = 0; a < m.nactuator; ++a) {
    const TransmissionKind& kind = transmission_kind(m, a);
    const bool one_joint = kind.target == ObjType::Joint && kind.outputs == 1;
    moments += one_joint ? 6.0 : kind.outputs * static_cast<double>(m.nv);
  }
  // indices in the model and, during construction, in temporary arrays; numbers in Data
  const Place whole = {"worldbody", {}, {context.spec.files.empty() ? -1 : 0, 0}};
  constexpr double kIndex = sizeof(int), kNumber = sizeof(double);
  const double bytes = inertia * (10 * kIndex + 6 * kNumber) + bodies * 2 * kIndex + tendons * (2 * kIndex + kNumber) +
                       moments * (kIndex + kNumber);
  for (const double entries : {2 * inertia, bodies, tendons, moments}) {
    if (entries <= static_cast<double>(limits::kArrayEntries)) continue;
    context.report.error(whole, "",
                         "the model is too large: a sparse matrix of its " + std::to_string(m.nv) +
                             " degrees of freedom would have more than " + std::to_string(limits::kArrayEntries) +
                             " entries");
    return false;
  }
  if (context.budget.take(bytes)) return true;
  context.report.error(whole, "",
                       "the sparse matrices of " + std::to_string(m.nv) + " degrees of freedom in " +
                           std::to_string(m.nbody - 1) + " bodies: the model with one Data " +
                           context.budget.refusal(bytes),
                       Budget::kHint);
  return false;
}

}  // namespace sinew::compiling
