#include <fmt/format.h>

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "edit/check_structure.h"
#include "geometry/shape_table.h"
#include "model/equality_kinds.h"
#include "model/joint_kinds.h"
#include "model/sensor_kinds.h"
#include "model/transmission_kinds.h"
#include "sim/ready.h"
#include "sinew/model_file.h"

// A compiled model is valid by construction; one read from a file or changed by a program may have any index. Every
// index, address and count is checked against the size it refers to, from one list.

namespace sinew {
namespace {

using Ints = Field<int>;

struct Checker {
  const Model& m;
  std::string wrong;

  void fail(std::string_view field, std::size_t at, std::int64_t value) {
    if (wrong.empty()) wrong = fmt::format("{}[{}] is {}, which is out of range", field, at, value);
  }
  void fail_order(std::string_view field, std::size_t at) {
    wrong = fmt::format("{}[{}]: its bodies come before those of the previous entry", field, at);
  }
  /// lo <= value < hi for every entry
  template <class Values>
  void within(std::string_view field, const Values& values, std::int64_t lo, std::int64_t hi) {
    for (std::size_t i = 0; i < values.size() && wrong.empty(); ++i)
      if (values[i] < lo || values[i] >= hi) fail(field, i, static_cast<std::int64_t>(values[i]));
  }
  /// the parent of each object comes before it
  void before_itself(std::string_view field, const Ints& values, int lowest) {
    for (std::size_t i = 0; i < values.size() && wrong.empty(); ++i)
      if (values[i] < lowest || (values[i] >= static_cast<int>(i) && !(i == 0 && values[i] == 0)))
        fail(field, i, values[i]);
  }
  /// [adr, adr + num) lies in [0, limit); adr may be -1 if num is 0
  void ranges(std::string_view field, const Ints& adr, const Ints& num, std::int64_t limit) {
    for (std::size_t i = 0; i < adr.size() && wrong.empty(); ++i) {
      const bool empty = num[i] == 0 && adr[i] >= -1 && adr[i] <= limit;
      if (!empty && (num[i] < 0 || adr[i] < 0 || std::int64_t{adr[i]} + num[i] > limit)) fail(field, i, adr[i]);
    }
  }
  /// Consecutive ranges that fill [0, total); if num is 0, adr is -1 or the start of the next one.
  void in_a_row(std::string_view field, const Ints& adr, const Ints& num, std::int64_t total) {
    std::int64_t next = 0;
    for (std::size_t i = 0; i < adr.size() && wrong.empty(); ++i) {
      if (num[i] < 0 || num[i] > total - next || (adr[i] != next && !(num[i] == 0 && adr[i] == -1)))
        fail(field, i, adr[i]);
      next += num[i];
    }
    if (wrong.empty() && next != total) wrong = fmt::format("{} does not match the size of the model", field);
  }
  void csr(std::string_view field, const Ints& rownnz, const Ints& rowadr, const Ints& colind, std::int64_t columns) {
    ranges(field, rowadr, rownnz, static_cast<std::int64_t>(colind.size()));
    within(field, colind, 0, columns);
  }
  /// names start inside the pool, which ends with a zero
  void name_starts(std::string_view field, const Ints& adr) { within(field, adr, 0, m.nnames); }
};

bool sizes_are_sane(const Model& m, std::string& wrong) {
  m.for_each_size([&](std::string_view name, std::int64_t size, auto) {
    constexpr std::int64_t kMostUserData =
        1 << 26;  // the only size that could exhaust memory without an array in the file
    const std::int64_t most = name == "nuserdata" ? kMostUserData : std::numeric_limits<int>::max();
    const bool may_be_absent = name == "njmax" || name == "nconmax";
    if (wrong.empty() && (size < (may_be_absent ? -1 : 0) || size > most)) wrong = fmt::format("{} is {}", name, size);
  });
  if (!wrong.empty()) return false;
  m.for_each_field([&](std::string_view name, const auto& field, std::int64_t rows, std::int64_t cols, auto) {
    if (wrong.empty() && static_cast<std::int64_t>(field.size()) != rows * cols)
      wrong = fmt::format("{} has {} numbers, needs {} x {}", name, field.size(), rows, cols);
  });
  return wrong.empty();
}

void check_tree(Checker& c) {
  const Model& m = c.m;
  c.before_itself("body_parentid", m.body_parentid, 0);
  c.within("body_rootid", m.body_rootid, 0, m.nbody);
  c.within("body_weldid", m.body_weldid, 0, m.nbody);
  c.within("body_mocapid", m.body_mocapid, -1, m.nmocap);
  c.within("body_treeid", m.body_treeid, -1, m.ntree);
  c.ranges("body_jntadr", m.body_jntadr, m.body_jntnum, m.njnt);
  c.ranges("body_dofadr", m.body_dofadr, m.body_dofnum, m.nv);
  c.ranges("body_geomadr", m.body_geomadr, m.body_geomnum, m.ngeom);
  c.ranges("body_bvhadr", m.body_bvhadr, m.body_bvhnum, m.nbvhstatic);
  c.within("bvh_child", m.bvh_child, -1, m.nbvh);
  c.within("bvh_nodeid", m.bvh_nodeid, -1, std::max({m.ngeom, m.nmeshface, m.nflexelem}));
  c.within("jnt_type", m.jnt_type, 0, std::ssize(kJointKinds));
  c.within("jnt_bodyid", m.jnt_bodyid, 0, m.nbody);
  c.within("jnt_actuatorid", m.jnt_actuatorid, -2, m.nactuator);
  c.within("dof_bodyid", m.dof_bodyid, 0, m.nbody);
  c.within("dof_jntid", m.dof_jntid, 0, m.njnt);
  c.within("dof_treeid", m.dof_treeid, -1, m.ntree);
  for (std::size_t i = 0; i < m.dof_parentid.size(); ++i)
    if (m.dof_parentid[i] < -1 || m.dof_parentid[i] >= static_cast<int>(i))
      c.fail("dof_parentid", i, m.dof_parentid[i]);
  for (std::size_t i = 0; i < m.jnt_type.size() && c.wrong.empty(); ++i) {
    const JointKind& kind = joint_kind(m, static_cast<int>(i));
    if (m.jnt_qposadr[i] < 0 || m.jnt_qposadr[i] > m.nq - kind.nq) c.fail("jnt_qposadr", i, m.jnt_qposadr[i]);
    if (m.jnt_dofadr[i] < 0 || m.jnt_dofadr[i] > m.nv - kind.nv) c.fail("jnt_dofadr", i, m.jnt_dofadr[i]);
  }
  c.ranges("tree_bodyadr", m.tree_bodyadr, m.tree_bodynum, m.nbody);
  c.ranges("tree_dofadr", m.tree_dofadr, m.tree_dofnum, m.nv);
  c.csr("M_colind", m.M_rownnz, m.M_rowadr, m.M_colind, m.nv);
  c.csr("D_colind", m.D_rownnz, m.D_rowadr, m.D_colind, m.nv);
  c.csr("B_colind", m.B_rownnz, m.B_rowadr, m.B_colind, m.nv);
  c.within("mapM2M", m.mapM2M, 0, m.nM);
  c.within("mapM2D", m.mapM2D, -1, m.nC);
  c.within("mapD2M", m.mapD2M, 0, m.nD);
}

/// The two bodies of an explicit pair packed into one number, the lower one first.
std::uint64_t pair_signature_of(const Model& m, std::size_t pair) {
  const int a = m.geom_bodyid[static_cast<std::size_t>(m.pair_geom1[pair])];
  const int b = m.geom_bodyid[static_cast<std::size_t>(m.pair_geom2[pair])];
  return static_cast<std::uint64_t>(std::min(a, b)) << 32 | static_cast<unsigned>(std::max(a, b));
}

void check_objects(Checker& c) {
  const Model& m = c.m;
  c.within("geom_type", m.geom_type, 0, 9);
  c.within("site_type", m.site_type, 0, 9);
  c.within("geom_bodyid", m.geom_bodyid, 0, m.nbody);
  c.within("geom_matid", m.geom_matid, -1, m.nmat);
  c.within("body_plugin", m.body_plugin, -1, m.nplugin);
  c.within("geom_plugin", m.geom_plugin, -1, m.nplugin);
  c.within("actuator_plugin", m.actuator_plugin, -1, m.nplugin);
  c.within("sensor_plugin", m.sensor_plugin, -1, m.nplugin);
  for (std::size_t i = 0; i < m.geom_dataid.size() && c.wrong.empty(); ++i) {
    const auto type = static_cast<GeomType>(m.geom_type[i]);
    const GeomAsset asset = shape_kind(type).asset;
    const std::int64_t limit = asset == GeomAsset::Hfield ? m.nhfield : m.nmesh;
    if (m.geom_dataid[i] < (asset == GeomAsset::None ? -1 : 0) || m.geom_dataid[i] >= limit)
      c.fail("geom_dataid", i, m.geom_dataid[i]);
  }
  c.within("site_bodyid", m.site_bodyid, 0, m.nbody);
  c.within("cam_bodyid", m.cam_bodyid, 0, m.nbody);
  c.within("cam_targetbodyid", m.cam_targetbodyid, -1, m.nbody);
  c.within("light_bodyid", m.light_bodyid, 0, m.nbody);
  c.within("light_targetbodyid", m.light_targetbodyid, -1, m.nbody);
  c.within("site_matid", m.site_matid, -1, m.nmat);
  c.within("light_texid", m.light_texid, -1, m.ntex);
  c.within("tendon_matid", m.tendon_matid, -1, m.nmat);
  for (const auto& [field, values] : {std::pair("geom_condim", &m.geom_condim), {"pair_dim", &m.pair_dim}})
    for (std::size_t i = 0; i < values->size() && c.wrong.empty(); ++i)
      if (const int n = values->data()[i]; n != 1 && n != 3 && n != 4 && n != 6) c.fail(field, i, n);
  c.within("cam_mode", m.cam_mode, 0, 5);
  c.within("light_mode", m.light_mode, 0, 5);
  for (std::size_t i = 0; i < m.cam_resolution.size(); ++i)
    if (m.cam_resolution[i] < 0) c.fail("cam_resolution", i, m.cam_resolution[i]);
  c.within("body_sameframe", m.body_sameframe, 0, 5);
  c.within("geom_sameframe", m.geom_sameframe, 0, 5);
  c.within("site_sameframe", m.site_sameframe, 0, 5);
  c.within("body_simple", m.body_simple, 0, 3);
  c.within("tree_sleep_policy", m.tree_sleep_policy, 0, 6);
  c.within("mat_texid", m.mat_texid, -1, m.ntex);
  c.within("pair_geom1", m.pair_geom1, 0, m.ngeom);
  c.within("pair_geom2", m.pair_geom2, 0, m.ngeom);
  // contacts are found in the order of their bodies
  for (std::size_t i = 1; i < m.pair_geom1.size() && c.wrong.empty(); ++i)
    if (pair_signature_of(m, i - 1) > pair_signature_of(m, i)) c.fail_order("pair_geom1", i);
  for (std::size_t i = 1; i < m.exclude_signature.size() && c.wrong.empty(); ++i)
    if (static_cast<unsigned>(m.exclude_signature[i - 1]) > static_cast<unsigned>(m.exclude_signature[i]))
      c.fail_order("exclude_signature", i);
  for (std::size_t i = 0; i < m.tex_adr.size() && c.wrong.empty(); ++i) {
    const std::int64_t size = std::int64_t{m.tex_width[i]} * m.tex_height[i] * m.tex_nchannel[i];
    if (m.tex_adr[i] < 0 || size < 0 || m.tex_adr[i] > m.ntexdata - size) c.fail("tex_adr", i, m.tex_adr[i]);
  }
  c.ranges("numeric_adr", m.numeric_adr, m.numeric_size, m.nnumericdata);
  c.ranges("text_adr", m.text_adr, m.text_size, m.ntextdata);
  c.ranges("tuple_adr", m.tuple_adr, m.tuple_size, m.ntupledata);
}

void check_meshes(Checker& c) {
  const Model& m = c.m;
  c.ranges("mesh_vertadr", m.mesh_vertadr, m.mesh_vertnum, m.nmeshvert);
  c.ranges("mesh_faceadr", m.mesh_faceadr, m.mesh_facenum, m.nmeshface);
  c.ranges("mesh_bvhadr", m.mesh_bvhadr, m.mesh_bvhnum, m.nbvhstatic);
  c.ranges("mesh_normaladr", m.mesh_normaladr, m.mesh_normalnum, m.nmeshnormal);
  c.ranges("mesh_texcoordadr", m.mesh_texcoordadr, m.mesh_texcoordnum, m.nmeshtexcoord);
  c.ranges("mesh_octadr", m.mesh_octadr, m.mesh_octnum, m.noct);
  c.ranges("mesh_polyadr", m.mesh_polyadr, m.mesh_polynum, m.nmeshpoly);
  c.ranges("mesh_polyvertadr", m.mesh_polyvertadr, m.mesh_polyvertnum, m.nmeshpolyvert);
  c.ranges("mesh_polymapadr", m.mesh_polymapadr, m.mesh_polymapnum, m.nmeshpolymap);
  c.within("mesh_graphadr", m.mesh_graphadr, -1, m.nmeshgraph);
  c.within("oct_child", m.oct_child, -1, m.noct);
  for (std::size_t i = 0; i < m.mesh_vertadr.size() && c.wrong.empty(); ++i) {
    const int vertices = m.mesh_vertnum[i];
    for (int f = 3 * m.mesh_faceadr[i]; f < 3 * (m.mesh_faceadr[i] + m.mesh_facenum[i]); ++f)
      if (m.mesh_face[static_cast<std::size_t>(f)] < 0 || m.mesh_face[static_cast<std::size_t>(f)] >= vertices)
        c.fail("mesh_face", static_cast<std::size_t>(f), m.mesh_face[static_cast<std::size_t>(f)]);
    if (m.mesh_graphadr[i] < 0) continue;
    const auto graph = static_cast<std::size_t>(m.mesh_graphadr[i]);
    const std::int64_t left = m.nmeshgraph - m.mesh_graphadr[i];
    if (left < 2) return c.fail("mesh_graphadr", i, m.mesh_graphadr[i]);
    const std::int64_t nv = m.mesh_graph[graph], nf = m.mesh_graph[graph + 1];
    if (nv < 0 || nf < 0 || 2 + 2 * nv + nv + 3 * nf + 3 * nf > left) return c.fail("mesh_graph", graph, nv);
    const int* edgeadr = m.mesh_graph.data() + graph + 2;
    const int* globalid = edgeadr + nv;
    const int* edges = globalid + nv;
    for (std::int64_t k = 0; k < nv; ++k)
      if (edgeadr[k] < 0 || edgeadr[k] >= nv + 3 * nf || globalid[k] < 0 || globalid[k] >= vertices)
        return c.fail("mesh_graph", graph + 2 + static_cast<std::size_t>(k), edgeadr[k]);
    for (std::int64_t k = 0; k < nv + 3 * nf; ++k)
      if (edges[k] < -1 || edges[k] >= nv) return c.fail("mesh_graph", graph, edges[k]);
    if (nv > 0 && edges[nv + 3 * nf - 1] != -1) return c.fail("mesh_graph", graph, edges[nv + 3 * nf - 1]);
  }
  c.within("hfield_adr", m.hfield_adr, 0, m.nhfielddata + 1);
  for (std::size_t i = 0; i < m.hfield_adr.size() && c.wrong.empty(); ++i)
    if (m.hfield_nrow[i] < 0 || m.hfield_ncol[i] < 0 ||
        std::int64_t{m.hfield_nrow[i]} * m.hfield_ncol[i] > m.nhfielddata - m.hfield_adr[i])
      c.fail("hfield_nrow", i, m.hfield_nrow[i]);
}

/// Number of objects of a type; sensors, tuples and equalities refer to objects of several types.
std::int64_t object_count(const Model& m, int type) {
  return type == static_cast<int>(ObjType::Unknown) ? 0 : m.count(static_cast<ObjType>(type));
}

/// A fixed tendon is a list of joints. A spatial one consists of branches separated by pulleys; a branch starts and
/// ends with a site, and two consecutive sites may have a geom between them.
void check_tendons(Checker& c) {
  const Model& m = c.m;
  c.within("wrap_type", m.wrap_type, 1, 6);
  for (std::size_t i = 0; i < m.wrap_type.size() && c.wrong.empty(); ++i) {
    const ObjType object = wrapped_object(static_cast<WrapType>(m.wrap_type[i]));
    const std::int64_t limit = object_count(m, static_cast<int>(object));
    if (m.wrap_objid[i] < (limit ? 0 : -1) || m.wrap_objid[i] >= limit) c.fail("wrap_objid", i, m.wrap_objid[i]);
    if (object == ObjType::Geom && !(m.wrap_prm[i] >= -1 && m.wrap_prm[i] < static_cast<double>(m.nsite)))
      c.fail("wrap_prm", i, 0);
  }
  int next = 0;
  for (std::size_t t = 0; t < m.tendon_adr.size() && c.wrong.empty(); ++t) {
    const int adr = m.tendon_adr[t], num = m.tendon_num[t];
    if (adr != next) return c.fail("tendon_adr", t, adr);
    if (num < 1 || num > m.nwrap - adr) return c.fail("tendon_num", t, num);
    next += num;
    const auto type = [&](int w) { return static_cast<WrapType>(m.wrap_type[static_cast<std::size_t>(w)]); };
    const auto wrong = [&](int w) {
      return c.fail("wrap_type", static_cast<std::size_t>(w), m.wrap_type[static_cast<std::size_t>(w)]);
    };
    if (type(adr) == WrapType::Joint) {
      for (int w = adr; w < next; ++w) {
        if (type(w) != WrapType::Joint) return wrong(w);
        const int joint = m.wrap_objid[static_cast<std::size_t>(w)];
        if (!joint_kind(m, joint).is_scalar()) return c.fail("wrap_objid", static_cast<std::size_t>(w), joint);
      }
      continue;
    }
    for (int w = adr; w < next; ++w) {
      const bool geom = type(w) == WrapType::Sphere || type(w) == WrapType::Cylinder;
      const bool site_before = w > adr && type(w - 1) == WrapType::Site;
      const bool site_after = w + 1 < next && type(w + 1) == WrapType::Site;
      if (type(w) == WrapType::Joint || (geom && !(site_before && site_after))) return wrong(w);
      if (geom && m.tendon_armature[t] != 0) {
        c.wrong = fmt::format("tendon_armature[{}] is {}: a tendon with armature cannot wrap around geoms", t,
                              double{m.tendon_armature[t]});
        return;
      }
    }
  }
  if (c.wrong.empty() && next != m.nwrap) c.wrong = "nwrap does not match the tendons";
}

void check_transmissions(Checker& c) {
  const Model& m = c.m;
  for (std::size_t i = 0; i < m.actuator_trntype.size() && c.wrong.empty(); ++i) {
    const int* id = &m.actuator_trnid[2 * i];
    if (m.actuator_trntype[i] < 0 || m.actuator_trntype[i] >= std::ssize(kTransmissionKinds))
      return c.fail("actuator_trntype", i, m.actuator_trntype[i]);
    const TransmissionKind& kind = transmission_kind(m, static_cast<int>(i));
    const ObjType target = actuator_target(m, static_cast<int>(i));
    if (id[0] < 0 || id[0] >= m.count(target)) return c.fail("actuator_trnid", 2 * i, id[0]);
    if (id[1] < (kind.second == SecondSite::Slidersite ? 0 : -1) || id[1] >= m.nsite)
      return c.fail("actuator_trnid", 2 * i + 1, id[1]);
    if (target == ObjType::Joint && kind.outputs == 3 && !joint_kind(m, id[0]).is_ball())
      return c.fail("actuator_trnid", 2 * i, id[0]);
  }
}

void check_equalities(Checker& c) {
  const Model& m = c.m;
  c.within("eq_type", m.eq_type, 0, std::ssize(kEqualityKinds));
  for (std::size_t i = 0; i < m.eq_type.size() && c.wrong.empty(); ++i) {
    const EqualityKind& kind = equality_kind(m, static_cast<int>(i));
    const ObjType object = equality_object(m, static_cast<int>(i));
    if (kind.holds_frames() && object != ObjType::Body && object != ObjType::Site)
      return c.fail("eq_objtype", i, m.eq_objtype[i]);
    const auto sound = [&](int id, bool optional) {
      if (id < 0 || id >= m.count(object)) return optional && id == -1;
      return object != ObjType::Joint || joint_kind(m, id).is_scalar();
    };
    if (!sound(m.eq_obj1id[i], false)) return c.fail("eq_obj1id", i, m.eq_obj1id[i]);
    if (!sound(m.eq_obj2id[i], !kind.holds_frames())) return c.fail("eq_obj2id", i, m.eq_obj2id[i]);
  }
}

void check_sensors(Checker& c) {
  const Model& m = c.m;
  c.within("sensor_type", m.sensor_type, 0, std::ssize(sensor_kinds()));
  c.within("sensor_needstage", m.sensor_needstage, 0, 4);
  c.within("sensor_datatype", m.sensor_datatype, 0, 4);
  c.ranges("sensor_adr", m.sensor_adr, m.sensor_dim, m.nsensordata);
  for (std::size_t i = 0; i < m.sensor_objtype.size() && c.wrong.empty(); ++i) {
    const auto sound = [&](int id, int type) {
      return id >= -1 && id < std::max<std::int64_t>(object_count(m, type), 0);
    };
    if (!sound(m.sensor_objid[i], m.sensor_objtype[i])) return c.fail("sensor_objid", i, m.sensor_objid[i]);
    if (!sound(m.sensor_refid[i], m.sensor_reftype[i])) return c.fail("sensor_refid", i, m.sensor_refid[i]);
  }
}

/// Delay buffers: number of samples, and Interp.
void check_history(Checker& c, std::string_view field, const Ints& history) {
  constexpr int kMostSamples = 1 << 24;
  for (std::size_t i = 0; i < history.size() && c.wrong.empty(); ++i)
    if (history[i] < 0 || history[i] > (i % 2 == 0 ? kMostSamples : static_cast<int>(Interp::Cubic)))
      c.fail(field, i, history[i]);
}

void check_mechanisms(Checker& c) {
  const Model& m = c.m;
  check_tendons(c);
  c.within("tendon_actuatorid", m.tendon_actuatorid, -2, m.nactuator);
  c.within("tendon_treeid", m.tendon_treeid, -1, m.ntree);
  c.csr("ten_J_colind", m.ten_J_rownnz, m.ten_J_rowadr, m.ten_J_colind, m.nv);
  c.within("tendon_treenum", m.tendon_treenum, 0, m.ntree + 1);
  c.within("actuator_dyntype", m.actuator_dyntype, 0, static_cast<int>(DynType::User) + 1);
  c.within("actuator_gaintype", m.actuator_gaintype, 0, static_cast<int>(GainType::User) + 1);
  c.within("actuator_biastype", m.actuator_biastype, 0, static_cast<int>(BiasType::User) + 1);
  check_history(c, "actuator_history", m.actuator_history);
  check_history(c, "sensor_history", m.sensor_history);
  c.in_a_row("actuator_ctrladr", m.actuator_ctrladr, m.actuator_ctrlnum, m.nu);
  c.in_a_row("actuator_outadr", m.actuator_outadr, m.actuator_outnum, m.nout);
  c.in_a_row("actuator_actadr", m.actuator_actadr, m.actuator_actnum, m.na);
  check_transmissions(c);
  check_equalities(c);
  check_sensors(c);
  c.within("actuator_historyadr", m.actuator_historyadr, -1, m.nhistory + 1);
  c.within("sensor_historyadr", m.sensor_historyadr, -1, m.nhistory + 1);
}

void check_names(Checker& c) {
  const Model& m = c.m;
  if (m.names.empty() || m.names.back() != 0) {
    if (m.nbody > 0) c.wrong = "names does not end with a zero";
    return;
  }
  for (const Ints* adr :
       {&m.name_bodyadr,   &m.name_jntadr,      &m.name_geomadr,   &m.name_siteadr,    &m.name_camadr,
        &m.name_lightadr,  &m.name_flexadr,     &m.name_meshadr,   &m.name_skinadr,    &m.name_hfieldadr,
        &m.name_texadr,    &m.name_matadr,      &m.name_pairadr,   &m.name_excludeadr, &m.name_eqadr,
        &m.name_tendonadr, &m.name_actuatoradr, &m.name_sensoradr, &m.name_numericadr, &m.name_textadr,
        &m.name_tupleadr,  &m.name_keyadr,      &m.name_pluginadr})
    c.name_starts("a name address", *adr);
}

}  // namespace

std::string compiling::find_problem(const Model& m, bool assets) {
  Checker checker{m, {}};
  if (!sizes_are_sane(m, checker.wrong)) return checker.wrong;
  for (const auto check : {check_tree, check_objects, check_mechanisms})
    if (checker.wrong.empty()) check(checker);
  if (assets)
    for (const auto check : {check_meshes, check_names})
      if (checker.wrong.empty()) check(checker);
  for (const auto derived : {check_derived_tree, check_flexes, check_derived_sizes, check_shapes})
    if (checker.wrong.empty()) checker.wrong = derived(m);
  if (assets && checker.wrong.empty()) checker.wrong = check_meshes_in_detail(m);
  return checker.wrong;
}

Result<bool> validate(const Model& model) {
  std::string wrong = compiling::find_problem(model, true);
  if (const Status options = options_exist(model.opt); wrong.empty() && !options) wrong = options.text();
  if (!wrong.empty()) return Error::message("not a valid model: " + wrong);
  return true;
}

}  // namespace sinew
