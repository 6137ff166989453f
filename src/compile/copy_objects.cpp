#include <cmath>
#include <span>

#include "compile/assemble.h"
#include "compile/copy.h"
#include "model/equality_kinds.h"
#include "model/solver_mix.h"

namespace sinew::compiling {
namespace {

void copy_textures(const Context& context, Model& m) {
  std::int64_t adr = 0;
  for (int t = 0; t < m.ntex; ++t) {
    const spec::Texture& in = context.spec.textures[t];
    const TextureNode& node = context.textures[t];
    m.tex_type[t] = static_cast<int>(in.type);
    m.tex_colorspace[t] = static_cast<int>(node.colorspace);
    m.tex_width[t] = node.width;
    m.tex_height[t] = node.height;
    m.tex_nchannel[t] = node.nchannel;
    m.tex_adr[t] = adr;
    std::copy(node.data.begin(), node.data.end(), m.tex_data.edit().begin() + adr);
    adr += static_cast<std::int64_t>(node.data.size());
  }
}

void copy_materials(const Context& context, Model& m) {
  for (int i = 0; i < m.nmat; ++i) {
    const spec::Material& in = context.spec.materials[i];
    for (int role = 0; role < kNumTexRole; ++role)
      m.mat_texid[kNumTexRole * i + role] = context.names.find(ObjType::Texture, in.textures[role]);
    m.mat_texuniform[i] = in.texuniform;
    put(m.mat_texrepeat, i, in.texrepeat);
    m.mat_emission[i] = in.emission;
    m.mat_specular[i] = in.specular;
    m.mat_shininess[i] = in.shininess;
    m.mat_reflectance[i] = in.reflectance;
    m.mat_metallic[i] = in.metallic;
    m.mat_roughness[i] = in.roughness;
    put(m.mat_rgba, i, in.rgba);
  }
}

/// solref or solimp of a contact between two geoms: that of the higher priority, else mixed by solmix.
template <std::size_t N>
std::array<double, N> mixed(const spec::Geom& a, const spec::Geom& b, std::array<double, N> spec::Geom::*parameter,
                            void (*mix)(double, const double*, const double*, double*)) {
  if (a.priority != b.priority) return (a.priority > b.priority ? a : b).*parameter;
  std::array<double, N> out;
  mix(mix_weight(a.solmix, b.solmix), (a.*parameter).data(), (b.*parameter).data(), out.data());
  return out;
}

/// Sliding twice, torsion, rolling twice.
std::array<double, 5> mixed_friction(const spec::Geom& a, const spec::Geom& b) {
  std::array<double, 3> f;
  for (std::size_t i = 0; i < 3; ++i) {
    f[i] = a.priority == b.priority ? std::max(a.friction[i], b.friction[i])
                                    : (a.priority > b.priority ? a.friction[i] : b.friction[i]);
  }
  return {f[0], f[0], f[1], f[2], f[2]};
}

void copy_pairs(const Context& context, Model& m) {
  for (int i = 0; i < m.npair; ++i) {
    const PairNode& node = context.pairs[i];
    const spec::Pair& in = *node.in;
    const spec::Geom& a = *context.geoms[node.geom[0]]->in;
    const spec::Geom& b = *context.geoms[node.geom[1]]->in;
    m.pair_dim[i] = in.condim;
    m.pair_geom1[i] = node.geom[0];
    m.pair_geom2[i] = node.geom[1];
    m.pair_signature[i] = node.signature;
    put(m.pair_solref, i, std::isnan(in.solref[0]) ? mixed(a, b, &spec::Geom::solref, mix_solref) : in.solref);
    put(m.pair_solreffriction, i, in.solreffriction);
    put(m.pair_solimp, i, std::isnan(in.solimp[0]) ? mixed(a, b, &spec::Geom::solimp, mix_solimp) : in.solimp);
    m.pair_margin[i] = std::isnan(in.margin) ? std::max(a.margin, b.margin) : in.margin;
    m.pair_gap[i] = std::isnan(in.gap) ? std::max(a.gap, b.gap) : in.gap;
    m.pair_adhesion[i] = in.adhesion;
    put(m.pair_friction, i, std::isnan(in.friction[0]) ? mixed_friction(a, b) : in.friction);
  }
  for (int i = 0; i < m.nexclude; ++i) m.exclude_signature[i] = context.excludes[i].signature;
}

void copy_equalities(const Context& context, Model& m) {
  for (int i = 0; i < m.neq; ++i) {
    const spec::Equality& in = context.spec.equalities[i];
    const EqualityKind& kind = equality_kind(in.type);
    m.eq_type[i] = static_cast<int>(in.type);
    m.eq_obj1id[i] = context.equalities[i].obj[0];
    m.eq_obj2id[i] = context.equalities[i].obj[1];
    m.eq_objtype[i] = static_cast<int>(kind.holds_frames() ? in.objtype : ObjType::Unknown);
    m.eq_active0[i] = in.active;
    put(m.eq_solref, i, in.solref);
    put(m.eq_solimp, i, in.solimp);
    // a connect between sites needs no data
    const bool point_of_sites = kind.holds_frames() && !kind.holds_orientation() && in.objtype == ObjType::Site;
    if (!point_of_sites) put(m.eq_data, i, in.data);
  }
}

void copy_tendons(const Context& context, Model& m) {
  int w = 0;
  for (int i = 0; i < m.ntendon; ++i) {
    const spec::Tendon& in = context.spec.tendons[i];
    const TendonNode& node = context.tendons[i];
    m.tendon_adr[i] = w;
    m.tendon_num[i] = static_cast<int>(node.path.size());
    m.tendon_matid[i] = m.nmat > 0 ? context.names.find(ObjType::Material, in.material) : -1;
    m.tendon_group[i] = in.group;
    m.tendon_limited[i] = node.limited;
    m.tendon_actfrclimited[i] = node.actfrclimited;
    m.tendon_width[i] = in.width;
    put(m.tendon_solref_lim, i, in.solreflimit);
    put(m.tendon_solimp_lim, i, in.solimplimit);
    put(m.tendon_solref_fri, i, in.solreffriction);
    put(m.tendon_solimp_fri, i, in.solimpfriction);
    put(m.tendon_range, i, in.range);
    put(m.tendon_actfrcrange, i, in.actuatorfrcrange);
    m.tendon_margin[i] = in.margin;
    m.tendon_stiffness[i] = in.stiffness[0];
    std::copy_n(&in.stiffness[1], kNumPoly, &m.tendon_stiffnesspoly[kNumPoly * i]);
    m.tendon_damping[i] = in.damping[0];
    std::copy_n(&in.damping[1], kNumPoly, &m.tendon_dampingpoly[kNumPoly * i]);
    m.tendon_armature[i] = in.armature;
    m.tendon_frictionloss[i] = in.frictionloss;
    put(m.tendon_lengthspring, i, in.springlength);
    put_padded(m.tendon_user, i, m.nuser_tendon, in.user);
    put(m.tendon_rgba, i, in.rgba);
    for (const WrapNode& wrap : node.path) {
      m.wrap_type[w] = static_cast<int>(wrap.type);
      m.wrap_objid[w] = wrap.objid;
      m.wrap_prm[w] = wrap.prm;
      ++w;
    }
  }
}

/// Limits of each control: the servo inputs of a pid have their own, all others repeat ctrlrange.
void copy_controls(Model& m, const spec::Actuator& in, const ActuatorNode& node, int ctrl) {
  const auto set = [&](int c, bool limited, const std::array<double, 2>& range) {
    m.actuator_ctrllimited[c] = limited;
    put(m.actuator_ctrlrange, c, range);
  };
  if (in.gaintype != GainType::Pid || in.plugin) {
    for (int c = 0; c < node.ctrlnum; ++c) set(ctrl + c, node.ctrllimited, node.ctrlrange);
    return;
  }
  int c = ctrl;
  if (node.ctrlspec & kInputPos) set(c++, node.ctrllimited, node.ctrlrange);
  if (node.ctrlspec & kInputVel) set(c++, in.velrange[0] < in.velrange[1], in.velrange);
  if (node.ctrlspec & kInputFf) set(c++, in.ffrange[0] < in.ffrange[1], in.ffrange);
}

void copy_actuators(const Context& context, Model& m) {
  int ctrl = 0, out = 0, act = 0, history = 0;
  for (int i = 0; i < m.nactuator; ++i) {
    const spec::Actuator& in = context.spec.actuators[i];
    const ActuatorNode& node = context.actuators[i];
    m.actuator_trntype[i] = static_cast<int>(node.trntype);
    m.actuator_dyntype[i] = static_cast<int>(in.dyntype);
    m.actuator_gaintype[i] = static_cast<int>(in.gaintype);
    m.actuator_biastype[i] = static_cast<int>(in.biastype);
    m.actuator_ctrladr[i] = ctrl;
    m.actuator_ctrlnum[i] = node.ctrlnum;
    m.actuator_ctrlspec[i] = node.ctrlspec;
    m.actuator_outadr[i] = out;
    m.actuator_outnum[i] = node.outnum;
    m.actuator_actadr[i] = node.actnum > 0 ? act : -1;
    m.actuator_actnum[i] = node.actnum;
    put(m.actuator_trnid, i, node.trnid);
    m.actuator_cranklength[i] = in.cranklength;
    put(m.actuator_dynprm, i, in.dynprm);
    put(m.actuator_gainprm, i, in.gainprm);
    put(m.actuator_biasprm, i, in.biasprm);
    m.actuator_actlimited[i] = node.actlimited;
    put(m.actuator_actrange, i, node.actrange);
    m.actuator_actearly[i] = in.actearly;
    m.actuator_history[2 * i] = in.nsample;
    m.actuator_history[2 * i + 1] = static_cast<int>(in.interp);
    m.actuator_historyadr[i] = in.nsample > 0 ? history : -1;
    m.actuator_delay[i] = in.delay;
    m.actuator_damping[i] = in.damping[0];
    put(m.actuator_dampingpoly, i, std::span(in.damping).subspan(1));
    m.actuator_armature[i] = in.armature;
    m.actuator_group[i] = in.group;
    put_padded(m.actuator_user, i, m.nuser_actuator, in.user);
    m.actuator_forcelimited[i] = node.forcelimited;
    put(m.actuator_forcerange, i, in.forcerange);
    copy_controls(m, in, node, ctrl);
    for (int o = out; o < out + node.outnum; ++o) {
      put(m.actuator_gear, o, in.gear);
      put(m.actuator_lengthrange, o, in.lengthrange);
    }
    ctrl += node.ctrlnum;
    out += node.outnum;
    act += node.actnum;
    if (in.nsample > 0) history += 2 + 2 * in.nsample;
  }
}

/// Histories of sensors come after those of actuators.
int actuator_history_size(const Model& m) {
  int size = 0;
  for (int i = 0; i < m.nactuator; ++i)
    if (m.actuator_history[2 * i] > 0) size += 2 + 2 * m.actuator_history[2 * i];
  return size;
}

void copy_sensors(const Context& context, Model& m) {
  int adr = 0, history = actuator_history_size(m);
  for (int i = 0; i < m.nsensor; ++i) {
    const spec::Sensor& in = context.spec.sensors[i];
    const SensorNode& node = context.sensors[i];
    m.sensor_type[i] = static_cast<int>(in.type);
    m.sensor_datatype[i] = static_cast<int>(node.datatype);
    m.sensor_needstage[i] = static_cast<int>(node.stage);
    m.sensor_objtype[i] = static_cast<int>(in.objtype);
    m.sensor_objid[i] = node.objid;
    m.sensor_reftype[i] = static_cast<int>(in.reftype);
    m.sensor_refid[i] = node.refid;
    put(m.sensor_intprm, i, in.intprm);
    m.sensor_dim[i] = node.dim;
    m.sensor_adr[i] = adr;
    m.sensor_cutoff[i] = in.cutoff;
    m.sensor_noise[i] = in.noise;
    m.sensor_history[2 * i] = in.nsample;
    m.sensor_history[2 * i + 1] = static_cast<int>(in.interp);
    m.sensor_historyadr[i] = in.nsample > 0 ? history : -1;
    m.sensor_delay[i] = in.delay;
    put(m.sensor_interval, i, in.interval);
    put_padded(m.sensor_user, i, m.nuser_sensor, in.user);
    adr += node.dim;
    if (in.nsample > 0) history += 2 + in.nsample * (1 + node.dim);
  }
}

void copy_custom(const Context& context, Model& m) {
  int adr = 0;
  for (int i = 0; i < m.nnumeric; ++i) {
    const spec::Numeric& in = context.spec.numerics[i];
    m.numeric_adr[i] = adr;
    m.numeric_size[i] = in.size ? *in.size : static_cast<int>(in.data.size());
    std::copy(in.data.begin(), in.data.end(), m.numeric_data.begin() + adr);
    adr += m.numeric_size[i];
  }
  adr = 0;
  for (int i = 0; i < m.ntext; ++i) {
    const spec::Text& in = context.spec.texts[i];
    m.text_adr[i] = adr;
    m.text_size[i] = static_cast<int>(in.data.size()) + 1;
    std::copy(in.data.begin(), in.data.end(), m.text_data.edit().begin() + adr);
    adr += m.text_size[i];
  }
  adr = 0;
  for (int i = 0; i < m.ntuple; ++i) {
    const spec::Tuple& in = context.spec.tuples[i];
    m.tuple_adr[i] = adr;
    m.tuple_size[i] = static_cast<int>(in.items.size());
    for (const spec::Tuple::Item& item : in.items) {
      m.tuple_objtype[adr] = static_cast<int>(item.objtype);
      m.tuple_objid[adr] = context.tuple_items[adr].objid;
      m.tuple_objprm[adr] = item.prm;
      ++adr;
    }
  }
}

}  // namespace

void copy_objects(Context& context) {
  Model& m = context.model;
  copy_textures(context, m);
  copy_materials(context, m);
  copy_pairs(context, m);
  copy_equalities(context, m);
  copy_tendons(context, m);
  copy_actuators(context, m);
  copy_sensors(context, m);
  copy_custom(context, m);
}

}  // namespace sinew::compiling
