#include <cmath>

#include "dynamics/energy.h"
#include "geometry/shape_table.h"
#include "math/elementary.h"
#include "sensor/frames.h"
#include "sensor/table.h"

namespace sinew {
namespace {

using Vec = Vec3<double>;

/// The orientation that sensors report: the body's, times the object's own constant one. A tracking camera's rotation
/// is not included, as in MuJoCo.
Quat<double> frame_quat(const Model& m, const Data& d, int objtype, int id) {
  auto on = [&](int body, const double* local) {
    return Quat<double>::load(&d.xquat[4 * body]) * Quat<double>::load(local);
  };
  switch (static_cast<ObjType>(objtype)) {
    case ObjType::Body: return on(id, &m.body_iquat[4 * id]);
    case ObjType::Geom: return on(m.geom_bodyid[id], &m.geom_quat[4 * id]);
    case ObjType::Site: return on(m.site_bodyid[id], &m.site_quat[4 * id]);
    case ObjType::Camera: return on(m.cam_bodyid[id], &m.cam_quat[4 * id]);
    default: return Quat<double>::load(&d.xquat[4 * id]);
  }
}

double away_from_zero(double x) { return std::abs(x) < kMinVal ? (x < 0 ? -kMinVal : kMinVal) : x; }

}  // namespace

void sense_magnetometer(const Model& m, Data& d, int i, double* out) {
  mul_transposed(object_frame(m, d, i).mat, Vec::load(m.opt.magnetic.data())).store(out);
}

/// Pixel coordinates of a site in a pinhole camera; the principal point's offset and the projection kind are ignored.
void sense_camera_projection(const Model& m, Data& d, int i, double* out) {
  const int camera = m.sensor_refid[i];
  const FramePose<double> eye = frame_pose<double>(m, d, ObjType::Camera, camera);
  const Vec q = mul_transposed(eye.mat, object_frame(m, d, i).pos - eye.pos);
  const int width = m.cam_resolution[2 * camera], height = m.cam_resolution[2 * camera + 1];
  double fx = 0.5 * height / elementary::tan(m.cam_fovy[camera] * kPi / 360), fy = fx;
  const float* sensor = &m.cam_sensorsize[2 * camera];
  if (sensor[0] > 0 && sensor[1] > 0) {
    fx = m.cam_intrinsic[4 * camera] / sensor[0] * static_cast<float>(width);
    fy = m.cam_intrinsic[4 * camera + 1] / sensor[1] * static_cast<float>(height);
  }
  const double depth = away_from_zero(q.z);
  out[0] = -fx * q.x / depth + 0.5 * width;
  out[1] = fy * q.y / depth + 0.5 * height;
}

void sense_joint_pos(const Model& m, Data& d, int i, double* out) { out[0] = d.qpos[m.jnt_qposadr[m.sensor_objid[i]]]; }

void sense_tendon_pos(const Model& m, Data& d, int i, double* out) { out[0] = d.ten_length[m.sensor_objid[i]]; }

void sense_actuator_pos(const Model& m, Data& d, int i, double* out) {
  const int first = m.actuator_outadr[m.sensor_objid[i]];
  for (int k = 0; k < m.sensor_dim[i]; ++k) out[k] = d.actuator_length[first + k];
}

void sense_ball_quat(const Model& m, Data& d, int i, double* out) {
  normalized(Quat<double>::load(&d.qpos[m.jnt_qposadr[m.sensor_objid[i]]])).store(out);
}

void sense_frame_pos(const Model& m, Data& d, int i, double* out) {
  Vec p = object_frame(m, d, i).pos;
  if (has_reference(m, i)) {
    const FramePose<double> reference = reference_frame(m, d, i);
    p = mul_transposed(reference.mat, p - reference.pos);
  }
  p.store(out);
}

void sense_frame_quat(const Model& m, Data& d, int i, double* out) {
  Quat<double> q = frame_quat(m, d, m.sensor_objtype[i], m.sensor_objid[i]);
  if (has_reference(m, i)) q = conjugate(frame_quat(m, d, m.sensor_reftype[i], m.sensor_refid[i])) * q;
  q.store(out);
}

void sense_frame_axis(const Model& m, Data& d, int i, double* out) {
  const int axis = m.sensor_type[i] - static_cast<int>(SensorType::FrameXAxis);
  Vec v = object_frame(m, d, i).mat.column(axis);
  if (has_reference(m, i)) v = mul_transposed(reference_frame(m, d, i).mat, v);
  v.store(out);
}

void sense_subtree_com(const Model& m, Data& d, int i, double* out) {
  Vec::load(&d.subtree_com[3 * m.sensor_objid[i]]).store(out);
}

bool inside_site(const Model& m, const Data& d, int site, const Vec& point) {
  const double* size = &m.site_size[3 * site];
  const Mat3<double> mat = Mat3<double>::load(&d.site_xmat[9 * site]);
  const Vec p = mul_transposed(mat, point - Vec::load(&d.site_xpos[3 * site]));
  const auto contains = shape_kind(static_cast<GeomType>(m.site_type[site])).contains;
  return contains && contains({size[0], size[1], size[2]}, p);
}

void sense_inside_site(const Model& m, Data& d, int i, double* out) {
  Vec p = object_frame(m, d, i).pos;
  const int body = m.sensor_objid[i];
  // a massless body takes the center of mass of its subtree
  if (m.sensor_objtype[i] == static_cast<int>(ObjType::Body) && body > 0 && m.body_mass[body] < kMinVal &&
      m.body_subtreemass[body] > kMinVal)
    p = Vec::load(&d.subtree_com[3 * body]);
  out[0] = inside_site(m, d, m.sensor_refid[i], p) ? 1 : 0;
}

void sense_potential_energy(const Model& m, Data& d, int, double* out) {
  const std::array<double, 2> kept = d.energy;
  potential_energy<double>(m, d);
  out[0] = d.energy[0];
  d.energy = kept;
}

void sense_kinetic_energy(const Model& m, Data& d, int, double* out) {
  const std::array<double, 2> kept = d.energy;
  kinetic_energy<double>(m, d);
  out[0] = d.energy[1];
  d.energy = kept;
}

void sense_clock(const Model&, Data& d, int, double* out) { out[0] = d.time; }

}  // namespace sinew
