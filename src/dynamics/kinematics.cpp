#include "dynamics/kinematics.h"

#include "dynamics/awake.h"
#include "dynamics/joint_table.h"
#include "dynamics/stage_kernel.h"

namespace sinew {
namespace {

/// The frame of a body before its joints: the model's pose in the parent, or the pose of a mocap body.
template <class Real>
MovingFrame<Real> rest_frame(const Model& m, const BasicData<Real>& d, int body) {
  const int parent = m.body_parentid[body];
  const int mocap = m.body_mocapid[body];
  Vec3<Real> pos;
  Quat<Real> quat;
  if (mocap >= 0) {
    pos = Vec3<Real>::load(&d.mocap_pos[3 * mocap]);
    quat = normalized(Quat<Real>::load(&d.mocap_quat[4 * mocap]));
  } else {
    pos = Vec3<Real>::load(&m.body_pos[3 * body]);
    quat = Quat<Real>::load(&m.body_quat[4 * body]);
  }
  if (parent == 0) return {pos, quat};
  return {Mat3<Real>::load(&d.xmat[9 * parent]) * pos + Vec3<Real>::load(&d.xpos[3 * parent]),
          Quat<Real>::load(&d.xquat[4 * parent]) * quat};
}

template <class Real>
void apply_joint(const Model& m, BasicData<Real>& d, int jnt, MovingFrame<Real>& frame) {
  const bool floating = joint_kind(m, jnt).floating;
  JointPose<Real> joint;
  joint.axis = Vec3<Real>::load(&m.jnt_axis[3 * jnt]);
  const double* pos = &m.jnt_pos[3 * jnt];
  joint.pos = Vec3<Real>::load(pos);
  joint.centered = pos[0] == 0 && pos[1] == 0 && pos[2] == 0;
  if (!floating) {
    joint.xaxis = rotate(frame.quat, joint.axis);
    joint.xanchor = joint.centered ? frame.pos : rotate(frame.quat, joint.pos) + frame.pos;
  }
  const int adr = m.jnt_qposadr[jnt];
  visit_joint(joint_type(m, jnt), [&](auto kind) { kind.move(frame, joint, &d.qpos[adr], &m.qpos0[adr]); });
  if (floating) {
    // nothing constrains the body: the anchor moves with it, and the axis is meaningless
    joint.xaxis = joint.axis;
    joint.xanchor = frame.pos;
  }
  joint.xaxis.store(&d.xaxis[3 * jnt]);
  joint.xanchor.store(&d.xanchor[3 * jnt]);
}

/// World pose of something fixed to a body. `same` names the frame it coincides with, which can then be copied.
template <class Real>
SINEW_INLINE void place_attached(const BasicData<Real>& d, int body, SameFrame same, const double* pos,
                                 const double* quat, Real* xpos, Real* xmat) {
  if (same == SameFrame::Body || same == SameFrame::Inertia) {
    const bool inertia = same == SameFrame::Inertia;
    Vec3<Real>::load((inertia ? d.xipos : d.xpos).data() + 3 * body).store(xpos);
    Mat3<Real>::load((inertia ? d.ximat : d.xmat).data() + 9 * body).store(xmat);
    return;
  }
  if (body == 0 && same == SameFrame::None) {  // the world frame is the identity
    Vec3<Real>::load(pos).store(xpos);
    to_matrix(Quat<Real>::load(quat)).store(xmat);
    return;
  }
  const Mat3<Real> body_mat = Mat3<Real>::load(&d.xmat[9 * body]);
  (body_mat * Vec3<Real>::load(pos) + Vec3<Real>::load(&d.xpos[3 * body])).store(xpos);
  if (same == SameFrame::BodyRot)
    body_mat.store(xmat);
  else if (same == SameFrame::InertiaRot)
    Mat3<Real>::load(&d.ximat[9 * body]).store(xmat);
  else
    to_matrix(Quat<Real>::load(&d.xquat[4 * body]) * Quat<Real>::load(quat)).store(xmat);
}

template <class Real>
void place_world(BasicData<Real>& d) {
  Vec3<Real>().store(&d.xpos[0]);
  Quat<Real>().store(&d.xquat[0]);
  Mat3<Real>::identity().store(&d.xmat[0]);
  Vec3<Real>().store(&d.xipos[0]);
  Mat3<Real>::identity().store(&d.ximat[0]);
}

template <class Real>
SINEW_INLINE void place_all(const Model& m, BasicData<Real>& d) {
  place_world(d);
  const Awake awake(m, d);
  for (int b = 1; b < m.nbody; ++b) {
    MovingFrame<Real> frame = rest_frame(m, d, b);
    const int first = m.body_jntadr[b];
    for (int j = first; j < first + m.body_jntnum[b]; ++j) apply_joint(m, d, j, frame);
    normalize(frame.quat);
    frame.pos.store(&d.xpos[3 * b]);
    frame.quat.store(&d.xquat[4 * b]);
    if (!awake.body(b)) continue;  // its pose is enough to detect that the user moved it
    to_matrix(frame.quat).store(&d.xmat[9 * b]);
    place_attached(d, b, static_cast<SameFrame>(m.body_sameframe[b]), &m.body_ipos[3 * b], &m.body_iquat[4 * b],
                   &d.xipos[3 * b], &d.ximat[9 * b]);
  }
  for (int g = 0; g < m.ngeom; ++g) {
    if (!awake.body(m.geom_bodyid[g])) continue;
    place_attached(d, m.geom_bodyid[g], static_cast<SameFrame>(m.geom_sameframe[g]), &m.geom_pos[3 * g],
                   &m.geom_quat[4 * g], &d.geom_xpos[3 * g], &d.geom_xmat[9 * g]);
  }
  for (int s = 0; s < m.nsite; ++s) {
    if (!awake.body(m.site_bodyid[s])) continue;
    place_attached(d, m.site_bodyid[s], static_cast<SameFrame>(m.site_sameframe[s]), &m.site_pos[3 * s],
                   &m.site_quat[4 * s], &d.site_xpos[3 * s], &d.site_xmat[9 * s]);
  }
}

}  // namespace

SINEW_STAGE_WITH_KERNEL(kinematics, place_all);

}  // namespace sinew
