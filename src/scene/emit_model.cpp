#include <cmath>

#include "model/transmission_kinds.h"
#include "scene/emitter.h"

// Elements of the model: geoms, sites, slider-cranks, and their frames.

namespace sinew::scene {
namespace {

bool is_mesh(int type) { return type == static_cast<int>(GeomType::Mesh) || type == static_cast<int>(GeomType::Sdf); }

/// Where an infinite plane is drawn: under the camera, moved by whole periods of its texture.
Vec plane_under_camera(const Emitter& e, int geom) {
  const Model& m = e.m;
  const Matrix mat = mat_at(e.d.geom_xmat.data(), geom);
  const Vec pos = vec_at(e.d.geom_xpos.data(), geom);
  Vec head;
  for (int k = 0; k < 3; ++k) {
    const auto i = static_cast<std::size_t>(k);
    head[k] = 0.5 * (static_cast<double>(e.scene.camera[0].pos[i]) + static_cast<double>(e.scene.camera[1].pos[i]));
  }
  constexpr double kTiles = 198;  // squares across the drawn plane, which reaches 2.1 zfar
  const double zfar = m.vis.map.zfar * m.stat.extent;
  const int material = m.geom_matid[geom];
  Vec out = pos;
  for (int k = 0; k < 2; ++k) {
    if (m.geom_size[3 * geom + k] > 0) continue;
    const double repeat = material >= 0 ? m.mat_texrepeat[2 * material + k] : 0;
    const double period = repeat > 0 ? 2 / repeat : 2.1 * zfar / kTiles;
    const double along = dot(head - pos, mat.column(k));
    if (period > 0 && std::isfinite(along)) out += mat.column(k) * (2 * period * std::round(0.5 * along / period));
  }
  return out;
}

float visible_alpha(const Model& m, int matid, const float* rgba) {
  return matid >= 0 ? m.mat_rgba[4 * matid + 3] : rgba[3];
}

}  // namespace

void emit_geoms(Emitter& e) {
  const Model& m = e.m;
  int planes = 0;
  for (int i = 0; i < m.ngeom; ++i) {
    const int type = m.geom_type[i], body = m.geom_bodyid[i];
    const bool is_plane = type == static_cast<int>(GeomType::Plane);
    const int plane = is_plane ? planes++ : -1;
    if (!e.shows_body(body) || !Emitter::group_on(e.option.geomgroup, m.geom_group[i])) continue;
    SceneGeom& g = e.begin(ObjType::Geom, i, e.category_of(body));
    const Vec pos = is_plane ? plane_under_camera(e, i) : vec_at(e.d.geom_xpos.data(), i);
    e.shape(type, vec_at(m.geom_size.data(), i), pos, mat_at(e.d.geom_xmat.data(), i), {});
    g.dataid = is_plane ? plane : m.geom_dataid[i];
    g.modelrbound = static_cast<float>(m.geom_rbound[i]);
    e.material(m.geom_matid[i], &m.geom_rgba[4 * i]);
    if (e.on(kVisIsland) && m.body_dofnum[m.body_weldid[body]] > 0) {
      g.matid = -1;
      e.color(e.body_island_color(body));
    }
    if (is_mesh(type)) {
      const int mesh = m.geom_dataid[i];
      if (mesh >= 0 && m.mesh_texcoordadr[mesh] >= 0) g.texcoord = 1;
      const bool hull = mesh >= 0 && m.mesh_graphadr[mesh] >= 0 && e.on(kVisConvexHull) &&
                        (m.geom_contype[i] || m.geom_conaffinity[i]);
      g.dataid = 2 * mesh + (hull ? 1 : 0);
    }
    if (g.rgba[3] == 0) continue;
    if (e.is_selected(body)) e.glow();
    e.label(kLabelGeom, ObjType::Geom, i);
    e.finish();
  }
}

void emit_sites(Emitter& e) {
  const Model& m = e.m;
  for (int i = 0; i < m.nsite; ++i) {
    const int body = m.site_bodyid[i];
    if (!e.shows_body(body) || !Emitter::group_on(e.option.sitegroup, m.site_group[i])) continue;
    SceneGeom& g = e.begin(ObjType::Site, i, e.category_of(body));
    e.shape(m.site_type[i], vec_at(m.site_size.data(), i), vec_at(e.d.site_xpos.data(), i),
            mat_at(e.d.site_xmat.data(), i), {});
    e.material(m.site_matid[i], &m.site_rgba[4 * i]);
    if (g.rgba[3] == 0) continue;
    if (e.is_selected(body)) e.glow();
    e.label(kLabelSite, ObjType::Site, i);
    e.finish();
  }
}

/// The rod from the crank to its end on the slider, and the slider up to there.
void emit_slider_cranks(Emitter& e) {
  const Model& m = e.m;
  for (int i = 0; i < m.nactuator; ++i) {
    if (m.actuator_trntype[i] != static_cast<int>(TrnType::SliderCrank)) continue;
    const int crank = m.actuator_trnid[2 * i], slider = m.actuator_trnid[2 * i + 1];
    const Vec x_crank = vec_at(e.d.site_xpos.data(), crank), x_slider = vec_at(e.d.site_xpos.data(), slider);
    const Vec axis = mat_at(e.d.site_xmat.data(), slider).column(2), way = x_crank - x_slider;
    const double rod = m.actuator_cranklength[i], along = dot(way, axis);
    double det = along * along + rod * rod - dot(way, way);
    const bool broken = det < 0;
    if (broken) det = 0;
    const Vec end = x_slider + axis * (along - std::sqrt(det));
    const double width = e.scl * m.vis.scale.slidercrank;
    e.begin(ObjType::Actuator, i, kSceneDynamic);
    e.connector(static_cast<int>(GeomType::Cylinder), width, x_slider, end);
    e.color(m.vis.rgba.slidercrank);
    e.label(kLabelActuator, ObjType::Actuator, i);
    e.finish();
    e.begin(ObjType::Actuator, i, kSceneDynamic);
    e.connector(static_cast<int>(GeomType::Capsule), width / 2, end, x_crank);
    e.color(broken ? m.vis.rgba.crankbroken : m.vis.rgba.slidercrank);
    e.finish();
  }
}

void emit_geom_frames(Emitter& e) {
  const Model& m = e.m;
  for (int i = 0; i < m.ngeom; ++i)
    if (Emitter::group_on(e.option.geomgroup, m.geom_group[i]) && e.shows_body(m.geom_bodyid[i]) &&
        visible_alpha(m, m.geom_matid[i], &m.geom_rgba[4 * i]) != 0)
      e.frame(i, vec_at(e.d.geom_xpos.data(), i), mat_at(e.d.geom_xmat.data(), i), m.vis.scale.framelength * e.scl,
              m.vis.scale.framewidth * e.scl);
}

void emit_site_frames(Emitter& e) {
  const Model& m = e.m;
  for (int i = 0; i < m.nsite; ++i)
    if (Emitter::group_on(e.option.sitegroup, m.site_group[i]) && e.shows_body(m.site_bodyid[i]) &&
        visible_alpha(m, m.site_matid[i], &m.site_rgba[4 * i]) != 0)
      e.frame(i, vec_at(e.d.site_xpos.data(), i), mat_at(e.d.site_xmat.data(), i), m.vis.scale.framelength * e.scl,
              m.vis.scale.framewidth * e.scl);
}

}  // namespace sinew::scene
