#include "view/parts.h"

#include <cmath>
#include <cstring>

namespace sinew::view {
namespace {

bool is_triangle(const SceneGeom& geom) { return geom.type == kSceneTriangle; }

/// Whether the page must be told more than where the part is.
bool same_look(const Part& a, const Part& b) {
  const SceneGeom &g = a.geom, &h = b.geom;
  const bool same = a.body == b.body && a.infinite == b.infinite && g.type == h.type && g.dataid == h.dataid &&
                    g.objtype == h.objtype && g.objid == h.objid && g.category == h.category && g.matid == h.matid &&
                    g.texid == h.texid && g.texuniform == h.texuniform && g.texcoord == h.texcoord &&
                    g.rgba == h.rgba && g.emission == h.emission && g.specular == h.specular &&
                    g.shininess == h.shininess && g.reflectance == h.reflectance && g.texrepeat == h.texrepeat &&
                    std::strcmp(g.label.data(), h.label.data()) == 0;
  if (!same || (a.body < 0 && !is_triangle(g))) return same;
  return g.size == h.size && g.pos == h.pos && g.mat == h.mat;
}

Float9 matrix_of(const double* q) {
  const double w = q[0], x = q[1], y = q[2], z = q[3];
  const std::array<double, 9> r = {
      w * w + x * x - y * y - z * z, 2 * (x * y - w * z),           2 * (x * z + w * y),
      2 * (x * y + w * z),           w * w - x * x + y * y - z * z, 2 * (y * z - w * x),
      2 * (x * z - w * y),           2 * (y * z + w * x),           w * w - x * x - y * y + z * z};
  Float9 out{};
  for (std::size_t i = 0; i < 9; ++i) out[i] = static_cast<float>(r[i]);
  return out;
}

void place_in_body(Part& part, int body, const double* pos, const double* quat) {
  part.body = body;
  for (std::size_t k = 0; k < 3; ++k) part.pos[k] = static_cast<float>(pos[k]);
  for (std::size_t k = 0; k < 4; ++k) part.quat[k] = static_cast<float>(quat[k]);
  part.geom.pos = part.pos;
  part.geom.mat = matrix_of(quat);
}

}  // namespace

Float4 quat_of(const Float9& m) {
  const float trace = m[0] + m[4] + m[8];
  Float4 q{};
  if (trace > 0) {
    const float s = 2 * std::sqrt(trace + 1);
    q = {s / 4, (m[7] - m[5]) / s, (m[2] - m[6]) / s, (m[3] - m[1]) / s};
  } else {
    const std::size_t i = m[0] >= m[4] && m[0] >= m[8] ? 0 : m[4] >= m[8] ? 1 : 2;
    const std::size_t j = (i + 1) % 3, k = (i + 2) % 3;
    const float s = 2 * std::sqrt(std::fmax(1 + m[4 * i] - m[4 * j] - m[4 * k], 1e-12f));
    q[0] = (m[3 * k + j] - m[3 * j + k]) / s;
    q[i + 1] = s / 4;
    q[j + 1] = (m[3 * j + i] + m[3 * i + j]) / s;
    q[k + 1] = (m[3 * k + i] + m[3 * i + k]) / s;
  }
  const float length = std::sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
  if (!(length > 0)) return {1, 0, 0, 0};
  for (float& x : q) x /= length;
  return q;
}

PartTable::PartTable(const Model& m) { known_.resize(static_cast<std::size_t>(m.ngeom + m.nsite)); }

std::uint32_t PartTable::world_slot(const SceneGeom& geom) {
  // what it is, and how many of the same came before it: stable while others appear and vanish
  const std::uint64_t what = static_cast<std::uint64_t>(geom.type & 0x7ff) << 40 |
                             static_cast<std::uint64_t>(geom.objtype & 0xff) << 32 |
                             static_cast<std::uint32_t>(geom.objid);
  const std::uint64_t key = what | static_cast<std::uint64_t>(counts_[what]++ & 0xfff) << 52;
  auto [place, is_new] = slots_.try_emplace(key, 0u);
  if (is_new) {
    if (free_.empty()) {
      free_.push_back(static_cast<std::uint32_t>(known_.size()));
      known_.emplace_back();
    }
    place->second = free_.back();
    free_.pop_back();
    known_[place->second].version = 0;
  }
  if (known_[place->second].seen != turn_) used_.emplace_back(key, place->second);
  return place->second;
}

std::vector<Part> PartTable::update(const Model& m, const Scene& scene) {
  ++turn_;
  counts_.clear();
  const auto before = std::move(used_);
  used_.clear();
  std::vector<Part> parts;
  parts.reserve(static_cast<std::size_t>(scene.ngeom));
  for (int i = 0; i < scene.ngeom; ++i) {
    const SceneGeom& geom = scene.geoms[static_cast<std::size_t>(i)];
    if (geom.type == kSceneNone || geom.segid < 0) continue;
    Part part;
    part.geom = geom;
    const auto id = static_cast<std::size_t>(geom.objid);
    const bool in_model = geom.category != kSceneDecor && geom.objid >= 0;
    if (in_model && geom.objtype == static_cast<int>(ObjType::Geom) && geom.objid < m.ngeom) {
      place_in_body(part, m.geom_bodyid[id], &m.geom_pos[3 * id], &m.geom_quat[4 * id]);
      part.slot = static_cast<std::uint32_t>(id);
      if (geom.type == static_cast<int>(GeomType::Plane))
        part.infinite =
            static_cast<std::uint8_t>((m.geom_size[3 * id] <= 0 ? 1 : 0) | (m.geom_size[3 * id + 1] <= 0 ? 2 : 0));
    } else if (in_model && geom.objtype == static_cast<int>(ObjType::Site) && geom.objid < m.nsite) {
      place_in_body(part, m.site_bodyid[id], &m.site_pos[3 * id], &m.site_quat[4 * id]);
      part.slot = static_cast<std::uint32_t>(m.ngeom + geom.objid);
    } else {
      part.slot = world_slot(geom);
      part.pos = geom.pos;
      if (!is_triangle(geom)) part.quat = quat_of(geom.mat);
    }
    if (geom.type == kSceneFlex || geom.type == kSceneSkin) part.geom.dataid = geom.objid;
    Known& known = known_[part.slot];
    if (known.seen == turn_) continue;  // more of the same than slots can tell apart
    if (known.version == 0 || known.seen + 1 != turn_ || !same_look(known.part, part)) known.version = next_version_++;
    part.version = known.version;
    known.part = part;
    known.seen = turn_;
    parts.push_back(part);
  }
  for (const auto& [key, slot] : before)
    if (known_[slot].seen != turn_) {
      slots_.erase(key);
      free_.push_back(slot);
    }
  return parts;
}

}  // namespace sinew::view
