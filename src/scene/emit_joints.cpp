#include <algorithm>
#include <cmath>

#include "scene/emitter.h"

// Joints, actuators, cameras and lights.

namespace sinew::scene {
namespace {

constexpr int kSphere = static_cast<int>(GeomType::Sphere), kBox = static_cast<int>(GeomType::Box);

/// The symbol of a joint: box, ball, arrow along or about its axis. `half` is the size of the first two.
void joint_symbol(Emitter& e, int joint, double half, double width, double length, const Float4& rgba) {
  const Vec anchor = vec_at(e.d.xanchor.data(), joint), axis = vec_at(e.d.xaxis.data(), joint);
  const Matrix mat = mat_at(e.d.xmat.data(), e.m.jnt_bodyid[joint]);
  switch (static_cast<JointType>(e.m.jnt_type[joint])) {
    case JointType::Free: e.shape(kBox, {half, half, half}, anchor, mat, rgba); return;
    case JointType::Ball: e.shape(kSphere, {half, 0, 0}, anchor, mat, rgba); return;
    case JointType::Slide: e.connector(kSceneArrow, width, anchor, anchor + axis * length); break;
    case JointType::Hinge: e.connector(kSceneArrow1, width, anchor, anchor + axis * length); break;
  }
  e.color(rgba);
}

/// Color of an actuator, from its control or activation: neutral in the middle of the range.
Float4 actuator_color(const Emitter& e, int i) {
  const Model& m = e.m;
  const int u = m.actuator_ctrladr[i];
  const bool has_control = u >= 0 && u < m.nu && m.actuator_ctrlnum[i] > 0;
  double range[2] = {-1, 1};
  if (has_control && m.actuator_ctrllimited[u])
    std::copy_n(&m.actuator_ctrlrange[2 * u], 2, range);
  else if (e.on(kVisActivation) && m.actuator_actlimited[i])
    std::copy_n(&m.actuator_actrange[2 * i], 2, range);
  double lo = range[0], mid = 0, hi = range[1];
  if (range[0] >= 0)
    lo = -1, mid = range[0];
  else if (range[1] <= 0)
    mid = range[1], hi = 1;
  lo = std::min(lo, mid - kMinVal);
  hi = std::max(hi, mid + kMinVal);
  const bool activation =
      e.on(kVisActivation) && m.actuator_dyntype[i] != static_cast<int>(DynType::None) && m.actuator_actadr[i] >= 0;
  double value = has_control ? e.d.ctrl[static_cast<std::size_t>(u)] : 0;
  if (activation) value = e.d.act[static_cast<std::size_t>(m.actuator_actadr[i] + m.actuator_actnum[i] - 1)];
  value = std::max(lo, std::min(hi, value));
  const auto& colors = m.vis.rgba;
  return value <= mid ? mix(colors.actuator, colors.actuatornegative, (mid - value) / std::max(kMinVal, mid - lo), 4)
                      : mix(colors.actuator, colors.actuatorpositive, (value - mid) / std::max(kMinVal, hi - mid), 4);
}

bool is_primitive(int type) {
  const auto kind = static_cast<GeomType>(type);
  return kind != GeomType::Plane && kind != GeomType::Hfield && kind != GeomType::Mesh && kind != GeomType::Sdf;
}

/// Drawn around what it stands for.
constexpr double kAround = 1.05;

void emit_frustum(Emitter& e, int i, const Vec& pos, const Matrix& mat) {
  const Model& m = e.m;
  SceneCamera camera;
  camera.type = kCameraFixed;
  camera.fixedcamid = i;
  CameraFrustum view;
  camera_frustum(m, camera, view);
  const double znear = view.znear, zfar = m.vis.scale.frustum * e.scl;
  double left = view.left, right = view.right;
  if (!(left != 0 || right != 0)) {
    const double aspect = static_cast<double>(m.cam_resolution[2 * i]) / m.cam_resolution[2 * i + 1];
    left = right = 0.5 * (view.top + view.bottom) * aspect;
  }
  const double scale = view.orthographic ? 1 : zfar / znear;
  const double depth = view.orthographic ? (left + view.top) / 2 : zfar;
  // bottom left, bottom right, top right, top left
  const double x[4] = {-left, right, right, -left}, y[4] = {-view.bottom, -view.bottom, view.top, view.top};
  Vec near_corner[4], far_corner[4];
  for (int k = 0; k < 4; ++k) {
    near_corner[k] = pos + mat * Vec(x[k], y[k], -znear);
    far_corner[k] = pos + mat * Vec(x[k] * scale, y[k] * scale, -depth);
  }
  const Float4& rgba = m.vis.rgba.frustum;
  for (int k = 0; k < 4; ++k) {
    const int next = (k + 1) % 4;
    e.triangle(ObjType::Camera, i, {near_corner[k], far_corner[k], near_corner[next]}, rgba);
    e.triangle(ObjType::Camera, i, {far_corner[k], far_corner[next], near_corner[next]}, rgba);
    e.line(ObjType::Camera, i, near_corner[k], near_corner[next], rgba);
    e.line(ObjType::Camera, i, far_corner[k], far_corner[next], rgba);
    e.line(ObjType::Camera, i, near_corner[k], far_corner[k], rgba);
  }
}

}  // namespace

void emit_joints(Emitter& e) {
  const Model& m = e.m;
  const double width = m.vis.scale.jointwidth * e.scl, length = m.vis.scale.jointlength * e.scl;
  for (int i = 0; i < m.njnt; ++i) {
    if (!Emitter::group_on(e.option.jointgroup, m.jnt_group[i])) continue;
    Float4 rgba = mix(m.vis.rgba.joint, m.vis.rgba.constraint, e.limit_impedance(ConstraintKind::LimitJoint, i), 3);
    rgba[3] = 1;
    e.begin(ObjType::Joint, i, kSceneDecor);
    joint_symbol(e, i, 0.3 * length, width, length, rgba);
    e.label(kLabelJoint, ObjType::Joint, i);
    e.finish();
  }
}

void emit_actuators(Emitter& e) {
  const Model& m = e.m;
  for (int i = 0; i < m.nactuator; ++i) {
    const int group = m.actuator_group[i], target = m.actuator_trnid[2 * i];
    const bool disabled = group >= 0 && group <= 30 && ((m.opt.disableactuator >> group) & 1);
    if (disabled || !Emitter::group_on(e.option.actuatorgroup, group)) continue;
    const Float4 rgba = actuator_color(e, i);
    switch (static_cast<TrnType>(m.actuator_trntype[i])) {
      case TrnType::Joint:
      case TrnType::JointInParent:
        e.begin(ObjType::Actuator, i, kSceneDecor);
        joint_symbol(e, target, 0.33 * m.vis.scale.jointlength * e.scl, m.vis.scale.actuatorwidth * e.scl,
                     m.vis.scale.actuatorlength * e.scl, rgba);
        e.label(kLabelActuator, ObjType::Actuator, i);
        e.finish();
        break;
      case TrnType::Site:
        e.begin(ObjType::Actuator, i, kSceneDecor);
        e.shape(m.site_type[target], vec_at(m.site_size.data(), target) * kAround, vec_at(e.d.site_xpos.data(), target),
                mat_at(e.d.site_xmat.data(), target), rgba);
        e.label(kLabelActuator, ObjType::Actuator, i);
        e.finish();
        break;
      case TrnType::Body:
        for (int g = m.body_geomadr[target]; g >= 0 && g < m.body_geomadr[target] + m.body_geomnum[target]; ++g) {
          if (!is_primitive(m.geom_type[g])) continue;
          e.begin(ObjType::Actuator, i, kSceneDecor);
          e.shape(m.geom_type[g], vec_at(m.geom_size.data(), g) * kAround, vec_at(e.d.geom_xpos.data(), g),
                  mat_at(e.d.geom_xmat.data(), g), rgba);
          e.finish();
        }
        break;
      case TrnType::Tendon:
        emit_tendon_path(e, target, ObjType::Actuator, i, kSceneDecor,
                         m.tendon_width[target] * m.vis.map.actuatortendon, &rgba);
        break;
      default: break;
    }
  }
}

void emit_cameras(Emitter& e) {
  const Model& m = e.m;
  const double unit = e.scl * m.vis.scale.camera;
  for (int i = 0; i < m.ncam; ++i) {
    const Vec pos = vec_at(e.d.cam_xpos.data(), i);
    const Matrix mat = mat_at(e.d.cam_xmat.data(), i);
    Float4 rgba = m.vis.rgba.camera;
    if (m.cam_resolution[2 * i] > 1 || m.cam_resolution[2 * i + 1] > 1) {
      rgba[3] = 0.3f;
      emit_frustum(e, i, pos, mat);
    }
    e.begin(ObjType::Camera, i, kSceneDecor);
    e.shape(kBox, Vec(1, 0.8, 0.4) * unit, pos, mat, rgba);
    e.label(kLabelCamera, ObjType::Camera, i);
    e.finish();
    for (std::size_t k = 0; k < 3; ++k) rgba[k] *= 0.5f;
    e.begin(ObjType::Camera, i, kSceneDecor);
    e.shape(static_cast<int>(GeomType::Cylinder), {0.4 * unit, 0.3 * unit, 0}, pos - mat.column(2) * (0.6 * unit), mat,
            rgba);
    e.finish();
    if (e.option.frame == kFrameCamera)
      e.frame(i, pos, mat, m.vis.scale.framelength * e.scl, m.vis.scale.framewidth * e.scl);
  }
}

void emit_lights(Emitter& e) {
  const Model& m = e.m;
  constexpr double kOff = 1e-4;  // m, so that it does not shade what it touches
  const double unit = e.scl * m.vis.scale.light;
  for (int i = 0; i < m.nlight; ++i) {
    const Vec pos = vec_at(e.d.light_xpos.data(), i), dir = vec_at(e.d.light_xdir.data(), i);
    const Matrix mat = rotation_from_z(dir);
    e.begin(ObjType::Light, i, kSceneDecor);
    e.shape(static_cast<int>(GeomType::Cylinder), {0.8 * unit, unit, 0}, pos - dir * (unit + kOff), mat,
            m.vis.rgba.light);
    e.label(kLabelLight, ObjType::Light, i);
    e.finish();
    if (e.option.frame == kFrameLight)
      e.frame(i, pos, mat, m.vis.scale.framelength * e.scl, m.vis.scale.framewidth * e.scl);
  }
}

}  // namespace sinew::scene
