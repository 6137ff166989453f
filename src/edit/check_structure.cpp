#include "edit/check_structure.h"

#include <fmt/format.h>

#include <algorithm>

#include "compile/assemble.h"
#include "compile/objects.h"
#include "model/joint_kinds.h"
#include "model/transmission_kinds.h"
#include "spec/actuator_sizes.h"

namespace sinew::compiling {
namespace {

std::string wrong_value(std::string_view field, std::size_t at, std::int64_t value) {
  return fmt::format("{}[{}] is {}, which is inconsistent with the rest of the model", field, at, value);
}

template <class Values>
std::string compare(std::string_view field, const Values& given, const Values& derived) {
  if (given.size() != derived.size()) return fmt::format("{} has the wrong size for the model", field);
  const auto at = std::mismatch(given.begin(), given.end(), derived.begin());
  if (at.first == given.end()) return {};
  return wrong_value(field, static_cast<std::size_t>(at.first - given.begin()), *at.first);
}

/// The arrays of the tree that are running counts over bodies and joints.
void derive_addresses(const Model& m, Model& out) {
  int joint = 0, dof = 0, position = 0, geom = 0, mocap = 0;
  for (int b = 0; b < m.nbody; ++b) {
    const bool joints = m.body_jntnum[b] > 0;
    const int first = dof;
    out.body_jntadr[b] = joints ? joint : -1;
    for (int k = 0; k < m.body_jntnum[b]; ++k, ++joint) {
      const JointKind& kind = joint_kind(m, joint);
      out.jnt_bodyid[joint] = b;
      out.jnt_qposadr[joint] = position;
      out.jnt_dofadr[joint] = dof;
      for (int i = 0; i < kind.nv && dof < m.nv; ++i, ++dof) {
        out.dof_bodyid[dof] = b;
        out.dof_jntid[dof] = joint;
      }
      position += kind.nq;
    }
    out.body_dofnum[b] = dof - first;
    out.body_dofadr[b] = dof > first ? first : -1;
    out.body_geomadr[b] = m.body_geomnum[b] > 0 ? geom : -1;
    for (int k = 0; k < m.body_geomnum[b]; ++k) out.geom_bodyid[geom++] = b;
    const bool is_mocap = m.body_mocapid[b] >= 0;
    out.body_mocapid[b] = is_mocap ? mocap++ : -1;
    const int parent = m.body_parentid[b];
    out.body_rootid[b] = b == 0 || parent == 0 ? b : out.body_rootid[parent];
    out.body_weldid[b] = b == 0 || joints || is_mocap ? b : out.body_weldid[parent];
  }
  out.nq = position;
}

/// What follows from the rest of the model.
struct StructureField {
  const char* name;
  Field<int> Model::*array;
};
#define SINEW_FIELD(field) \
  StructureField { #field, &Model::field }
const StructureField kStructure[] = {
    SINEW_FIELD(body_parentid), SINEW_FIELD(body_jntnum),   SINEW_FIELD(body_jntadr),  SINEW_FIELD(body_geomnum),
    SINEW_FIELD(body_geomadr),  SINEW_FIELD(body_mocapid),  SINEW_FIELD(body_rootid),  SINEW_FIELD(body_weldid),
    SINEW_FIELD(body_dofnum),   SINEW_FIELD(body_dofadr),   SINEW_FIELD(body_treeid),  SINEW_FIELD(jnt_type),
    SINEW_FIELD(jnt_bodyid),    SINEW_FIELD(jnt_qposadr),   SINEW_FIELD(jnt_dofadr),   SINEW_FIELD(dof_bodyid),
    SINEW_FIELD(dof_jntid),     SINEW_FIELD(dof_simplenum), SINEW_FIELD(dof_parentid), SINEW_FIELD(dof_treeid),
    SINEW_FIELD(dof_Madr),      SINEW_FIELD(D_diag),        SINEW_FIELD(geom_bodyid),  SINEW_FIELD(tree_bodyadr),
    SINEW_FIELD(tree_bodynum),  SINEW_FIELD(tree_dofadr),   SINEW_FIELD(tree_dofnum),  SINEW_FIELD(M_rownnz),
    SINEW_FIELD(M_rowadr),      SINEW_FIELD(M_colind),      SINEW_FIELD(mapM2M),       SINEW_FIELD(D_rownnz),
    SINEW_FIELD(D_rowadr),      SINEW_FIELD(D_colind),      SINEW_FIELD(mapM2D),       SINEW_FIELD(mapD2M),
    SINEW_FIELD(B_rownnz),      SINEW_FIELD(B_rowadr),      SINEW_FIELD(B_colind),     SINEW_FIELD(ten_J_rownnz),
    SINEW_FIELD(ten_J_rowadr),  SINEW_FIELD(ten_J_colind),
};
#undef SINEW_FIELD

}  // namespace

std::string check_derived_tree(const Model& m) {
  std::int64_t joints = 0, geoms = 0;
  for (const int n : m.body_jntnum) joints += n;
  for (const int n : m.body_geomnum) geoms += n;
  if (joints != m.njnt || geoms != m.ngeom)
    return "body_jntnum or body_geomnum is inconsistent with the rest of the model";
  if (m.nbody > 0 && (m.body_parentid[0] != 0 || m.body_jntnum[0] != 0)) return "body 0 is not the world";

  // everything that the functions below read, without the large asset arrays
  Model out;
#define SINEW_SIZE(name, doc) out.name = m.name;
#include "sinew/model_sizes.def"
#undef SINEW_SIZE
  for (const StructureField& f : kStructure) out.*f.array = m.*f.array;
  out.site_bodyid = m.site_bodyid;
  out.tendon_adr = m.tendon_adr;
  out.tendon_num = m.tendon_num;
  out.wrap_type = m.wrap_type;
  out.wrap_objid = m.wrap_objid;
  out.actuator_trnid = m.actuator_trnid;
  out.actuator_trntype = m.actuator_trntype;
  out.eq_type = m.eq_type;

  derive_addresses(m, out);
  std::string wrong;
  const auto check = [&] {
    for (const StructureField& f : kStructure)
      if (wrong.empty()) wrong = compare(f.name, m.*f.array, out.*f.array);
    return !wrong.empty();
  };
  if (out.nq != m.nq) return "nq does not match the joints";
  if (check()) return wrong;
  int run = 0;  // the model author may choose what is simple, but only for whole bodies
  for (int i = static_cast<int>(m.nv) - 1; i >= 0; --i) {
    run = m.body_simple[m.dof_bodyid[i]] ? run + 1 : 0;
    if (m.dof_simplenum[i] != run) return wrong_value("dof_simplenum", static_cast<std::size_t>(i), m.dof_simplenum[i]);
    const int parent = m.body_parentid[m.dof_bodyid[i]];
    if (run > 0 && m.body_dofnum[m.body_weldid[parent]] > 0)
      return wrong_value("body_simple", static_cast<std::size_t>(m.dof_bodyid[i]), m.body_simple[m.dof_bodyid[i]]);
  }
  link_tree(out);
  set_sparsity(out);
  // moment rows need enough room; with a target of fewer dofs, some is unused
  if (out.ntree != m.ntree || out.nM != m.nM || out.nJmom > m.nJmom)
    return "ntree, nM or nJmom is inconsistent with the rest of the model";
  check();
  return wrong;
}

std::string check_bvh(const Model& m, int adr, int num, int first_element, int elements) {
  for (int n = 0; n < num; ++n) {
    const auto at = static_cast<std::size_t>(adr + n);
    const int *child = &m.bvh_child[2 * at], element = m.bvh_nodeid[at];
    const bool leaf =
        child[0] == -1 && child[1] == -1 && element >= first_element && element < first_element + elements;
    const bool inner = element == -1 && child[0] > n && child[1] > n && child[0] < num && child[1] < num;
    if (!leaf && !inner) return wrong_value("bvh_child", 2 * at, child[0]);
    if (m.bvh_depth[at] < 0 || m.bvh_depth[at] > num) return wrong_value("bvh_depth", at, m.bvh_depth[at]);
  }
  return {};
}

namespace {

std::string check_octree(const Model& m, int adr, int num) {
  for (int n = 0; n < num; ++n) {
    const auto at = static_cast<std::size_t>(adr + n);
    for (std::size_t k = 0; k < 8; ++k) {
      const int child = m.oct_child[8 * at + k];
      if (child != -1 && (child <= n || child >= num)) return wrong_value("oct_child", 8 * at + k, child);
    }
  }
  return {};
}

/// lo <= value < hi for the entries [adr, adr + num).
std::string check_entries(std::string_view field, const std::vector<int>& values, std::int64_t adr, std::int64_t num,
                          std::int64_t hi, int lo = 0) {
  for (std::int64_t i = adr; i < adr + num; ++i) {
    const auto at = static_cast<std::size_t>(i);
    if (values[at] < lo || values[at] >= hi) return wrong_value(field, at, values[at]);
  }
  return {};
}

std::string check_mesh(const Model& m, std::size_t i) {
  const bool has_hull = m.mesh_graphadr[i] >= 0;
  const int hull = has_hull ? m.mesh_graph[static_cast<std::size_t>(m.mesh_graphadr[i])] : 0;
  const int polygons = m.mesh_polynum[i];
  std::string wrong = check_bvh(m, m.mesh_bvhadr[i], m.mesh_bvhnum[i], 0, m.mesh_facenum[i]);
  const auto next = [&](std::string found) {
    if (wrong.empty()) wrong = std::move(found);
  };
  next(check_octree(m, m.mesh_octadr[i], m.mesh_octnum[i]));
  next(check_entries("mesh_extrema", m.mesh_extrema, 27 * static_cast<std::int64_t>(i), 27, has_hull ? hull : 0,
                     has_hull ? 0 : -1));
  next(check_entries("mesh_facenormal", m.mesh_facenormal, 3 * std::int64_t{m.mesh_faceadr[i]},
                     3 * std::int64_t{m.mesh_facenum[i]}, m.mesh_normalnum[i]));
  for (int p = m.mesh_polyadr[i]; p < m.mesh_polyadr[i] + polygons && wrong.empty(); ++p) {
    const auto at = static_cast<std::size_t>(p);
    if (m.mesh_polyvertnum[at] < 3 || m.mesh_polyvertnum[at] > m.npolygonmax)
      next(wrong_value("mesh_polyvertnum", at, m.mesh_polyvertnum[at]));
    next(check_entries("mesh_polyvert", m.mesh_polyvert, m.mesh_polyvertadr[at], m.mesh_polyvertnum[at],
                       m.mesh_vertnum[i]));
  }
  for (int v = m.mesh_vertadr[i]; v < m.mesh_vertadr[i] + m.mesh_vertnum[i] && wrong.empty(); ++v) {
    const auto at = static_cast<std::size_t>(v);
    if (m.mesh_polymapnum[at] > m.nmeshdegmax) next(wrong_value("mesh_polymapnum", at, m.mesh_polymapnum[at]));
    next(check_entries("mesh_polymap", m.mesh_polymap, m.mesh_polymapadr[at], m.mesh_polymapnum[at], polygons));
  }
  return wrong;
}

}  // namespace

std::string check_meshes_in_detail(const Model& m) {
  if (m.npolygonmax > m.nmeshpolyvert || m.nmeshdegmax > m.nmeshpolymap || m.npolygonmax < 0 || m.nmeshdegmax < 0)
    return "npolygonmax or nmeshdegmax is inconsistent with the rest of the model";
  std::string wrong;
  for (std::size_t i = 0; i < m.mesh_vertadr.size() && wrong.empty(); ++i) wrong = check_mesh(m, i);
  return wrong;
}

std::string check_shapes(const Model& m) {
  std::string wrong;
  for (std::size_t b = 0; b < m.body_bvhnum.size() && wrong.empty(); ++b)
    wrong = check_bvh(m, m.body_bvhadr[b], m.body_bvhnum[b], std::max(0, m.body_geomadr[b]), m.body_geomnum[b]);
  for (std::size_t g = 0; g < m.geom_type.size() && wrong.empty(); ++g) {
    const auto type = static_cast<GeomType>(m.geom_type[g]);
    if (type == GeomType::Sdf && m.mesh_octnum[static_cast<std::size_t>(m.geom_dataid[g])] == 0)
      wrong = wrong_value("geom_dataid", g, m.geom_dataid[g]);
    if (type == GeomType::Hfield && (m.hfield_nrow[static_cast<std::size_t>(m.geom_dataid[g])] < 1 ||
                                     m.hfield_ncol[static_cast<std::size_t>(m.geom_dataid[g])] < 1))
      wrong = wrong_value("geom_dataid", g, m.geom_dataid[g]);
  }
  return wrong;
}

namespace {

/// Controls, outputs and activations of an actuator by its kind, and which kinds can be combined. The number of states
/// of a motor or pid depends on numbers that may be edited at any time; the step ignores states without room.
std::string check_actuator(const Model& m, std::size_t a) {
  spec::Actuator like;
  like.dyntype = static_cast<DynType>(m.actuator_dyntype[a]);
  like.gaintype = static_cast<GainType>(m.actuator_gaintype[a]);
  like.biastype = static_cast<BiasType>(m.actuator_biastype[a]);
  like.input = m.actuator_ctrlspec[a];
  const mjcf::ActuatorSizes sizes = mjcf::sizes_of(like);
  const bool so3 = static_cast<TrnType>(m.actuator_trntype[a]) == TrnType::So3;
  const bool pid = like.gaintype == GainType::Pid, motor = like.gaintype == GainType::DcMotor;
  const int states = m.actuator_actnum[a];
  if ((like.gaintype == GainType::So3) != so3) return wrong_value("actuator_gaintype", a, m.actuator_gaintype[a]);
  if ((like.biastype == BiasType::So3) != so3) return wrong_value("actuator_biastype", a, m.actuator_biastype[a]);
  const bool dynamics_fit = (like.dyntype != DynType::Pid || pid) && (like.dyntype != DynType::DcMotor || motor) &&
                            (!so3 || like.dyntype == DynType::None || like.dyntype == DynType::Integrator);
  if (!dynamics_fit) return wrong_value("actuator_dyntype", a, m.actuator_dyntype[a]);
  const bool chart = like.input == kChartExpmap || like.input == kChartQuat;
  if ((so3 && !chart) || ((so3 || pid || motor) && like.input != sizes.input))
    return wrong_value("actuator_ctrlspec", a, m.actuator_ctrlspec[a]);
  if (m.actuator_ctrlnum[a] != sizes.controls) return wrong_value("actuator_ctrlnum", a, m.actuator_ctrlnum[a]);
  if (m.actuator_outnum[a] != transmission_kind(m, static_cast<int>(a)).outputs)
    return wrong_value("actuator_outnum", a, m.actuator_outnum[a]);
  const bool by_numbers = like.dyntype == DynType::Pid || like.dyntype == DynType::DcMotor;
  const bool states_fit = by_numbers                      ? states <= 5
                          : like.dyntype == DynType::User ? states >= 1
                          : motor && states > 1           ? like.dyntype != DynType::None
                                                          : states == sizes.activations;
  if (!states_fit) return wrong_value("actuator_actnum", a, states);
  return {};
}

}  // namespace

std::string check_derived_sizes(const Model& m) {
  std::string wrong;
  std::int64_t history = 0;
  for (std::size_t a = 0; a < m.actuator_trntype.size() && wrong.empty(); ++a) {
    wrong = check_actuator(m, a);
    const std::int64_t samples = m.actuator_history[2 * a];
    if (wrong.empty() && m.actuator_historyadr[a] != (samples > 0 ? history : -1))
      wrong = wrong_value("actuator_historyadr", a, m.actuator_historyadr[a]);
    if (samples > 0) history += 2 + 2 * samples;
  }
  std::int64_t values = 0;
  for (std::size_t i = 0; i < m.sensor_type.size() && wrong.empty(); ++i) {
    const std::int64_t samples = m.sensor_history[2 * i];
    if (!sensor_fits(m, static_cast<int>(i))) wrong = wrong_value("sensor_dim", i, m.sensor_dim[i]);
    if (m.sensor_adr[i] != values) wrong = wrong_value("sensor_adr", i, m.sensor_adr[i]);
    if (m.sensor_historyadr[i] != (samples > 0 ? history : -1))
      wrong = wrong_value("sensor_historyadr", i, m.sensor_historyadr[i]);
    if (samples > 0) history += 2 + samples * (1 + std::int64_t{m.sensor_dim[i]});
    values += m.sensor_dim[i];
  }
  if (wrong.empty() && (history != m.nhistory || values != m.nsensordata))
    return "nhistory or nsensordata is inconsistent with the rest of the model";
  return wrong;
}

}  // namespace sinew::compiling
