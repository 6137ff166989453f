#include "dynamics/camera_light.h"

#include "math/dual.h"
#include "math/quat.h"

namespace sinew {
namespace {

/// The point that a target mode looks at.
template <class Real>
Vec3<Real> target_point(const BasicData<Real>& d, CamLightMode mode, int target) {
  return Vec3<Real>::load(mode == CamLightMode::TargetBody ? &d.xpos[3 * target] : &d.subtree_com[3 * target]);
}

bool looks_at_target(CamLightMode mode, int target) {
  return (mode == CamLightMode::TargetBody || mode == CamLightMode::TargetBodyCom) && target >= 0;
}

/// Position in a fixed or target mode: rigidly on the body. Track modes keep the offset of qpos0, in world axes.
template <class Real>
Vec3<Real> position(const BasicData<Real>& d, CamLightMode mode, int body, const double* pos, const double* offset) {
  switch (mode) {
    case CamLightMode::Track: return Vec3<Real>::load(&d.xpos[3 * body]) + Vec3<Real>::load(offset);
    case CamLightMode::TrackCom: return Vec3<Real>::load(&d.subtree_com[3 * body]) + Vec3<Real>::load(offset);
    default: return Mat3<Real>::load(&d.xmat[9 * body]) * Vec3<Real>::load(pos) + Vec3<Real>::load(&d.xpos[3 * body]);
  }
}

template <class Real>
void place_camera(const Model& m, BasicData<Real>& d, int c) {
  const auto mode = static_cast<CamLightMode>(m.cam_mode[c]);
  const int body = m.cam_bodyid[c], target = m.cam_targetbodyid[c];
  const double* offset = mode == CamLightMode::TrackCom ? &m.cam_poscom0[3 * c] : &m.cam_pos0[3 * c];
  const Vec3<Real> pos = position(d, mode, body, &m.cam_pos[3 * c], offset);
  pos.store(&d.cam_xpos[3 * c]);
  Mat3<Real> mat;
  if (mode == CamLightMode::Track || mode == CamLightMode::TrackCom) {
    mat = Mat3<Real>::load(&m.cam_mat0[9 * c]);
  } else if (looks_at_target(mode, target)) {
    // a camera looks along -z; x stays horizontal
    Vec3<Real> z = pos - target_point(d, mode, target);
    normalize(z);
    Vec3<Real> x = cross(Vec3<Real>(0, 0, 1), z);
    normalize(x);
    Vec3<Real> y = cross(z, x);
    normalize(y);
    mat = Mat3<Real>::from_columns(x, y, z);
  } else {
    mat = to_matrix(Quat<Real>::load(&d.xquat[4 * body]) * Quat<Real>::load(&m.cam_quat[4 * c]));
  }
  mat.store(&d.cam_xmat[9 * c]);
}

template <class Real>
void place_light(const Model& m, BasicData<Real>& d, int l) {
  const auto mode = static_cast<CamLightMode>(m.light_mode[l]);
  const int body = m.light_bodyid[l], target = m.light_targetbodyid[l];
  const double* offset = mode == CamLightMode::TrackCom ? &m.light_poscom0[3 * l] : &m.light_pos0[3 * l];
  const Vec3<Real> pos = position(d, mode, body, &m.light_pos[3 * l], offset);
  pos.store(&d.light_xpos[3 * l]);
  Vec3<Real> dir;
  if (mode == CamLightMode::Track || mode == CamLightMode::TrackCom) {
    dir = Vec3<Real>::load(&m.light_dir0[3 * l]);
  } else if (looks_at_target(mode, target)) {
    dir = target_point(d, mode, target) - pos;
  } else {
    dir = rotate(Quat<Real>::load(&d.xquat[4 * body]), Vec3<Real>::load(&m.light_dir[3 * l]));
  }
  normalize(dir);
  dir.store(&d.light_xdir[3 * l]);
}

}  // namespace

template <class Real>
void camera_and_light_poses(const Model& m, BasicData<Real>& d) {
  for (int c = 0; c < m.ncam; ++c) place_camera(m, d, c);
  for (int l = 0; l < m.nlight; ++l) place_light(m, d, l);
}

template void camera_and_light_poses(const Model&, BasicData<double>&);

template void camera_and_light_poses(const Model&, BasicData<Dual4>&);

}  // namespace sinew
