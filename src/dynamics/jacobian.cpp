#include "dynamics/jacobian.h"

#include "dynamics/axis_rates.h"
#include "math/dual.h"

namespace sinew {
namespace {

/// Writes a column of a dense 3 x nv matrix; no-op if it is null.
template <class Real>
void store_column(Real* matrix, std::int64_t nv, int column, const Vec3<Real>& v) {
  if (!matrix) return;
  matrix[column] = v.x;
  matrix[nv + column] = v.y;
  matrix[2 * nv + column] = v.z;
}

template <class Real>
void clear(Real* matrix, std::int64_t nv) {
  if (!matrix) return;
  for (std::int64_t k = 0; k < 3 * nv; ++k) matrix[k] = Real(0);
}

/// Time derivative of a motion axis. cdof_dot holds the rate of the rotations of a ball or free joint for the velocity
/// before that joint, but the axes themselves move with the whole body.
template <class Real>
Motion<Real> axis_rate(const Model& m, const BasicData<Real>& d, int dof) {
  if (!turns_quaternion(m, dof)) return Motion<Real>::load(&d.cdof_dot[6 * dof]);
  return cross_motion(Motion<Real>::load(&d.cvel[6 * m.dof_bodyid[dof]]), Motion<Real>::load(&d.cdof[6 * dof]));
}

template <class Real>
Motion<Real> in_axes(const Motion<Real>& a, const Mat3<Real>& mat) {
  return {mul_transposed(mat, a.w), mul_transposed(mat, a.v)};
}

}  // namespace

template <class Real>
void jacobian(const Model& m, const BasicData<Real>& d, Real* jacp, Real* jacr, const Vec3<Real>& point, int body) {
  clear(jacp, m.nv);
  clear(jacr, m.nv);
  const Vec3<Real> offset = from_reference(m, d, point, body);
  for (int i = last_dof(m, body); i >= 0; i = m.dof_parentid[i]) {
    store_column(jacp, m.nv, i, jacp_column(d, i, offset));
    store_column(jacr, m.nv, i, jacr_column(d, i));
  }
}

template <class Real>
void jacobian_dot(const Model& m, const BasicData<Real>& d, Real* jacp, Real* jacr, const Vec3<Real>& point, int body) {
  clear(jacp, m.nv);
  clear(jacr, m.nv);
  const Vec3<Real> offset = from_reference(m, d, point, body);
  const Motion<Real> v = Motion<Real>::load(&d.cvel[6 * body]);
  const Vec3<Real> v_point = v.v + cross(v.w, offset);
  for (int i = last_dof(m, body); i >= 0; i = m.dof_parentid[i]) {
    const Motion<Real> rate = axis_rate(m, d, i);
    store_column(jacp, m.nv, i, rate.v + cross(rate.w, offset) + cross(jacr_column(d, i), v_point));
    store_column(jacr, m.nv, i, rate.w);
  }
}

template <class Real>
Motion<Real> bias_acceleration(const Model& m, const BasicData<Real>& d, const Vec3<Real>& point, int body) {
  if (last_dof(m, body) < 0) return {};  // whatever its reference point, which a mocap body may make infinite
  const Vec3<Real> offset = from_reference(m, d, point, body);
  const Motion<Real> v = Motion<Real>::load(&d.cvel[6 * body]);
  // the columns of jacobian_dot, summed before shifting to the point
  Motion<Real> a;
  for (int i = last_dof(m, body); i >= 0; i = m.dof_parentid[i])
    a += Motion<Real>::load(&d.cdof_dot[6 * i]) * d.qvel[i];
  const auto moved = [&](int i) { return Motion<Real>::load(&d.cdof[6 * i]) * d.qvel[i]; };
  for (int b = body; b > 0; b = m.body_parentid[b]) a += axis_rates_beyond<Real>(m, b, moved);
  a.v += cross(a.w, offset) + cross(v.w, v.v + cross(v.w, offset));
  return a;
}

template <class Real>
void apply_force(const Model& m, const BasicData<Real>& d, const Vec3<Real>& force, const Vec3<Real>& torque,
                 const Vec3<Real>& point, int body, Real* qfrc) {
  // the wrench at the reference point, projected on each dof
  const Force<Real> wrench{torque + cross(from_reference(m, d, point, body), force), force};
  for (int i = last_dof(m, body); i >= 0; i = m.dof_parentid[i])
    qfrc[i] += dot(Motion<Real>::load(&d.cdof[6 * i]), wrench);
}

template <class Real>
FramePose<Real> frame_pose(const Model& m, const BasicData<Real>& d, ObjType type, int id) {
  const auto pose = [&](const auto& pos, const auto& mat, int body) {
    return FramePose<Real>{Vec3<Real>::load(&pos[3 * id]), Mat3<Real>::load(&mat[9 * id]), body};
  };
  switch (type) {
    case ObjType::Body: return pose(d.xipos, d.ximat, id);
    case ObjType::Geom: return pose(d.geom_xpos, d.geom_xmat, m.geom_bodyid[id]);
    case ObjType::Site: return pose(d.site_xpos, d.site_xmat, m.site_bodyid[id]);
    case ObjType::Camera: return pose(d.cam_xpos, d.cam_xmat, m.cam_bodyid[id]);
    default: return pose(d.xpos, d.xmat, id);
  }
}

template <class Real>
Motion<Real> object_velocity(const Model& m, const BasicData<Real>& d, const FramePose<Real>& frame, bool local) {
  if (last_dof(m, frame.body) < 0) return {};
  Motion<Real> v = Motion<Real>::load(&d.cvel[6 * frame.body]);
  v.v += cross(v.w, from_reference(m, d, frame.pos, frame.body));
  return local ? in_axes(v, frame.mat) : v;
}

template <class Real>
Motion<Real> object_acceleration(const Model& m, const BasicData<Real>& d, const FramePose<Real>& frame, bool local) {
  if (last_dof(m, frame.body) < 0) return {};
  Motion<Real> a = Motion<Real>::load(&d.cacc[6 * frame.body]);
  a.v += cross(a.w, from_reference(m, d, frame.pos, frame.body));
  // cacc is the rate of a spatial velocity at a point fixed in space; a point of the body moves through it
  const Motion<Real> v = object_velocity(m, d, frame, false);
  a.v += cross(v.w, v.v);
  return local ? in_axes(a, frame.mat) : a;
}

template void jacobian(const Model&, const BasicData<double>&, double*, double*, const Vec3<double>&, int);
template void jacobian_dot(const Model&, const BasicData<double>&, double*, double*, const Vec3<double>&, int);
template Motion<double> bias_acceleration(const Model&, const BasicData<double>&, const Vec3<double>&, int);
template void apply_force(const Model&, const BasicData<double>&, const Vec3<double>&, const Vec3<double>&,
                          const Vec3<double>&, int, double*);
template FramePose<double> frame_pose(const Model&, const BasicData<double>&, ObjType, int);
template Motion<double> object_velocity(const Model&, const BasicData<double>&, const FramePose<double>&, bool);
template Motion<double> object_acceleration(const Model&, const BasicData<double>&, const FramePose<double>&, bool);

template void jacobian(const Model&, const BasicData<Dual4>&, Dual4*, Dual4*, const Vec3<Dual4>&, int);
template void jacobian_dot(const Model&, const BasicData<Dual4>&, Dual4*, Dual4*, const Vec3<Dual4>&, int);
template Motion<Dual4> bias_acceleration(const Model&, const BasicData<Dual4>&, const Vec3<Dual4>&, int);
template void apply_force(const Model&, const BasicData<Dual4>&, const Vec3<Dual4>&, const Vec3<Dual4>&,
                          const Vec3<Dual4>&, int, Dual4*);
template FramePose<Dual4> frame_pose(const Model&, const BasicData<Dual4>&, ObjType, int);
template Motion<Dual4> object_velocity(const Model&, const BasicData<Dual4>&, const FramePose<Dual4>&, bool);
template Motion<Dual4> object_acceleration(const Model&, const BasicData<Dual4>&, const FramePose<Dual4>&, bool);

}  // namespace sinew
