#include "compile/assemble.h"
#include "compile/copy.h"
#include "compile/objects.h"
#include "model/joint_kinds.h"

namespace sinew::compiling {
namespace {

void copy_body(Model& m, const BodyNode& body, int& mocap) {
  const int b = body.id;
  m.body_parentid[b] = body.parent ? body.parent->id : 0;
  m.body_weldid[b] = body.weld->id;
  m.body_rootid[b] = b == 0 ? 0 : body.parent->is_world() ? b : m.body_rootid[body.parent->id];
  m.body_mocapid[b] = body.in->mocap ? mocap++ : -1;
  body.pose.pos.store(&m.body_pos[3 * b]);
  body.pose.quat.store(&m.body_quat[4 * b]);
  body.inertial.pos.store(&m.body_ipos[3 * b]);
  body.inertial.quat.store(&m.body_iquat[4 * b]);
  m.body_mass[b] = body.mass;
  body.inertia.store(&m.body_inertia[3 * b]);
  m.body_gravcomp[b] = body.in->gravcomp;
  m.body_margin[b] = body.visual_margin;
  put_padded(m.body_user, b, m.nuser_body, body.in->user);
}

/// Reference position of a joint: the pose of a floating body, the identity for a ball, ref otherwise.
void copy_reference(Model& m, const BodyNode& body, const JointNode& joint, int q) {
  const JointKind& kind = joint_kind(joint.in->type);
  if (kind.floating) {
    for (Field<double>* qpos : {&m.qpos0, &m.qpos_spring}) {
      body.pose.pos.store(&(*qpos)[q]);
      body.pose.quat.store(&(*qpos)[q + kind.translations]);
    }
  } else if (kind.has_quaternion()) {
    m.qpos0[q] = m.qpos_spring[q] = 1;
  } else {
    m.qpos0[q] = joint.ref;
    m.qpos_spring[q] = joint.springref;
  }
}

void copy_dof(Model& m, const JointNode& joint, int dof, int j, int body) {
  const spec::Joint& in = *joint.in;
  m.dof_bodyid[dof] = body;
  m.dof_jntid[dof] = j;
  put(m.dof_solref, dof, in.solreffriction);
  put(m.dof_solimp, dof, in.solimpfriction);
  m.dof_frictionloss[dof] = in.frictionloss;
  m.dof_armature[dof] = in.armature;
  m.dof_damping[dof] = in.damping[0];
  std::copy_n(&in.damping[1], kNumPoly, &m.dof_dampingpoly[kNumPoly * dof]);
}

void copy_joint(Model& m, const BodyNode& body, const JointNode& joint, int j) {
  const spec::Joint& in = *joint.in;
  m.jnt_type[j] = static_cast<int>(in.type);
  m.jnt_bodyid[j] = body.id;
  m.jnt_group[j] = in.group;
  m.jnt_limited[j] = joint.limited;
  m.jnt_actfrclimited[j] = joint.actfrclimited;
  m.jnt_actgravcomp[j] = in.actuatorgravcomp;
  put(m.jnt_solref, j, in.solreflimit);
  put(m.jnt_solimp, j, in.solimplimit);
  joint.pos.store(&m.jnt_pos[3 * j]);
  joint.axis.store(&m.jnt_axis[3 * j]);
  m.jnt_stiffness[j] = in.stiffness[0];
  std::copy_n(&in.stiffness[1], kNumPoly, &m.jnt_stiffnesspoly[kNumPoly * j]);
  put(m.jnt_range, j, joint.range);
  put(m.jnt_actfrcrange, j, in.actuatorfrcrange);
  m.jnt_margin[j] = in.margin;
  put_padded(m.jnt_user, j, m.nuser_jnt, in.user);
}

/// Joints of all bodies with their addresses in qpos and qvel.
void copy_joints(Model& m, const Tree& tree) {
  int j = 0, q = 0, dof = 0;
  for (const BodyNode* body : tree.bodies) {
    const int b = body->id, first_dof = dof;
    m.body_jntnum[b] = static_cast<int>(body->joints.size());
    m.body_jntadr[b] = body->joints.empty() ? -1 : j;
    for (const JointNode& joint : body->joints) {
      copy_joint(m, *body, joint, j);
      m.jnt_qposadr[j] = q;
      m.jnt_dofadr[j] = dof;
      copy_reference(m, *body, joint, q);
      const JointKind& kind = joint_kind(joint.in->type);
      q += kind.nq;
      for (int n = kind.nv; n > 0; --n) copy_dof(m, joint, dof++, j, b);
      ++j;
    }
    m.body_dofnum[b] = dof - first_dof;
    m.body_dofadr[b] = dof > first_dof ? first_dof : -1;
  }
}

void copy_geom(const Context& context, Model& m, const GeomNode& geom, int g) {
  const spec::Geom& in = *geom.in;
  m.geom_type[g] = static_cast<int>(in.type);
  m.geom_contype[g] = in.contype;
  m.geom_conaffinity[g] = in.conaffinity;
  m.geom_condim[g] = in.condim;
  m.geom_dataid[g] = geom.dataid;
  m.geom_matid[g] = m.nmat > 0 ? context.names.find(ObjType::Material, material_of(context, geom)) : -1;
  m.geom_group[g] = in.group;
  m.geom_priority[g] = in.priority;
  m.geom_solmix[g] = in.solmix;
  put(m.geom_solref, g, in.solref);
  put(m.geom_solimp, g, in.solimp);
  put(m.geom_size, g, geom.size);
  geom.box_center.store(&m.geom_aabb[6 * g]);
  geom.box_half.store(&m.geom_aabb[6 * g + 3]);
  m.geom_rbound[g] = geom.rbound;
  geom.pose.pos.store(&m.geom_pos[3 * g]);
  geom.pose.quat.store(&m.geom_quat[4 * g]);
  put(m.geom_friction, g, in.friction);
  m.geom_margin[g] = in.margin;
  m.geom_gap[g] = in.gap;
  put(m.geom_surfacevel, g, geom.surfacevel);
  m.geom_adhesion[g] = in.adhesion;
  put(m.geom_fluid, g, geom.fluid);
  put_padded(m.geom_user, g, m.nuser_geom, in.user);
  put(m.geom_rgba, g, in.rgba);
}

void copy_geoms(const Context& context, Model& m) {
  int g = 0;
  for (const BodyNode* body : context.tree.bodies) {
    m.body_geomnum[body->id] = static_cast<int>(body->geoms.size());
    m.body_geomadr[body->id] = body->geoms.empty() ? -1 : g;
    for (const GeomNode& geom : body->geoms) {
      m.geom_bodyid[g] = body->id;
      copy_geom(context, m, geom, g++);
    }
  }
}

void copy_sites(const Context& context, Model& m) {
  int s = 0;
  for (const BodyNode* body : context.tree.bodies) {
    for (const SiteNode& site : body->sites) {
      const spec::Site& in = *site.in;
      m.site_type[s] = static_cast<int>(in.type);
      m.site_bodyid[s] = body->id;
      m.site_matid[s] = m.nmat > 0 ? context.names.find(ObjType::Material, in.material) : -1;
      m.site_group[s] = in.group;
      put(m.site_size, s, site.size);
      site.pose.pos.store(&m.site_pos[3 * s]);
      site.pose.quat.store(&m.site_quat[4 * s]);
      put_padded(m.site_user, s, m.nuser_site, in.user);
      put(m.site_rgba, s, in.rgba);
      ++s;
    }
  }
}

void copy_cameras(const Context& context, Model& m) {
  int c = 0;
  for (const BodyNode* body : context.tree.bodies) {
    for (const CameraNode& camera : body->cameras) {
      const spec::Camera& in = *camera.in;
      m.cam_mode[c] = static_cast<int>(in.mode);
      m.cam_bodyid[c] = body->id;
      m.cam_targetbodyid[c] = context.names.find(ObjType::Body, in.target);
      camera.pose.pos.store(&m.cam_pos[3 * c]);
      camera.pose.quat.store(&m.cam_quat[4 * c]);
      m.cam_projection[c] = static_cast<int>(in.projection);
      m.cam_fovy[c] = camera.fovy;
      m.cam_ipd[c] = in.ipd;
      put(m.cam_resolution, c, in.resolution);
      m.cam_output[c] = in.output;
      put(m.cam_sensorsize, c, in.sensorsize);
      put(m.cam_intrinsic, c, camera.intrinsic);
      put_padded(m.cam_user, c, m.nuser_cam, in.user);
      ++c;
    }
  }
}

void copy_lights(const Context& context, Model& m) {
  int l = 0;
  for (const BodyNode* body : context.tree.bodies) {
    for (const LightNode& light : body->lights) {
      const spec::Light& in = *light.in;
      m.light_mode[l] = static_cast<int>(in.mode);
      m.light_bodyid[l] = body->id;
      m.light_targetbodyid[l] = context.names.find(ObjType::Body, in.target);
      m.light_type[l] = static_cast<int>(in.type);
      m.light_texid[l] = m.ntex > 0 ? context.names.find(ObjType::Texture, in.texture) : -1;
      m.light_castshadow[l] = in.castshadow;
      m.light_bulbradius[l] = in.bulbradius;
      m.light_intensity[l] = in.intensity;
      m.light_range[l] = in.range;
      m.light_active[l] = in.active;
      light.pos.store(&m.light_pos[3 * l]);
      light.dir.store(&m.light_dir[3 * l]);
      put(m.light_attenuation, l, in.attenuation);
      m.light_cutoff[l] = in.cutoff;
      m.light_softness[l] = in.softness;
      m.light_exponent[l] = in.exponent;
      put(m.light_ambient, l, in.ambient);
      put(m.light_diffuse, l, in.diffuse);
      put(m.light_specular, l, in.specular);
      ++l;
    }
  }
}

}  // namespace

void copy_tree(Context& context) {
  Model& m = context.model;
  int mocap = 0;
  for (const BodyNode* body : context.tree.bodies) copy_body(m, *body, mocap);
  copy_joints(m, context.tree);
  copy_geoms(context, m);
  copy_sites(context, m);
  copy_cameras(context, m);
  copy_lights(context, m);
}

}  // namespace sinew::compiling
