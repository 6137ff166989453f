#include "sensor/frames.h"
#include "sensor/table.h"

namespace sinew {

void sense_velocimeter(const Model& m, Data& d, int i, double* out) {
  object_velocity<double>(m, d, object_frame(m, d, i), true).v.store(out);
}

void sense_gyro(const Model& m, Data& d, int i, double* out) {
  object_velocity<double>(m, d, object_frame(m, d, i), true).w.store(out);
}

void sense_joint_vel(const Model& m, Data& d, int i, double* out) { out[0] = d.qvel[m.jnt_dofadr[m.sensor_objid[i]]]; }

void sense_tendon_vel(const Model& m, Data& d, int i, double* out) { out[0] = d.ten_velocity[m.sensor_objid[i]]; }

void sense_actuator_vel(const Model& m, Data& d, int i, double* out) {
  const int first = m.actuator_outadr[m.sensor_objid[i]];
  for (int k = 0; k < m.sensor_dim[i]; ++k) out[k] = d.actuator_velocity[first + k];
}

void sense_ball_angvel(const Model& m, Data& d, int i, double* out) {
  Vec3<double>::load(&d.qvel[m.jnt_dofadr[m.sensor_objid[i]]]).store(out);
}

/// v_o, or seen from the reference: R_rᵀ (v_o - v_r + (p_o - p_r) × w_r)
void sense_frame_linvel(const Model& m, Data& d, int i, double* out) {
  const FramePose<double> object = object_frame(m, d, i);
  Vec3<double> v = object_velocity<double>(m, d, object, false).v;
  if (has_reference(m, i)) {
    const FramePose<double> reference = reference_frame(m, d, i);
    const Motion<double> moving = object_velocity<double>(m, d, reference, false);
    v = mul_transposed(reference.mat, v - moving.v + cross(object.pos - reference.pos, moving.w));
  }
  v.store(out);
}

void sense_frame_angvel(const Model& m, Data& d, int i, double* out) {
  Vec3<double> w = object_velocity<double>(m, d, object_frame(m, d, i), false).w;
  if (has_reference(m, i)) {
    const FramePose<double> reference = reference_frame(m, d, i);
    w = mul_transposed(reference.mat, w - object_velocity<double>(m, d, reference, false).w);
  }
  w.store(out);
}

void sense_subtree_linvel(const Model& m, Data& d, int i, double* out) {
  Vec3<double>::load(&d.subtree_linvel[3 * m.sensor_objid[i]]).store(out);
}

void sense_subtree_angmom(const Model& m, Data& d, int i, double* out) {
  Vec3<double>::load(&d.subtree_angmom[3 * m.sensor_objid[i]]).store(out);
}

}  // namespace sinew
