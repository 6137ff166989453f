#include "file/flatten.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "compile/meshes.h"
#include "compile/orientation.h"
#include "file/asset_folders.h"
#include "model/joint_kinds.h"
#include "spec/references.h"

namespace sinew::compiling {
namespace {

using Kind = spec::Orientation::Kind;

template <class M>
bool differ(const Spec& spec, M spec::Compiler::*setting) {
  for (const Spec::Attached& other : spec.attached)
    if (other.compiler.*setting != spec.compiler.*setting) return true;
  return false;
}

template <class M>
void set_everywhere(Spec& spec, M spec::Compiler::*setting, const M& value) {
  spec.compiler.*setting = value;
  for (Spec::Attached& other : spec.attached) other.compiler.*setting = value;
}

/// visit(quat, alternative, settings) for everything that has an orientation, including default classes.
template <class Visit>
void for_each_orientation(Spec& spec, Visit&& visit) {
  const auto one = [&](auto& element) { visit(element.quat, element.alt, spec.compiler_of(element.origin)); };
  for (spec::DefaultClass& dclass : spec.classes) {
    const spec::Compiler& compiler = spec.compiler_of(dclass.origin);
    visit(dclass.geom.quat, dclass.geom.alt, compiler);
    visit(dclass.site.quat, dclass.site.alt, compiler);
    visit(dclass.camera.quat, dclass.camera.alt, compiler);
  }
  mjcf::for_each_below(spec.world, [&](ObjType, auto& element) {
    if constexpr (requires { element.alt; }) one(element);
    if constexpr (requires { element.inertial; }) {
      if (element.inertial) one(*element.inertial);
    }
  });
}

/// Angles about axes other than this model's: replaced by the rotation itself.
void resolve_foreign_euler_angles(Spec& spec) {
  for_each_orientation(spec, [&](spec::Reals<4>& quat, spec::Orientation& alt, const spec::Compiler& compiler) {
    if (alt.kind != Kind::Euler || compiler.eulerseq == spec.compiler.eulerseq) return;
    const auto angle = [&](std::size_t i) { return orientation_angle(compiler, alt.value[i]); };
    euler_rotation(compiler.eulerseq, {angle(0), angle(1), angle(2)}).store(quat.data());
    alt = {};
  });
}

/// As the compiler converts the angles of a joint; a range is converted only if it is active.
void joint_in_radians(spec::Joint& joint) {
  const bool limited =
      joint.limited == spec::Tri::Auto ? joint.range[0] < joint.range[1] : joint.limited == spec::Tri::True;
  const JointKind& kind = joint_kind(joint.type);
  if (limited && kind.has_angular_range())
    for (double& x : joint.range) x *= kRadian;
  if (!kind.has_angular_position()) return;
  joint.ref *= kRadian;
  joint.springref *= kRadian;
}

/// Everything in radians: the only unit that keeps all angles bitwise.
void write_in_radians(Spec& spec) {
  for_each_orientation(spec, [](spec::Reals<4>&, spec::Orientation& alt, const spec::Compiler& compiler) {
    const std::size_t first = alt.kind == Kind::Euler ? 0 : 3, last = alt.kind == Kind::Euler ? 3 : 4;
    if (alt.kind != Kind::Euler && alt.kind != Kind::AxisAngle) return;
    for (std::size_t i = first; i < last; ++i) alt.value[i] = orientation_angle(compiler, alt.value[i]);
  });
  for (spec::DefaultClass& dclass : spec.classes)
    if (spec.compiler_of(dclass.origin).degree) joint_in_radians(dclass.joint);
  mjcf::for_each_below(spec.world, [&](ObjType, auto& element) {
    if constexpr (std::is_same_v<std::remove_cvref_t<decltype(element)>, spec::Joint>)
      if (spec.compiler_of(element.origin).degree) joint_in_radians(element);
  });
  set_everywhere(spec, &spec::Compiler::degree, false);
}

/// Whether primitives are fitted to the bounds of meshes or to their inertia; one model cannot express both.
Result<bool> unify_fit(Spec& spec) {
  const spec::Geom* seen = nullptr;
  const spec::Geom* other = nullptr;
  const auto fits_bounds = [&](const spec::Geom& geom) { return spec.compiler_of(geom.origin).fitaabb; };
  mjcf::for_each_below(spec.world, [&](ObjType, const auto& element) {
    if constexpr (std::is_same_v<std::remove_cvref_t<decltype(element)>, spec::Geom>) {
      if (element.mesh.empty() || is_mesh(element.type)) return;
      if (!seen) seen = &element;
      if (fits_bounds(element) != fits_bounds(*seen)) other = &element;
    }
  });
  if (other) {
    Problem problem;
    problem.element = "geom";
    problem.name = other->name;
    problem.attribute = "mesh";
    problem.message = "is fitted with a different compiler fitaabb than other geoms: one file cannot express that";
    return Error(std::move(problem));
  }
  set_everywhere(spec, &spec::Compiler::fitaabb, seen ? fits_bounds(*seen) : spec.compiler.fitaabb);
  return true;
}

/// Free joints of parts with a different alignfree get an explicit align.
void unify_alignment(Spec& spec) {
  mjcf::for_each_below(spec.world, [&](ObjType, auto& element) {
    if constexpr (std::is_same_v<std::remove_cvref_t<decltype(element)>, spec::Body>) {
      const bool align = spec.compiler_of(element.origin).alignfree;
      if (align == spec.compiler.alignfree) return;
      for (spec::Joint& joint : element.joints)
        if (joint_kind(joint.type).floating && joint.align == spec::Tri::Auto)
          joint.align = align ? spec::Tri::True : spec::Tri::False;
    }
  });
}

bool same_mass_rules(const spec::Compiler& a, const spec::Compiler& b) {
  return a.balanceinertia == b.balanceinertia && a.boundmass == b.boundmass && a.boundinertia == b.boundinertia &&
         a.inertiafromgeom == b.inertiafromgeom && a.inertiagrouprange == b.inertiagrouprange;
}

/// Bodies of parts with other mass rules get an explicit mass and inertia.
Result<bool> unify_masses(Spec& spec, const LoadOptions& options) {
  // masses before any body frame is moved to its inertia
  Spec unaligned = spec;
  set_everywhere(unaligned, &spec::Compiler::alignfree, false);
  mjcf::for_each_below(unaligned.world, [&](ObjType, auto& element) {
    if constexpr (requires { element.align; }) element.align = spec::Tri::False;
  });
  Problems problems;
  Context context(unaligned, options, problems);
  compile_meshes(context);
  compile_hfields(context);
  plant_tree(unaligned, context.tree);
  if (!context.report.failed()) compile_tree(context);
  if (context.report.failed()) return Error(problems.take());

  spec::Compiler& own = spec.compiler;
  const bool all = own.inertiafromgeom == spec::Tri::True || own.boundmass > 0 || own.boundinertia > 0;
  std::size_t next = 1;  // after the world; the nodes are in document order
  mjcf::for_each_below(spec.world, [&](ObjType, auto& element) {
    if constexpr (std::is_same_v<std::remove_cvref_t<decltype(element)>, spec::Body>) {
      const BodyNode& node = *context.tree.bodies[next++];
      if (!all && same_mass_rules(spec.compiler_of(element.origin), own)) return;
      spec::Inertial inertial;
      inertial.origin = element.origin;
      inertial.mass = node.mass;
      node.inertial.pos.store(inertial.pos.data());
      node.inertial.quat.store(inertial.quat.data());
      node.inertia.store(inertial.diaginertia.data());
      inertial.has_diaginertia = true;
      element.inertial = inertial;
    }
  });
  if (own.inertiafromgeom == spec::Tri::True) own.inertiafromgeom = spec::Tri::Auto;
  own.boundmass = own.boundinertia = 0;
  return true;
}

/// Keyframes of copies made by replicate and attach are incomplete where other copies have their numbers.
bool has_open_numbers(const Spec& spec) {
  for (const spec::Key& key : spec.keys)
    for (const auto* numbers : {&key.qpos, &key.qvel, &key.act, &key.ctrl, &key.mpos, &key.mquat})
      if (std::any_of(numbers->begin(), numbers->end(), [](double x) { return std::isnan(x); })) return true;
  return false;
}

/// The missing numbers of a keyframe, from the compiled model.
void complete(std::vector<double>& numbers, const std::vector<double>& compiled, std::size_t key, std::size_t size) {
  if (numbers.empty()) return;
  const double* row = compiled.data() + key * size;
  for (std::size_t i = 0; i < numbers.size(); ++i)
    if (std::isnan(numbers[i])) numbers[i] = row[i];
  numbers.insert(numbers.end(), row + numbers.size(), row + size);
}

Result<bool> complete_keys(Spec& spec, const LoadOptions& options) {
  const Result<Model> compiled = compile(spec, options);
  if (!compiled) return compiled.error();
  const Model& m = *compiled;
  const auto count = [](std::int64_t n) { return static_cast<std::size_t>(n); };
  for (std::size_t k = 0; k < spec.keys.size(); ++k) {
    spec::Key& key = spec.keys[k];
    complete(key.qpos, m.key_qpos, k, count(m.nq));
    complete(key.qvel, m.key_qvel, k, count(m.nv));
    complete(key.act, m.key_act, k, count(m.na));
    complete(key.ctrl, m.key_ctrl, k, count(m.nu));
    complete(key.mpos, m.key_mpos, k, 3 * count(m.nmocap));
    complete(key.mquat, m.key_mquat, k, 4 * count(m.nmocap));
  }
  return true;
}

/// The sizes of user data that the compiler would find.
void state_user_sizes(Spec& spec) {
  spec::Sizes& size = spec.size;
  const auto wanted = [&](ObjType kind) -> int* {
    switch (kind) {
      case ObjType::Body: return &size.nuser_body;
      case ObjType::Joint: return &size.nuser_jnt;
      case ObjType::Geom: return &size.nuser_geom;
      case ObjType::Site: return &size.nuser_site;
      case ObjType::Camera: return &size.nuser_cam;
      case ObjType::Tendon: return &size.nuser_tendon;
      case ObjType::Actuator: return &size.nuser_actuator;
      case ObjType::Sensor: return &size.nuser_sensor;
      default: return nullptr;
    }
  };
  std::map<ObjType, int> longest;
  const auto note = [&](ObjType kind, const auto& element) {
    if constexpr (requires { element.user; })
      longest[kind] = std::max(longest[kind], static_cast<int>(element.user.size()));
  };
  note(ObjType::Body, spec.world);
  mjcf::for_each_below(spec.world, note);
  mjcf::for_each_list(spec, [&](ObjType kind, const auto& list) {
    for (const auto& element : list) note(kind, element);
  });
  for (const auto& [kind, count] : longest)
    if (int* stated = wanted(kind); stated && *stated < 0 && count > 0) *stated = count;
}

/// The sequence of Euler angles means nothing to a model without any.
void forget_unused_sequence(Spec& spec) {
  bool used = false;
  for_each_orientation(spec, [&](const spec::Reals<4>&, const spec::Orientation& alt, const spec::Compiler&) {
    used = used || alt.kind == Kind::Euler;
  });
  if (!used) spec.compiler.eulerseq = spec::Compiler().eulerseq;
}

}  // namespace

Result<Spec> flatten(const Spec& spec, const std::filesystem::path& folder, const LoadOptions& options,
                     bool like_mujoco) {
  using C = spec::Compiler;
  Spec out = spec;
  const bool angles = differ(spec, &C::degree) || (like_mujoco && spec.compiler.degree);
  // a short keyframe is padded with ref as written, so with other units it must be complete
  if (has_open_numbers(out) || (angles && !out.keys.empty()))
    if (const Result<bool> done = complete_keys(out, options); !done) return done.error();
  bool same_masses = true;
  for (const Spec::Attached& other : spec.attached)
    same_masses = same_masses && same_mass_rules(other.compiler, spec.compiler);
  if (!same_masses)
    if (const Result<bool> done = unify_masses(out, options); !done) return done.error();
  if (const Result<bool> done = unify_fit(out); !done) return done.error();
  unify_alignment(out);
  resolve_foreign_euler_angles(out);
  if (angles) write_in_radians(out);
  if (differ(spec, &C::autolimits)) out.compiler.autolimits = true;  // what compiles without compiles the same with it
  if (like_mujoco) {
    forget_unused_sequence(out);
    state_user_sizes(out);
  }
  unify_folders(out, folder, Files(options.files));
  out.attached.clear();
  for (Spec::File& file : out.files) file.model = 0;
  return out;
}

}  // namespace sinew::compiling
