#include <algorithm>
#include <cmath>

#include "math/elementary.h"
#include "model/equality_kinds.h"
#include "scene/emitter.h"

// Decoration of bodies: inertias, frames, labels, centers of mass, connections, forces, equality constraints, and what
// the user has selected.

namespace sinew::scene {
namespace {

constexpr int kSphere = static_cast<int>(GeomType::Sphere), kBox = static_cast<int>(GeomType::Box);

/// Channels of a reference color: red for the first device, green for the second.
Float4 device_color(const Float4& ref, bool first, bool second) {
  return {std::max(first ? ref[0] : 0, second ? ref[1] : 0), std::max(first ? ref[1] : 0, second ? ref[0] : 0), ref[2],
          ref[3]};
}

}  // namespace

/// The box (or ellipsoid) of uniform density with the body's mass and inertia.
void emit_inertias(Emitter& e) {
  const Model& m = e.m;
  const bool ellipsoid = m.vis.global_.ellipsoidinertia != 0;
  const double factor = std::sqrt(ellipsoid ? 5.0 : 3.0);
  for (int i = 1; i < m.nbody; ++i) {
    const double mass = m.body_mass[i];
    if (!(mass > kMinVal) || !e.shows_body(i)) continue;
    const Vec inertia = vec_at(m.body_inertia.data(), i);
    Vec size;
    for (int k = 0; k < 3; ++k)
      size[k] = std::sqrt((inertia[(k + 1) % 3] + inertia[(k + 2) % 3] - inertia[k]) / (2 * mass)) * factor;
    if (e.on(kVisSclInertia)) {  // to the volume of water
      const double volume = size.x * size.y * size.z * (ellipsoid ? 4 * kPi / 3 : 8);
      size *= elementary::cbrt(0.001 * mass / std::max(kMinVal, volume));
    }
    e.begin(ObjType::Body, i, kSceneDecor);
    e.shape(ellipsoid ? static_cast<int>(GeomType::Ellipsoid) : kBox, size, vec_at(e.d.xipos.data(), i),
            mat_at(e.d.ximat.data(), i), m.vis.rgba.inertia);
    if (e.is_selected(i)) {
      e.glow();
      e.label(kLabelSelection, ObjType::Body, i);
    }
    e.label(kLabelBody, ObjType::Body, i);
    e.finish();
  }
}

void emit_perturbation(Emitter& e) {
  const Model& m = e.m;
  const int body = e.selected();
  if (body == 0) return;
  const Perturb& p = *e.perturb;
  const Matrix reference = to_matrix(Quaternion::load(p.refquat.data()));
  if ((p.active | p.active2) & kPerturbTranslate) {
    const double width = e.scl * m.vis.scale.constraint;
    const Float4 rgba =
        device_color(m.vis.rgba.constraint, (p.active & kPerturbTranslate) != 0, (p.active2 & kPerturbTranslate) != 0);
    const Vec target = Vec::load(p.refselpos.data());
    e.begin_decor(body);
    e.connector(static_cast<int>(GeomType::Capsule), width, e.selected_point(), target);
    e.color(rgba);
    e.finish();
    e.begin_decor(body);
    e.shape(kSphere, {2 * width, 0, 0}, target, reference, rgba);
    e.finish();
  }
  if ((p.active | p.active2) & kPerturbRotate) {
    Vec center, half = {e.scl, e.scl, e.scl};
    if (const int root = m.body_bvhadr[body]; root >= 0 && m.body_bvhnum[body] > 0) {
      center = Vec::load(&m.bvh_aabb[6 * static_cast<std::size_t>(root)]);
      half = Vec::load(&m.bvh_aabb[6 * static_cast<std::size_t>(root) + 3]);
    }
    e.begin_decor(body);
    e.shape(kSceneLineBox, half, vec_at(e.d.xipos.data(), body) + mat_at(e.d.ximat.data(), body) * center, reference,
            device_color(m.vis.rgba.inertia, (p.active & kPerturbRotate) != 0, (p.active2 & kPerturbRotate) != 0));
    e.finish();
  }
}

void emit_body_frames(Emitter& e) {
  const Model& m = e.m;
  const double length = m.vis.scale.framelength * e.scl, width = m.vis.scale.framewidth * e.scl;
  const bool inertial = e.on(kVisInertia);
  const double* pos = inertial ? e.d.xipos.data() : e.d.xpos.data();
  const double* mat = inertial ? e.d.ximat.data() : e.d.xmat.data();
  if (e.option.frame == kFrameWorld) e.frame(0, vec_at(pos, 0), mat_at(mat, 0), 2 * length, 2 * width);
  if (e.option.frame == kFrameBody)
    for (int i = 1; i < m.nbody; ++i)
      if (e.shows_body(i)) e.frame(i, vec_at(pos, i), mat_at(mat, i), length, width);
}

void emit_selected_point(Emitter& e) {
  const int body = e.selected();
  if (body == 0) return;
  const Vec point = e.selected_point();
  e.begin_decor(body);
  e.shape(kSphere, {e.scl * e.m.vis.scale.selectpoint, 0, 0}, point, Matrix::identity(), e.m.vis.rgba.selectpoint);
  if (e.option.label == kLabelSelPoint) {
    const Double3& local = e.perturb->localpos;
    char text[100];
    std::snprintf(text, sizeof text, "%.3f %.3f %.3f (local %.3f %.3f %.3f)", point.x, point.y, point.z, local[0],
                  local[1], local[2]);
    e.label(text);
  }
  e.finish();
}

void emit_body_labels(Emitter& e) {
  for (int i = 1; i < e.m.nbody; ++i) {
    const bool wanted = e.option.label == kLabelBody || (e.option.label == kLabelSelection && e.is_selected(i));
    if (!wanted || !e.shows_body(i)) continue;
    SceneGeom& g = e.begin_decor(i);
    e.shape(kSceneLabel, Vec(), vec_at(e.d.xpos.data(), i), mat_at(e.d.xmat.data(), i), g.rgba);
    g.size = SceneGeom().size;
    e.label(static_cast<LabelKind>(e.option.label), ObjType::Body, i);
    e.finish();
  }
}

void emit_island_labels(Emitter& e) {
  for (int i = 1; i < e.m.nbody; ++i) {
    const int island = e.body_island(i);
    if (island < 0) continue;
    SceneGeom& g = e.begin_decor(i);
    e.shape(kSceneLabel, Vec(), vec_at(e.d.xipos.data(), i), mat_at(e.d.ximat.data(), i), g.rgba);
    g.size = SceneGeom().size;
    e.label(std::to_string(island));
    e.finish();
  }
}

void emit_centers_of_mass(Emitter& e) {
  const Model& m = e.m;
  for (int i = 1; i < m.nbody; ++i) {
    if (m.body_rootid[i] != i) continue;
    e.begin_decor(i);
    e.shape(kSphere, {e.scl * m.vis.scale.com, 0, 0}, vec_at(e.d.subtree_com.data(), i), Matrix::identity(),
            m.vis.rgba.com);
    e.finish();
  }
}

/// From each body through the anchors of its joints to its parent.
void emit_connections(Emitter& e) {
  const Model& m = e.m;
  for (int i = 1; i < m.nbody; ++i) {
    const int parent = m.body_parentid[i];
    if (parent == 0) continue;
    Vec at = vec_at(e.d.xipos.data(), i);
    const auto connect_to = [&](const Vec& next) {
      e.begin_decor(i);
      e.connector(static_cast<int>(GeomType::Capsule), e.scl * m.vis.scale.connect, at, next);
      e.color(m.vis.rgba.connect);
      e.finish();
      at = next;
    };
    for (int j = m.body_jntadr[i] + m.body_jntnum[i] - 1; j >= m.body_jntadr[i] && j >= 0; --j)
      connect_to(vec_at(e.d.xanchor.data(), j));
    connect_to(vec_at(e.d.xipos.data(), parent));
  }
}

void emit_external_forces(Emitter& e) {
  const Model& m = e.m;
  for (int i = 1; i < m.nbody; ++i) {
    const Vec force = Vec::load(&e.d.xfrc_applied[static_cast<std::size_t>(6 * i)]);
    if (!(norm(force) > kMinVal)) continue;
    const Vec from = vec_at(e.d.xipos.data(), i);
    e.begin_decor(i);
    e.connector(kSceneArrow, m.vis.scale.forcewidth * e.scl, from, from + force * (m.vis.map.force / m.stat.meanmass));
    e.color(m.vis.rgba.force);
    e.finish();
  }
}

/// The two points that a connect or weld holds together.
void emit_constraints(Emitter& e) {
  const Model& m = e.m;
  for (int i = 0; i < m.neq; ++i) {
    if (!e.d.eq_active[static_cast<std::size_t>(i)] || !equality_kind(m, i).holds_frames()) continue;
    const bool sites = m.eq_objtype[i] == static_cast<int>(ObjType::Site);
    const bool weld = equality_kind(m, i).holds_orientation();
    const double* data = &m.eq_data[kNumEqData * static_cast<std::size_t>(i)];
    for (int side = 0; side < 2; ++side) {
      const int id = side == 0 ? m.eq_obj1id[i] : m.eq_obj2id[i];
      const Matrix mat = mat_at(sites ? e.d.site_xmat.data() : e.d.xmat.data(), id);
      Vec pos = vec_at(sites ? e.d.site_xpos.data() : e.d.xpos.data(), id);
      if (!sites) pos += mat * Vec::load((side == 0) == weld ? data + 3 : data);
      e.begin(ObjType::Equality, i, kSceneDecor);
      e.shape(kSphere, {e.scl * m.vis.scale.constraint, 0, 0}, pos, mat,
              side == 0 ? m.vis.rgba.connect : m.vis.rgba.constraint);
      e.label(kLabelConstraint, ObjType::Equality, i);
      e.finish();
    }
  }
}

}  // namespace sinew::scene
