#include <algorithm>
#include <cmath>
#include <new>
#include <stdexcept>

#include "base/limits.h"
#include "compile/assemble.h"
#include "compile/constants.h"
#include "compile/flex.h"
#include "compile/length_range.h"
#include "compile/mass.h"
#include "compile/meshes.h"
#include "compile/objects.h"
#include "compile/simplify.h"
#include "model/joint_kinds.h"
#include "model/model_check.h"
#include "sim/ready.h"
#include "sim/unchecked.h"
#include "sinew/data.h"
#include "sinew/load.h"
#include "spec/bytes.h"
#include "spec/references.h"

namespace sinew {
namespace compiling {
namespace {

void check_settings(Context& context) {
  const spec::Compiler& compiler = context.spec.compiler;
  const Place where = {"compiler", {}, {}};
  const bool letters = std::all_of(compiler.eulerseq.begin(), compiler.eulerseq.end(),
                                   [](char c) { return std::string_view("xyzXYZ").find(c) != std::string_view::npos; });
  if (compiler.eulerseq.size() != 3 || !letters)
    context.report.error(where, "eulerseq", "must be three letters from xyzXYZ");
  const Option& option = context.spec.option;
  const auto at_most = [&](int value, int most, const char* attribute) {
    if (value <= most) return;
    context.report.error({"option", {}, {}}, attribute,
                         "is " + std::to_string(value) + ", must be at most " + std::to_string(most));
  };
  at_most(option.iterations, limits::kIterations, "iterations");
  at_most(option.ls_iterations, limits::kIterations, "ls_iterations");
  at_most(option.noslip_iterations, limits::kIterations, "noslip_iterations");
  at_most(option.ccd_iterations, limits::kIterations, "ccd_iterations");
  at_most(option.sdf_iterations, limits::kSdfIterations, "sdf_iterations");
  at_most(option.sdf_initpoints, limits::kSdfPoints, "sdf_initpoints");
  const std::optional<double> extent = context.spec.statistic.extent;
  if (extent && !(*extent > 0)) context.report.error({"statistic", {}, {}}, "extent", "must be positive");
}

/// A program may nest bodies at any depth; what follows is recursive.
void check_depth(Context& context) {
  std::vector<std::pair<const spec::Body*, int>> open = {{&context.spec.world, 0}};
  while (!open.empty()) {
    const auto [body, depth] = open.back();
    open.pop_back();
    if (depth > limits::kBodyDepth) {
      context.report.error(place("body", *body), "",
                           "bodies are nested more than " + std::to_string(limits::kBodyDepth) + " deep");
      return;
    }
    for (const spec::Body& child : body->bodies) open.emplace_back(&child, depth + 1);
  }
}

/// Accounts for the memory of the spec and of a node for each element of the tree.
void count_spec(Context& context) {
  double bytes = sizeof(Spec), nodes = 0;
  const auto count = [&](ObjType, const auto& element) { bytes += mjcf::bytes_of(element); };
  mjcf::for_each_below(context.spec.world, [&](ObjType kind, const auto& element) {
    count(kind, element);
    nodes += sizeof(GeomNode) + sizeof(BodyNode) * (kind == ObjType::Body);
  });
  mjcf::for_each_list(context.spec, [&](ObjType kind, const auto& list) {
    for (const auto& element : list) count(kind, element);
  });
  bytes += static_cast<double>(context.spec.classes.size() * sizeof(spec::DefaultClass));
  context.take(place("worldbody", context.spec.world), "", bytes + nodes);
}

/// The tree with frames resolved and masses known, simplified according to the compiler's flags.
void make_tree(Context& context) {
  compile_meshes(context);
  compile_hfields(context);
  if (context.report.failed()) return;
  plant_tree(context.spec, context.tree);
  compile_tree(context);
  context.names.build(context.spec, context.tree, context.report);
  const bool fuses = context.spec.compiler.fusestatic, is_sound = !context.report.failed();
  if (fuses && is_sound) fuse_static_bodies(context);
  if (!fuses || is_sound) check_free_joints(context);
  if (context.report.failed()) return;
  if (context.spec.compiler.discardvisual) discard_visual_geoms(context);
  check_moving_bodies(context);
  context.names.build(context.spec, context.tree, context.report);
  std::vector<const spec::Element*> meshes;
  for (const MeshNode& node : context.meshes) meshes.push_back(node.in);
  context.names.add_all(ObjType::Mesh, meshes, context.report);
}

void make_objects(Context& context) {
  context.list_nodes();
  if (!context.spec.compiler.discardvisual) {
    compile_textures(context);
    check_materials(context);
  }
  context.asset_contents.clear();
  check_tree_references(context);
  compile_pairs(context);
  compile_excludes(context);
  compile_flexes(context);
  compile_equalities(context);
  compile_tendons(context);
  compile_actuators(context);
  compile_sensors(context);
  compile_custom(context);
}

void fill_model(Context& context) {
  Model& m = context.model;
  m.opt = context.spec.option;
  m.vis = context.spec.visual;
  m.lropt = context.spec.compiler.lengthrange;
  m.allocate();
  for (Field<int>* plugin : {&m.body_plugin, &m.geom_plugin, &m.actuator_plugin, &m.sensor_plugin})
    plugin->assign(plugin->size(), -1);
  copy_meshes(context, m);
  copy_hfields(context, m);
  copy_flexes(context, m);
  copy_tree(context);
  copy_objects(context);
  copy_names(context);
  if (context.spec.compiler.settotalmass > 0) scale_total_mass(m, context.spec.compiler.settotalmass);
}

void make_structure(Context& context) {
  Model& m = context.model;
  std::vector<bool> may_be_simple;
  for (const BodyNode* body : context.tree.bodies) may_be_simple.push_back(body->in->simple);
  link_tree(m);
  find_simple_bodies(m, may_be_simple);
  set_sparsity(m);
  set_flex_patterns(m);
  build_body_trees(m);
  append_mesh_trees(context, m);
  append_flex_trees(context, m);
  link_actuators(m);
  set_sleep_policies(context);
}

/// springdamper: stiffness I/(tc² dr²) and damping 2I/tc of a spring with time constant tc and damping ratio dr, where
/// I is the inertia seen by the joint's dofs. Runs after all constants, which do not depend on it.
void apply_spring_dampers(Context& context) {
  Model& m = context.model;
  for (int j = 0; j < m.njnt; ++j) {
    const auto [time_constant, damping_ratio] = context.joints[j]->in->springdamper;
    if (!(time_constant > 0 && damping_ratio > 0)) continue;
    const int first = m.jnt_dofadr[j], count = joint_kind(m, j).nv;
    double weight = 0;
    for (int i = first; i < first + count; ++i) weight += m.dof_invweight0[i];
    const double inertia = count / std::max(kMinVal, weight);
    m.jnt_stiffness[j] = inertia / std::max(kMinVal, time_constant * time_constant * damping_ratio * damping_ratio);
    for (int i = first; i < first + count; ++i) m.dof_damping[i] = 2 * inertia / std::max(kMinVal, time_constant);
  }
}

/// By simulation, hence last: it needs the complete model.
void find_length_ranges(Context& context) {
  for (const Problem& problem : compute_length_ranges_at_compile(context.model, &context.budget)) {
    if (problem.element == "lengthrange") {
      const Place where = {problem.element, {}, context.spec.compiler.lengthrange_origin};
      context.report.error(where, problem.attribute, problem.message, problem.hint);
      continue;
    }
    const int actuator = context.names.find(ObjType::Actuator, problem.name);
    Place where = {"actuator", problem.name, {}};
    if (actuator >= 0) {
      const spec::Actuator& in = context.spec.actuators[static_cast<std::size_t>(actuator)];
      where = place(in.element, in);
    }
    context.report.error(where, "lengthrange", problem.message, problem.hint);
  }
}

void override_statistics(const spec::StatisticOverride& in, Statistic& stat) {
  stat.meaninertia = in.meaninertia.value_or(stat.meaninertia);
  stat.meanmass = in.meanmass.value_or(stat.meanmass);
  stat.meansize = in.meansize.value_or(stat.meansize);
  stat.extent = in.extent.value_or(stat.extent);
  stat.center = in.center.value_or(stat.center);
}

/// What a step would ignore: contacts, forces and constraints of flexes are not computed yet.
void refuse_unfinished_flexes(Context& context) {
  const Model& m = context.model;
  for (int f = 0; f < m.nflex; ++f) {
    const auto refuse = [&](const char* what) {
      context.report.error(place("flex", context.spec.flexes[f]), "", std::string("not supported yet: ") + what);
    };
    const bool collides = m.flex_contype[f] != 0 || m.flex_conaffinity[f] != 0;
    if (collides && !m.opt.disabled(kDisableContact)) refuse("contacts of flexes");
    const bool elastic = m.flex_stiffnessadr[f] >= 0 || m.flex_bendingadr[f] >= 0 || m.flex_edgestiffness[f] != 0 ||
                         m.flex_edgedamping[f] != 0;
    if (elastic && !(m.opt.disabled(kDisableSpring) && m.opt.disabled(kDisableDamper)))
      refuse("passive forces of flexes");
    if (m.flex_edgeequality[f] != 0 && !m.opt.disabled(kDisableEquality)) refuse("equality constraints of flexes");
  }
}

/// Trees with sleep="init" must be able to sleep in the initial state, together with everything that touches them.
void check_initial_sleep(Context& context) {
  const Model& m = context.model;
  const auto initial = [&](int tree) { return m.tree_sleep_policy[tree] == static_cast<int>(SleepPolicy::Init); };
  bool any = false;
  for (int t = 0; t < m.ntree; ++t) any |= initial(t);
  if (!m.opt.enabled(kEnableSleep) || !any) return;
  Data d(m, Blank{});
  unchecked::reset(m, d);
  for (int t = 0; t < m.ntree; ++t) {
    if (!initial(t) || d.tree_asleep[t] >= 0) continue;
    const BodyNode& root = *context.tree.bodies[m.tree_bodyadr[t]];
    context.report.error(place("body", *root.in), "sleep", "is init, but the tree cannot sleep in the initial state",
                         "everything it touches must be able to sleep too");
  }
}

}  // namespace

/// The outline of the compilation. Each step reports errors and continues if it can; a step that needs complete input
/// from the steps before it comes after a check.
void compile_spec(Context& context) {
  check_settings(context);
  check_depth(context);
  if (context.report.failed()) return;
  count_spec(context);
  if (context.report.failed()) return;
  make_tree(context);
  make_objects(context);
  if (context.report.failed()) return;
  set_sizes(context);
  if (context.report.failed()) return;
  fill_model(context);
  if (!count_structure(context)) return;
  make_structure(context);
  copy_keyframes(context);
  if (context.report.failed()) return;
  derive_constants(context.model, &context.budget);
  apply_spring_dampers(context);
  find_length_ranges(context);
  refuse_unfinished_flexes(context);
  if (context.report.failed()) return;
  override_statistics(context.spec.statistic, context.model.stat);
  check_initial_sleep(context);
}

}  // namespace compiling

Result<Model> compile(const Spec& spec, const LoadOptions& options) {
  Problems problems;
  compiling::Context context(spec, options, problems);
  try {
    compiling::compile_spec(context);
  } catch (const Interrupted&) {
    return interrupted();
  } catch (const std::bad_alloc&) {
    return out_of_memory();
  } catch (const std::length_error&) {
    return out_of_memory();
  }

  std::vector<Problem> errors;
  for (Problem& problem : problems.take()) {
    if (problem.severity == Severity::Error) {
      if (options.collect_all || errors.empty()) errors.push_back(std::move(problem));
    } else if (options.warnings) {
      options.warnings->push_back(std::move(problem));
    }
  }
  if (!errors.empty()) return Error(std::move(errors));
  ModelCheck::accept(context.model);  // valid by construction
  return std::move(context.model);
}

}  // namespace sinew
