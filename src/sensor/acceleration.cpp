#include "constraint/kinds.h"
#include "model/transmission_kinds.h"
#include "sensor/frames.h"
#include "sensor/table.h"

namespace sinew {
namespace {

/// The first limit row of the sensor's joint or tendon, -1 if its limit is not active.
int limit_row(const Model& m, const Data& d, int i) {
  const bool joint = m.sensor_objtype[i] == static_cast<int>(ObjType::Joint);
  const auto kind = joint ? ConstraintKind::LimitJoint : ConstraintKind::LimitTendon;
  for (int row = d.ne + d.nf; row < d.ne + d.nf + d.nl; ++row)
    if (d.efc_type[row] == static_cast<int>(kind) && d.efc_id[row] == m.sensor_objid[i]) return row;
  return -1;
}

/// The wrench that the parent exerts on the sensor's body, about the site's origin.
Force<double> interaction_force(const Model& m, const Data& d, const FramePose<double>& site) {
  const Force<double> at_com = Force<double>::load(&d.cfrc_int[6 * site.body]);
  return move_force(at_com, Vec3<double>::load(&d.subtree_com[3 * m.body_rootid[site.body]]), site.pos);
}

}  // namespace

void sense_accelerometer(const Model& m, Data& d, int i, double* out) {
  object_acceleration<double>(m, d, object_frame(m, d, i), true).v.store(out);
}

void sense_force(const Model& m, Data& d, int i, double* out) {
  const FramePose<double> site = object_frame(m, d, i);
  mul_transposed(site.mat, interaction_force(m, d, site).f).store(out);
}

void sense_torque(const Model& m, Data& d, int i, double* out) {
  const FramePose<double> site = object_frame(m, d, i);
  mul_transposed(site.mat, interaction_force(m, d, site).t).store(out);
}

void sense_actuator_force(const Model& m, Data& d, int i, double* out) {
  const int first = m.actuator_outadr[m.sensor_objid[i]];
  for (int k = 0; k < m.sensor_dim[i]; ++k) out[k] = d.actuator_force[first + k];
}

void sense_joint_actuator_force(const Model& m, Data& d, int i, double* out) {
  out[0] = d.qfrc_actuator[m.jnt_dofadr[m.sensor_objid[i]]];
}

void sense_tendon_actuator_force(const Model& m, Data& d, int i, double* out) {
  out[0] = 0;
  for (int a = 0; a < m.nactuator; ++a)
    if (drives_tendon(m, a) && m.actuator_trnid[2 * a] == m.sensor_objid[i])
      out[0] += d.actuator_force[m.actuator_outadr[a]];
}

void sense_limit_pos(const Model& m, Data& d, int i, double* out) {
  const int row = limit_row(m, d, i);
  out[0] = row < 0 ? 0 : d.efc_pos[row] - d.efc_margin[row];
}

void sense_limit_vel(const Model& m, Data& d, int i, double* out) {
  const int row = limit_row(m, d, i);
  out[0] = row < 0 ? 0 : d.efc_vel[row];
}

void sense_limit_force(const Model& m, Data& d, int i, double* out) {
  const int row = limit_row(m, d, i);
  out[0] = row < 0 ? 0 : d.efc_force[row];
}

void sense_frame_linacc(const Model& m, Data& d, int i, double* out) {
  object_acceleration<double>(m, d, object_frame(m, d, i), false).v.store(out);
}

void sense_frame_angacc(const Model& m, Data& d, int i, double* out) {
  object_acceleration<double>(m, d, object_frame(m, d, i), false).w.store(out);
}

}  // namespace sinew
