#include <algorithm>
#include <cmath>
#include <cstdio>

#include "scene/emitter.h"
#include "sinew/query.h"

// Contacts: points, frames, forces.

namespace sinew::scene {
namespace {

int geom_of(const Emitter& e, const Contact& c, int side) {
  const int geom = c.geom[static_cast<std::size_t>(side)];
  return geom >= 0 && geom < e.m.ngeom ? geom : -1;
}

/// The flex of a side, with its element or vertex.
std::string flex_name(const Emitter& e, const Contact& c, std::size_t side) {
  std::string text(e.m.name(ObjType::Flex, c.flex[side]));
  if (text.empty()) text = 'f' + std::to_string(c.flex[side]);
  return text + (c.elem[side] >= 0 ? ".e" + std::to_string(c.elem[side]) : ".v" + std::to_string(c.vert[side]));
}

std::string side_name(const Emitter& e, const Contact& c, int side) {
  constexpr std::size_t kLongest = 47;
  const int geom = geom_of(e, c, side);
  if (geom < 0) return flex_name(e, c, static_cast<std::size_t>(side)).substr(0, kLongest);
  std::string text(e.m.name(ObjType::Geom, geom));
  if (text.empty()) text = 'g' + std::to_string(geom);
  return text.substr(0, kLongest);
}

/// Arrows along the surface where a geom moves like a conveyor belt.
void emit_surface_velocity(Emitter& e, int i, const Contact& c, const Float4& rgba) {
  const Model& m = e.m;
  const Vec pos = Vec::load(c.pos.data()), normal = Vec::load(c.frame.data());
  const double width = m.vis.scale.forcewidth * e.scl;
  for (int side = 0; side < 2; ++side) {
    const int geom = geom_of(e, c, side);
    if (geom < 0) continue;
    const double* surface = &m.geom_surfacevel[6 * static_cast<std::size_t>(geom)];
    if (std::all_of(surface, surface + 6, [](double x) { return x == 0; })) continue;
    const Matrix mat = mat_at(e.d.geom_xmat.data(), geom);
    const Vec arm = pos - vec_at(e.d.geom_xpos.data(), geom);
    Vec velocity = mat * Vec::load(surface) + cross(mat * Vec::load(surface + 3), arm);
    velocity -= normal * dot(normal, velocity);
    if (!(norm(velocity) >= kMinVal)) continue;
    const Vec from = pos + normal * ((side == 0 ? -0.5 : 0.5) * width);
    e.begin_decor(i);
    e.connector(kSceneArrow, width, from, from + velocity * 0.5);
    e.color(rgba);
    e.finish();
  }
}

void emit_point(Emitter& e, int i, const Contact& c) {
  const auto& vis = e.m.vis;
  const Matrix frame = Matrix::load(c.frame.data());
  const double radius = vis.scale.contactwidth * e.scl, height = std::max(vis.scale.contactheight * e.scl, -c.dist / 2);
  Float4 rgba = c.efc_address < 0 ? vis.rgba.contactgap : vis.rgba.contactpoint;
  if (e.on(kVisIsland) && c.efc_address >= 0) rgba = e.row_island_color(c.efc_address);
  e.begin_decor(i);
  e.shape(static_cast<int>(GeomType::Cylinder), {radius, height, 0}, Vec::load(c.pos.data()),
          Matrix::from_columns(frame.row(1), frame.row(2), frame.row(0)), rgba);
  if (e.option.label == kLabelContactPoint) e.label(side_name(e, c, 0) + " | " + side_name(e, c, 1));
  e.finish();
  emit_surface_velocity(e, i, c, rgba);
}

void emit_force(Emitter& e, int i, const Contact& c) {
  const Model& m = e.m;
  const std::array<double, 6> all = contact_force(m, e.d, i);
  Vec force;
  for (int k = 0; k < std::min(3, c.dim); ++k) force[k] = all[static_cast<std::size_t>(k)];
  if (!(norm(force) >= kMinVal)) return;
  int body[2];
  for (int side = 0; side < 2; ++side) {
    const int geom = geom_of(e, c, side);
    body[side] = geom >= 0 ? m.geom_bodyid[geom] : static_cast<int>(m.nbody) + c.flex[static_cast<std::size_t>(side)];
  }
  const bool split = e.on(kVisContactSplit) && c.dim > 1;
  const double scale = m.vis.map.force / m.stat.meanmass * (body[0] > body[1] ? -1 : 1);
  const Vec from = Vec::load(c.pos.data());
  const auto arrow = [&](const Vec& part, const Float4& rgba, bool labelled) {
    const bool both = body[0] > 0 && body[1] > 0 && !split;
    e.begin_decor(i);
    e.connector(both ? kSceneArrow2 : kSceneArrow, m.vis.scale.forcewidth * e.scl, from,
                from + mul_transposed(Matrix::load(c.frame.data()), part) * scale);
    e.color(rgba);
    if (labelled && e.option.label == kLabelContactForce) {
      char text[32];
      std::snprintf(text, sizeof text, "%-.3g", norm(force));
      e.label(text);
    }
    e.finish();
  };
  if (split) {
    arrow({force.x, 0, 0}, m.vis.rgba.contactforce, true);
    arrow({0, force.y, force.z}, m.vis.rgba.contactfriction, false);
  } else {
    arrow(force, m.vis.rgba.contactforce, true);
  }
}

}  // namespace

void emit_contacts(Emitter& e) {
  const int count = std::min(e.d.ncon, static_cast<int>(e.d.contact.size()));
  for (int i = 0; i < count; ++i) {
    const Contact& c = e.d.contact[static_cast<std::size_t>(i)];
    if (e.on(kVisContactPoint)) emit_point(e, i, c);
    if (e.option.frame == kFrameContact)
      e.frame(i, Vec::load(c.pos.data()), transpose(Matrix::load(c.frame.data())),
              0.5 * e.m.vis.scale.framelength * e.scl, 0.5 * e.m.vis.scale.framewidth * e.scl);
    if (e.on(kVisContactForce) && c.efc_address >= 0 && c.efc_address < e.d.nefc) emit_force(e, i, c);
  }
}

}  // namespace sinew::scene
