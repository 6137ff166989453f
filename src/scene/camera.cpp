#include <algorithm>
#include <cmath>

#include "math/elementary.h"
#include "scene/emitter.h"
#include "sim/ready.h"

// Cameras and lights.

namespace sinew {
namespace {

using scene::Matrix;
using scene::Quaternion;
using scene::Vec;

constexpr double kDegree = kPi / 180;

Double3 array_of(const Vec& v) { return {v.x, v.y, v.z}; }
Float3 floats(const Vec& v) { return {static_cast<float>(v.x), static_cast<float>(v.y), static_cast<float>(v.z)}; }
Vec vec_of(const Float3& v) { return Vec::load(v.data()); }

/// A free camera from its angles.
CameraFrame free_frame(const SceneCamera& camera) {
  const double ca = elementary::cos(camera.azimuth * kDegree), sa = elementary::sin(camera.azimuth * kDegree);
  const double ce = elementary::cos(camera.elevation * kDegree), se = elementary::sin(camera.elevation * kDegree);
  const Vec forward = {ce * ca, ce * sa, se};
  return {array_of(Vec::load(camera.lookat.data()) - forward * camera.distance),
          array_of(forward),
          {-se * ca, -se * sa, ce},
          {sa, -ca, 0}};
}

Status camera_exists(const Model& m, const SceneCamera& camera) {
  switch (camera.type) {
    case kCameraFree: return {};
    case kCameraTracking:
      if (camera.trackbodyid < 0 || camera.trackbodyid >= m.nbody)
        return Status("trackbodyid of the camera is no body of the model");
      return {};
    case kCameraFixed:
      if (camera.fixedcamid < 0 || camera.fixedcamid >= m.ncam)
        return Status("fixedcamid of the camera is no camera of the model");
      return {};
    case kCameraUser: return Status("the user's own camera has no pose in the model");
    default: return Status("unknown type of camera");
  }
}

/// Mean of two directions, unit length.
Vec mean_direction(const Float3& a, const Float3& b) {
  Vec sum = vec_of(a) + vec_of(b);
  normalize(sum);
  return sum;
}

CameraFrame frame_of(const SceneView& view) {
  const Vec forward = vec_of(view.forward), up = vec_of(view.up);
  return {array_of(vec_of(view.pos)), array_of(forward), array_of(up), array_of(cross(forward, up))};
}

void add_headlight(const Model& m, Scene& list) {
  const CameraFrame eye = camera_in_model(list);
  SceneLight& light = list.lights[static_cast<std::size_t>(list.nlight++)] = {};
  light.id = -1;
  light.headlight = 1;
  light.type = static_cast<int>(LightType::Directional);
  light.texid = -1;
  light.pos = floats(Vec::load(eye.pos.data()));
  light.dir = floats(Vec::load(eye.forward.data()));
  light.ambient = m.vis.headlight.ambient;
  light.diffuse = m.vis.headlight.diffuse;
  light.specular = m.vis.headlight.specular;
  light.bulbradius = 0.02f;
  light.range = 10;
}

void add_light(const Model& m, const Data& d, int i, Scene& list) {
  SceneLight& light = list.lights[static_cast<std::size_t>(list.nlight++)] = {};
  light.id = i;
  light.type = m.light_type[i];
  light.texid = m.light_texid[i];
  light.castshadow = m.light_castshadow[i];
  light.bulbradius = m.light_bulbradius[i];
  light.intensity = m.light_intensity[i];
  light.range = m.light_range[i];
  light.pos = floats(scene::vec_at(d.light_xpos.data(), i));
  light.dir = floats(scene::vec_at(d.light_xdir.data(), i));
  std::copy_n(&m.light_ambient[3 * i], 3, light.ambient.begin());
  std::copy_n(&m.light_diffuse[3 * i], 3, light.diffuse.begin());
  std::copy_n(&m.light_specular[3 * i], 3, light.specular.begin());
  if (light.type != static_cast<int>(LightType::Spot)) return;
  std::copy_n(&m.light_attenuation[3 * i], 3, light.attenuation.begin());
  light.exponent = m.light_exponent[i];
  light.cutoff = m.light_cutoff[i];
  light.softness = m.light_softness[i];
}

}  // namespace

Status camera_frame(const Model& m, const Data& d, const SceneCamera& camera, CameraFrame& frame) {
  if (const Status status = ready(m, d); !status) return status;
  if (const Status status = camera_exists(m, camera); !status) return status;
  if (camera.type != kCameraFixed) {
    SceneCamera at = camera;
    if (camera.type == kCameraTracking)
      std::copy_n(&d.subtree_com[static_cast<std::size_t>(3 * camera.trackbodyid)], 3, at.lookat.begin());
    frame = free_frame(at);
    return {};
  }
  const Matrix mat = scene::mat_at(d.cam_xmat.data(), camera.fixedcamid);
  frame = {array_of(scene::vec_at(d.cam_xpos.data(), camera.fixedcamid)), array_of(-mat.column(2)),
           array_of(mat.column(1)), array_of(mat.column(0))};
  return {};
}

Status camera_frustum(const Model& m, const SceneCamera& camera, CameraFrustum& frustum) {
  if (const Status status = camera_exists(m, camera); !status) return status;
  const int id = camera.fixedcamid;
  const bool fixed = camera.type == kCameraFixed;
  const auto znear = static_cast<float>(m.vis.map.znear * m.stat.extent);
  frustum = {};
  frustum.znear = znear;
  frustum.zfar = static_cast<float>(m.vis.map.zfar * m.stat.extent);
  frustum.orthographic = (fixed ? m.cam_projection[id] : m.vis.global_.orthographic) != 0;
  const double fovy = fixed ? m.cam_fovy[id] : m.vis.global_.fovy;
  if (frustum.orthographic) {
    frustum.top = frustum.bottom = static_cast<float>(fovy / 2);
  } else if (fixed && m.cam_sensorsize[2 * id + 1] > 0) {
    const float* lens = &m.cam_intrinsic[4 * id];
    const float* sensor = &m.cam_sensorsize[2 * id];
    frustum.top = znear / lens[1] * (sensor[1] / 2 - lens[3]);
    frustum.bottom = znear / lens[1] * (sensor[1] / 2 + lens[3]);
    frustum.left = znear / lens[0] * (sensor[0] / 2 - lens[2]);
    frustum.right = znear / lens[0] * (sensor[0] / 2 + lens[2]);
  } else {
    frustum.top = frustum.bottom = static_cast<float>(znear * elementary::tan(fovy * kDegree / 2));
  }
  return {};
}

Status camera_view(const Model& m, const Data& d, const SceneCamera& camera, SceneView& view) {
  CameraFrame frame;
  CameraFrustum frustum;
  if (const Status status = camera_frame(m, d, camera, frame); !status) return status;
  camera_frustum(m, camera, frustum);
  view.pos = floats(Vec::load(frame.pos.data()));
  view.forward = floats(Vec::load(frame.forward.data()));
  view.up = floats(Vec::load(frame.up.data()));
  view.frustum_center = (frustum.right - frustum.left) / 2;
  view.frustum_width = (frustum.right + frustum.left) / 2;
  view.frustum_bottom = -frustum.bottom;
  view.frustum_top = frustum.top;
  view.frustum_near = frustum.znear;
  view.frustum_far = frustum.zfar;
  view.orthographic = frustum.orthographic ? 1 : 0;
  return {};
}

Status update_camera(const Model& m, const Data& d, SceneCamera& camera, Scene& list) {
  if (camera.type == kCameraUser) return ready(m, d);
  SceneView view;
  CameraFrame frame;
  if (const Status status = camera_view(m, d, camera, view); !status) return status;
  camera_frame(m, d, camera, frame);
  if (camera.type == kCameraTracking)
    std::copy_n(&d.subtree_com[static_cast<std::size_t>(3 * camera.trackbodyid)], 3, camera.lookat.begin());
  const double ipd = camera.type == kCameraFixed ? m.cam_ipd[camera.fixedcamid] : m.vis.global_.ipd;
  for (std::size_t eye = 0; eye < 2; ++eye) {
    const Vec offset = Vec::load(frame.right.data()) * ((eye == 0 ? -0.5 : 0.5) * ipd);
    list.camera[eye] = view;
    list.camera[eye].pos = floats(Vec::load(frame.pos.data()) + offset);
  }
  list.enabletransform = 0;
  return {};
}

Status make_lights(const Model& m, const Data& d, Scene& list) {
  if (const Status status = ready(m, d); !status) return status;
  list.nlight = 0;
  if (m.vis.headlight.active) add_headlight(m, list);
  for (int i = 0; i < m.nlight && list.nlight < kMaxSceneLight; ++i)
    if (m.light_active[i]) add_light(m, d, i, list);
  return {};
}

SceneView average_view(const SceneView& a, const SceneView& b) {
  const auto mean = [](float x, float y) { return (x + y) / 2; };
  SceneView out;
  out.pos = floats((vec_of(a.pos) + vec_of(b.pos)) * 0.5);
  const Vec forward = mean_direction(a.forward, b.forward);
  Vec up = vec_of(a.up) + vec_of(b.up);
  up -= forward * dot(forward, up);
  normalize(up);
  out.forward = floats(forward);
  out.up = floats(up);
  out.frustum_center = mean(a.frustum_center, b.frustum_center);
  out.frustum_width = mean(a.frustum_width, b.frustum_width);
  out.frustum_bottom = mean(a.frustum_bottom, b.frustum_bottom);
  out.frustum_top = mean(a.frustum_top, b.frustum_top);
  out.frustum_near = mean(a.frustum_near, b.frustum_near);
  out.frustum_far = mean(a.frustum_far, b.frustum_far);
  out.orthographic = a.orthographic || b.orthographic;
  return out;
}

void room_to_model(const Scene& list, const double roompos[3], const double roomquat[4], double pos[3],
                   double quat[4]) {
  const Quaternion back = conjugate(Quaternion::load(list.rotate.data()));
  (rotate(back, Vec::load(roompos) - vec_of(list.translate)) * (1 / static_cast<double>(list.scale))).store(pos);
  (back * Quaternion::load(roomquat)).store(quat);
}

void model_to_room(const Scene& list, const double modelpos[3], const double modelquat[4], double pos[3],
                   double quat[4]) {
  const Quaternion turn = Quaternion::load(list.rotate.data());
  (rotate(turn, Vec::load(modelpos) * static_cast<double>(list.scale)) + vec_of(list.translate)).store(pos);
  (turn * Quaternion::load(modelquat)).store(quat);
}

CameraFrame camera_in_room(const Scene& list) { return frame_of(average_view(list.camera[0], list.camera[1])); }

CameraFrame camera_in_model(const Scene& list) {
  CameraFrame frame = camera_in_room(list);
  if (!list.enabletransform) return frame;
  const Quaternion back = conjugate(Quaternion::load(list.rotate.data()));
  const Vec pos = Vec::load(frame.pos.data()) - vec_of(list.translate);
  frame.pos = array_of(rotate(back, pos) * (1 / static_cast<double>(list.scale)));
  for (Double3* axis : {&frame.forward, &frame.up, &frame.right})
    *axis = array_of(rotate(back, Vec::load(axis->data())));
  return frame;
}

double frustum_height(const Scene& list) {
  const SceneView view = average_view(list.camera[0], list.camera[1]);
  const double height = static_cast<double>(view.frustum_top) - view.frustum_bottom;
  return view.orthographic ? height : height / std::max(kMinVal, static_cast<double>(view.frustum_near));
}

}  // namespace sinew
