#include "dynamics/camera_light.h"

#include "math/dual.h"
#include "math/quat.h"

namespace sinew {
namespace {

/// How the mode of a camera or light places it: rigidly attached to its body, at its qpos0 offset from the body, or
/// looking at another body.
struct Mount {
  CamLightMode mode;
  int body;
  int target;             // body to look at, -1: none
  const double* pos;      // in the body's frame
  const double* pos0;     // from the body's position in qpos0, world axes
  const double* poscom0;  // from the center of mass of the body's subtree in qpos0

  bool tracks() const { return mode == CamLightMode::Track || mode == CamLightMode::TrackCom; }
  bool looks_at_target() const {
    return (mode == CamLightMode::TargetBody || mode == CamLightMode::TargetBodyCom) && target >= 0;
  }
};

template <class Real>
SINEW_INLINE Vec3<Real> position(const BasicData<Real>& d, const Mount& mount) {
  const Vec3<Real> origin = Vec3<Real>::load(&d.xpos[3 * mount.body]);
  if (mount.mode == CamLightMode::Track) return origin + Vec3<Real>::load(mount.pos0);
  if (mount.mode == CamLightMode::TrackCom)
    return Vec3<Real>::load(&d.subtree_com[3 * mount.body]) + Vec3<Real>::load(mount.poscom0);
  if (mount.body == 0) return Vec3<Real>::load(mount.pos);  // the world frame is the identity
  return Mat3<Real>::load(&d.xmat[9 * mount.body]) * Vec3<Real>::load(mount.pos) + origin;
}

/// The point that a target mode looks at.
template <class Real>
Vec3<Real> target_point(const BasicData<Real>& d, const Mount& mount) {
  const bool body = mount.mode == CamLightMode::TargetBody;
  return Vec3<Real>::load(body ? &d.xpos[3 * mount.target] : &d.subtree_com[3 * mount.target]);
}

/// A camera looks along -z; x stays horizontal.
template <class Real>
Mat3<Real> looking_along(Vec3<Real> direction) {
  Vec3<Real> z = -direction;
  normalize(z);
  Vec3<Real> x = cross(Vec3<Real>(0, 0, 1), z);
  normalize(x);
  Vec3<Real> y = cross(z, x);
  normalize(y);
  return Mat3<Real>::from_columns(x, y, z);
}

/// Stores the position; the orientation is the result of the function for the mode: that of qpos0, one looking along a
/// direction, or one fixed to the body.
template <class Real, class Initial, class Along, class Fixed>
auto place(const BasicData<Real>& d, const Mount& mount, Real* xpos, Initial&& initial, Along&& along, Fixed&& fixed) {
  const Vec3<Real> pos = position(d, mount);
  pos.store(xpos);
  if (mount.tracks()) return initial();
  if (mount.looks_at_target()) return along(target_point(d, mount) - pos);
  return fixed(Quat<Real>::load(&d.xquat[4 * mount.body]));
}

template <class Real>
void place_camera(const Model& m, BasicData<Real>& d, int c) {
  const Mount mount = {static_cast<CamLightMode>(m.cam_mode[c]),
                       m.cam_bodyid[c],
                       m.cam_targetbodyid[c],
                       &m.cam_pos[3 * c],
                       &m.cam_pos0[3 * c],
                       &m.cam_poscom0[3 * c]};
  place(
      d, mount, &d.cam_xpos[3 * c], [&] { return Mat3<Real>::load(&m.cam_mat0[9 * c]); }, looking_along<Real>,
      [&](const Quat<Real>& body) { return to_matrix(body * Quat<Real>::load(&m.cam_quat[4 * c])); })
      .store(&d.cam_xmat[9 * c]);
}

template <class Real>
void place_light(const Model& m, BasicData<Real>& d, int l) {
  const Mount mount = {static_cast<CamLightMode>(m.light_mode[l]),
                       m.light_bodyid[l],
                       m.light_targetbodyid[l],
                       &m.light_pos[3 * l],
                       &m.light_pos0[3 * l],
                       &m.light_poscom0[3 * l]};
  Vec3<Real> dir = place(
      d, mount, &d.light_xpos[3 * l], [&] { return Vec3<Real>::load(&m.light_dir0[3 * l]); },
      [](const Vec3<Real>& direction) { return direction; },
      [&](const Quat<Real>& body) {
        const Vec3<Real> local = Vec3<Real>::load(&m.light_dir[3 * l]);
        return mount.body == 0 ? local : rotate(body, local);
      });
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
