#include <algorithm>
#include <cmath>

#include "dynamics/flex_grid.h"
#include "geometry/ray.h"
#include "math/elementary.h"
#include "scene/emitter.h"
#include "sim/ready.h"
#include "sinew/query.h"
#include "sinew/support.h"

// What the mouse does: moving the camera, picking, and perturbing a body.

namespace sinew {
namespace {

using scene::mat_at;
using scene::Matrix;
using scene::Quaternion;
using scene::Vec;
using scene::vec_at;

Double3 array_of(const Vec& v) { return {v.x, v.y, v.z}; }
Vec vec_of(const Double3& v) { return Vec::load(v.data()); }

/// An orthographic image has no height at distance 1; this makes motions feel alike.
constexpr double kOrthographicScale = 0.15;

/// A motion of the mouse in the world: along the vertical or horizontal plane, or about an axis.
Vec motion(int action, double dx, double dy, const Double3& forward) {
  Vec v;
  switch (action) {
    case kMouseRotateV: v = {dy, 0, dx}; break;
    case kMouseRotateH: v = {dy, dx, 0}; break;
    case kMouseMoveV: v = {dx, 0, -dy}; break;
    case kMouseMoveH: v = {dx, -dy, 0}; break;
    default: return v;
  }
  return vec_of(align_to_camera(array_of(v), forward));
}

CameraFrame angles_frame(const Model& m, const SceneCamera& camera, double& height) {
  constexpr double kDegree = kPi / 180;
  const double ca = elementary::cos(camera.azimuth * kDegree), sa = elementary::sin(camera.azimuth * kDegree);
  const double ce = elementary::cos(camera.elevation * kDegree), se = elementary::sin(camera.elevation * kDegree);
  const Vec forward = {ce * ca, ce * sa, se};
  CameraFrustum frustum;
  camera_frustum(m, camera, frustum);
  height = static_cast<double>(frustum.top) + frustum.bottom;
  height = frustum.orthographic ? height * kOrthographicScale : height / std::max(kMinVal, double{frustum.znear});
  return {array_of(vec_of(camera.lookat) - forward * camera.distance),
          array_of(forward),
          {-se * ca, -se * sa, ce},
          {sa, -ca, 0}};
}

bool is_body(const Model& m, int body) { return body > 0 && body < m.nbody; }

Vec point_of(const Data& d, const Perturb& perturb) {
  return vec_at(d.xpos.data(), perturb.select) + mat_at(d.xmat.data(), perturb.select) * vec_of(perturb.localpos);
}

Quaternion inertial_quat(const Model& m, const Data& d, int body) {
  return Quaternion::load(&d.xquat[static_cast<std::size_t>(4 * body)]) *
         Quaternion::load(&m.body_iquat[static_cast<std::size_t>(4 * body)]);
}

/// The mass that a force at a point feels: 3 / trace(J M⁻¹ Jᵀ).
double mass_at(const Model& m, const Data& d, const Vec& point, int body) {
  const auto nv = static_cast<std::size_t>(m.nv);
  std::vector<double> jacp(3 * nv), solved(3 * nv);
  const double at[3] = {point.x, point.y, point.z};
  jac(m, d, jacp.data(), nullptr, at, body);
  solve_m2(m, d, solved.data(), jacp.data(), 3);
  double trace = 0;
  for (const double x : solved) trace += x * x;
  return trace == 0 ? 1 : 3 / std::max(kMinVal, trace);
}

/// Whether a body moves with exactly one free joint.
bool is_free(const Model& m, int body) {
  return m.body_jntnum[body] == 1 && m.jnt_type[m.body_jntadr[body]] == static_cast<int>(JointType::Free);
}

struct Placement {
  Vec pos;
  Quaternion quat;
};
Placement operator*(const Placement& a, const Placement& b) { return {a.pos + rotate(a.quat, b.pos), a.quat * b.quat}; }
Placement inverted(const Placement& a) {
  const Quaternion back = conjugate(a.quat);
  return {-rotate(back, a.pos), back};
}

/// The body and the point that a vertex of a flex stands for.
void pick_flex(const Model& m, const Data& d, int flex, int vert, ScenePick& out) {
  const int v = m.flex_vertadr[flex] + vert;
  if (m.flex_interp[flex] == 0) {
    out.body = m.flex_vertbodyid[v];
    out.point = array_of(vec_at(d.flexvert_xpos.data(), v));
    return;
  }
  // the node that moves it most
  const FlexGrid grid(m, flex);
  int leader = 0;
  double most = 0;
  grid.for_each_support(&m.flex_vert0[3 * v], [&](int node, double weight) {
    if (weight > most) most = weight, leader = node;
  });
  out.body = m.flex_nodebodyid[grid.first + leader];
  out.point = array_of(node_position(m, d, grid.first + leader));
}

struct SkinHit {
  double dist = -1;
  int skin = -1, vert = -1;  // vertex counted from the skin's first
};

SkinHit ray_skins(const Model& m, const Scene& list, const SceneOption& option, const Ray& ray) {
  SkinHit hit;
  if (list.skin.vert.size() != m.skin_vert.size()) return hit;
  for (int i = 0; i < m.nskin; ++i) {
    if (!scene::Emitter::group_on(option.skingroup, m.skin_group[i])) continue;
    const float* vert = list.skin.vert.data() + 3 * static_cast<std::ptrdiff_t>(m.skin_vertadr[i]);
    const auto corner = [&](int v) { return Vec{vert[3 * v], vert[3 * v + 1], vert[3 * v + 2]}; };
    for (int f = m.skin_faceadr[i]; f < m.skin_faceadr[i] + m.skin_facenum[i]; ++f) {
      const int* face = &m.skin_face[3 * static_cast<std::size_t>(f)];
      const RaySurface surface = ray_triangle(corner(face[0]), corner(face[1]), corner(face[2]), ray);
      if (!surface.hit() || (hit.dist >= 0 && !(surface.x < hit.dist))) continue;
      const Vec at = ray.at(surface.x);
      const auto distance = [&](int v) { return norm(corner(v) - at); };
      hit = {surface.x, i, face[0]};
      for (int k = 1; k < 3; ++k)
        if (distance(face[k]) < distance(hit.vert)) hit.vert = face[k];
    }
  }
  return hit;
}

/// The body of the bone that moves a vertex of a skin most.
int leading_body(const Model& m, int skin, int vert) {
  int body = -1;
  float most = 0;
  for (int b = m.skin_boneadr[skin]; b < m.skin_boneadr[skin] + m.skin_bonenum[skin]; ++b)
    for (int i = m.skin_bonevertadr[b]; i < m.skin_bonevertadr[b] + m.skin_bonevertnum[b]; ++i)
      if (m.skin_bonevertid[i] == vert && m.skin_bonevertweight[i] > most) {
        most = m.skin_bonevertweight[i];
        body = m.skin_bonebodyid[b];
      }
  return body;
}

}  // namespace

Double3 align_to_camera(const Double3& vec, const Double3& forward) {
  double x = forward[0], y = forward[1];
  const double length = elementary::hypot(x, y);
  if (length < kMinVal)
    x = 1, y = 0;
  else
    x /= length, y /= length;
  return {vec[0] * y + vec[1] * x, -vec[0] * x + vec[1] * y, vec[2]};
}

void move_camera(const Model& m, int action, double dx, double dy, SceneCamera& camera) {
  if (camera.type != kCameraFree && camera.type != kCameraTracking) return;
  double height = 0;
  const CameraFrame frame = angles_frame(m, camera, height);
  const Vec forward = vec_of(frame.forward), up = vec_of(frame.up), right = vec_of(frame.right);
  Vec lookat = vec_of(camera.lookat);
  const bool tracking = camera.type == kCameraTracking;
  const double extent = m.stat.extent;
  switch (action) {
    case kMouseRotateV:
    case kMouseRotateH:
      camera.azimuth -= 180 * dx;
      camera.elevation -= 180 * dy;
      break;
    case kMouseMoveV:
    case kMouseMoveH:
      if (!tracking) {
        const double depth = dot(lookat - vec_of(frame.pos), forward);
        lookat -= motion(action, dx, dy, frame.forward) * (height * depth);
      }
      break;
    case kMouseZoom: camera.distance -= elementary::log(1 + camera.distance / extent / 3) * dy * 9 * extent; break;
    case kMouseMoveVRel:
    case kMouseMoveHRel:
      if (!tracking) lookat += (action == kMouseMoveVRel ? up : forward) * dy + right * dx;
      break;
    case kMouseTurnH:
    case kMouseTurnV: {
      if (action == kMouseTurnH)
        camera.azimuth -= 180 * dx;
      else
        camera.elevation -= 180 * dy;
      if (!tracking) {
        const CameraFrame turned = angles_frame(m, camera, height);
        lookat = vec_of(frame.pos) + vec_of(turned.forward) * camera.distance;
      }
      break;
    }
    default: break;
  }
  camera.lookat = array_of(lookat);
  if (camera.azimuth > 180) camera.azimuth -= 360;
  if (camera.azimuth < -180) camera.azimuth += 360;
  camera.elevation = std::max(-89.0, std::min(89.0, camera.elevation));
  camera.distance = std::max(0.01 * extent, std::min(100 * extent, camera.distance));
}

void move_model(const Model&, int action, double dx, double dy, const double roomup[3], Scene& list) {
  (void)roomup;
  const CameraFrame eye = camera_in_room(list);
  const Vec v = motion(action, dx, dy, eye.forward), translate = Vec::load(list.translate.data());
  switch (action) {
    case kMouseRotateV:
    case kMouseRotateH: {
      Vec axis = v;
      const double angle = 2 * kPi * normalize(axis);
      const Quaternion turned = normalized(axis_angle(axis, angle) * Quaternion::load(list.rotate.data()));
      list.rotate = {static_cast<float>(turned.w), static_cast<float>(turned.x), static_cast<float>(turned.y),
                     static_cast<float>(turned.z)};
      break;
    }
    case kMouseMoveV:
    case kMouseMoveH: {
      const double depth = dot(translate - vec_of(eye.pos), vec_of(eye.forward));
      const Vec moved = translate + v * (frustum_height(list) * depth);
      list.translate = {static_cast<float>(moved.x), static_cast<float>(moved.y), static_cast<float>(moved.z)};
      break;
    }
    case kMouseZoom:
      list.scale =
          std::clamp(static_cast<float>(list.scale + elementary::log(1 + list.scale / 3) * dy * 3), 0.01f, 100.0f);
      break;
    default: break;
  }
}

ScenePick pick(const Model& m, const Data& d, const SceneOption& option, double aspect, double x, double y,
               const Scene& list) {
  ScenePick out;
  if (!ready(m, d)) return out;
  const SceneView view = average_view(list.camera[0], list.camera[1]);
  const CameraFrame eye = camera_in_model(list);
  const double height = static_cast<double>(view.frustum_top) - view.frustum_bottom;
  const double half = 0.5 * aspect * height;
  const double across = view.frustum_center + half * (2 * x - 1), upward = view.frustum_bottom + height * y;
  const Vec offset = vec_of(eye.right) * across + vec_of(eye.up) * upward;
  Vec from = vec_of(eye.pos), ray_dir = vec_of(eye.forward);
  if (view.orthographic) {
    from += offset;
  } else {
    ray_dir = ray_dir * static_cast<double>(view.frustum_near) + offset;
    normalize(ray_dir);
  }
  RayFilter filter;
  for (std::size_t k = 0; k < option.geomgroup.size(); ++k) filter.group[k] = option.geomgroup[k] != 0;
  filter.with_static = option.flags[kVisStatic] != 0;
  double point[3], dir[3];
  from.store(point);
  ray_dir.store(dir);
  double nearest = kMaxVal;
  if (const RayHit hit = ray(m, d, point, dir, filter); hit.geom >= 0) {
    nearest = hit.dist;
    out.geom = hit.geom;
    out.body = m.geom_bodyid[hit.geom];
    out.point = array_of(from + ray_dir * hit.dist);
  }
  const auto on = [&](VisFlag flag) { return option.flags[flag] != 0; };
  const FlexParts parts = {on(kVisFlexVert), on(kVisFlexEdge), on(kVisFlexFace), on(kVisFlexSkin), option.flex_layer};
  // hidden ones too, as in MuJoCo
  for (int i = 0; i < m.nflex && (parts.vert || parts.edge || parts.face || parts.skin); ++i) {
    const FlexHit hit = ray_flex(m, d, i, point, dir, parts);
    if (hit.vert < 0 || hit.dist < 0 || !(hit.dist < nearest)) continue;
    nearest = hit.dist;
    out = {};
    out.flex = i;
    pick_flex(m, d, i, hit.vert, out);
  }
  if (on(kVisSkin)) {
    const SkinHit hit = ray_skins(m, list, option, {from, ray_dir});
    if (hit.dist >= 0 && hit.dist < nearest) {
      out = {};
      out.skin = hit.skin;
      out.body = leading_body(m, hit.skin, hit.vert);
      const float* at = &list.skin.vert[3 * static_cast<std::size_t>(m.skin_vertadr[hit.skin] + hit.vert)];
      out.point = {at[0], at[1], at[2]};
    }
  }
  return out;
}

void init_perturb(const Model& m, const Data& d, const Scene& list, Perturb& perturb) {
  if (!is_body(m, perturb.select) || !ready(m, d)) return;
  const Vec point = point_of(d, perturb);
  perturb.localmass = mass_at(m, d, point, perturb.select);
  perturb.refpos = array_of(vec_at(d.xipos.data(), perturb.select));
  inertial_quat(m, d, perturb.select).store(perturb.refquat.data());
  perturb.refselpos = array_of(point);
  const CameraFrame eye = camera_in_model(list);
  perturb.scale = frustum_height(list) * dot(point - vec_of(eye.pos), vec_of(eye.forward));
  if (list.camera[0].orthographic) perturb.scale *= kOrthographicScale;
}

void move_perturb(const Model& m, const Data& d, int action, double dx, double dy, const Scene& list,
                  Perturb& perturb) {
  if (!is_body(m, perturb.select) || !ready(m, d)) return;
  const Vec v = motion(action, dx, dy, camera_in_model(list).forward);
  switch (action) {
    case kMouseMoveV:
    case kMouseMoveH:
      perturb.refpos = array_of(vec_of(perturb.refpos) + v * perturb.scale);
      perturb.refselpos = array_of(vec_of(perturb.refselpos) + v * perturb.scale);
      break;
    case kMouseMoveVRel:
    case kMouseMoveHRel: {
      const Matrix mat = mat_at(d.xmat.data(), perturb.select);
      const Vec way = (mat.column(action == kMouseMoveHRel ? 0 : 2) * dy + mat.column(1) * dx) * perturb.scale;
      perturb.refpos = array_of(vec_of(perturb.refpos) + way);
      perturb.refselpos = array_of(vec_of(perturb.refselpos) + way);
      break;
    }
    case kMouseRotateV:
    case kMouseRotateH: {
      Vec axis = v;
      const double angle = 2 * kPi * normalize(axis);
      Quaternion turned = normalized(axis_angle(axis, angle) * Quaternion::load(perturb.refquat.data()));
      // at most a quarter turn from where the body is
      const Quaternion now = inertial_quat(m, d, perturb.select);
      Vec apart = subtract(turned, now);
      constexpr double kMost = kPi / 2;
      if (const double far_by = normalize(apart); far_by > kMost) turned = now * axis_angle(apart, kMost);
      turned.store(perturb.refquat.data());
      break;
    }
    default: break;
  }
}

void apply_perturb_force(const Model& m, Data& d, const Perturb& perturb) {
  const int body = perturb.select;
  // body 0 too: as in MuJoCo, an active perturbation without selection sets the force on the world
  if (body < 0 || body >= m.nbody || !((perturb.active | perturb.active2) & (kPerturbTranslate | kPerturbRotate)) ||
      !ready(m, d))
    return;
  const Vec center = vec_at(d.xipos.data(), body), point = point_of(d, perturb);
  double velocity[6];
  object_velocity(m, d, ObjType::Body, body, velocity, false);
  const Vec w = Vec::load(velocity), v_center = Vec::load(velocity + 3);
  const double stiffness = m.vis.map.stiffness, stiffness_rot = m.vis.map.stiffnessrot;
  const double weight = m.body_invweight0[static_cast<std::size_t>(2 * body + 1)];
  const double inertia = weight == 0 ? 1 : 1 / weight;
  Vec force, torque;
  if ((perturb.active | perturb.active2) & kPerturbTranslate) {
    const Vec arm = point - center, v_point = v_center + cross(w, arm);
    Vec away = point - vec_of(perturb.refselpos);
    force = (away * stiffness + v_point * std::sqrt(stiffness)) * -perturb.localmass;
    torque = cross(arm, force);
    normalize(away);  // damp the spin about the spring
    torque -= away * (std::sqrt(stiffness_rot) * inertia * dot(away, w));
  }
  if ((perturb.active | perturb.active2) & kPerturbRotate) {
    const Quaternion apart = Quaternion::load(perturb.refquat.data()) * conjugate(inertial_quat(m, d, body));
    torque = log(apart) * (stiffness_rot * inertia) - w * (std::sqrt(stiffness_rot) * inertia);
  }
  double* out = &d.xfrc_applied[static_cast<std::size_t>(6 * body)];
  force.store(out);
  torque.store(out + 3);
}

void apply_perturb_pose(const Model& m, Data& d, const Perturb& perturb, bool paused) {
  const int body = perturb.select;
  if (!is_body(m, body) || !((perturb.active | perturb.active2) & (kPerturbTranslate | kPerturbRotate)) || !ready(m, d))
    return;
  const auto row3 = [&](auto& field, int i) { return Vec::load(&field[static_cast<std::size_t>(3 * i)]); };
  const auto row4 = [&](auto& field, int i) { return Quaternion::load(&field[static_cast<std::size_t>(4 * i)]); };
  const Placement inertial = {row3(m.body_ipos, body), row4(m.body_iquat, body)};
  const Placement target =
      Placement{vec_of(perturb.refpos), Quaternion::load(perturb.refquat.data())} * inverted(inertial);
  const auto place = [&](int free_body, const Placement& pose) {
    double* q = &d.qpos[static_cast<std::size_t>(m.jnt_qposadr[m.body_jntadr[free_body]])];
    pose.pos.store(q);
    normalized(pose.quat).store(q + 3);
  };
  const int root = m.body_rootid[body];
  if (const int mocap = m.body_mocapid[body]; mocap >= 0) {
    target.pos.store(&d.mocap_pos[static_cast<std::size_t>(3 * mocap)]);
    target.quat.store(&d.mocap_quat[static_cast<std::size_t>(4 * mocap)]);
  } else if (paused && is_free(m, body)) {
    place(body, target);
  } else if (paused && is_free(m, root)) {
    const Placement now = {row3(d.xpos, body), row4(d.xquat, body)},
                    now_root = {row3(d.xpos, root), row4(d.xquat, root)};
    place(root, target * inverted(now) * now_root);
  }
}

}  // namespace sinew
