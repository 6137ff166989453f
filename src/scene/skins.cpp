#include <algorithm>
#include <cmath>
#include <string>

#include "scene/emitter.h"
#include "sim/ready.h"
#include "sinew/error.h"
#include "sinew/skin.h"

namespace sinew {
namespace {

using scene::Matrix;
using scene::Quaternion;
using scene::Vec;

/// Adds the vertices of one bone, moved with its body, by weight.
void add_bone(const Model& m, const Data& d, int bone, const float* rest, float* vert) {
  const int body = m.skin_bonebodyid[bone];
  const float *bindpos = &m.skin_bonebindpos[3 * bone], *bindquat = &m.skin_bonebindquat[4 * bone];
  const Quaternion bind = {bindquat[0], bindquat[1], bindquat[2], bindquat[3]};
  const Matrix turn = to_matrix(Quaternion::load(&d.xquat[4 * body]) * conjugate(bind));
  const Vec move = Vec::load(&d.xpos[3 * body]) - turn * Vec{bindpos[0], bindpos[1], bindpos[2]};
  const int end = m.skin_bonevertadr[bone] + m.skin_bonevertnum[bone];
  for (int i = m.skin_bonevertadr[bone]; i < end; ++i) {
    const int v = 3 * m.skin_bonevertid[i];
    const Vec moved = turn * Vec{rest[v], rest[v + 1], rest[v + 2]} + move;
    const float weight = m.skin_bonevertweight[i];
    for (int k = 0; k < 3; ++k) vert[v + k] += weight * static_cast<float>(moved[k]);
  }
}

/// Sums of the faces' cross products: weighted by area.
void add_normals(const Model& m, int skin, const float* vert, float* normal) {
  const int end = m.skin_faceadr[skin] + m.skin_facenum[skin];
  for (int f = m.skin_faceadr[skin]; f < end; ++f) {
    const int* corner = &m.skin_face[3 * f];
    const float *p = vert + 3 * corner[0], *q = vert + 3 * corner[1], *r = vert + 3 * corner[2];
    float a[3], b[3];
    for (int k = 0; k < 3; ++k) {
      a[k] = q[k] - p[k];
      b[k] = r[k] - p[k];
    }
    const float n[3] = {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
    for (int c = 0; c < 3; ++c)
      for (int k = 0; k < 3; ++k) normal[3 * corner[c] + k] += n[k];
  }
}

void make_skin(const Model& m, const Data& d, int skin, std::span<float> vert, std::span<float> normal) {
  std::ranges::fill(vert, 0.0f);
  std::ranges::fill(normal, 0.0f);
  const float* rest = m.skin_vert.data() + 3 * static_cast<std::ptrdiff_t>(m.skin_vertadr[skin]);
  for (int b = m.skin_boneadr[skin]; b < m.skin_boneadr[skin] + m.skin_bonenum[skin]; ++b)
    add_bone(m, d, b, rest, vert.data());
  add_normals(m, skin, vert.data(), normal.data());
  const float inflate = m.skin_inflate[skin];
  for (std::size_t v = 0; v < vert.size(); v += 3) {
    float* n = &normal[v];
    const float length = std::max(static_cast<float>(kMinVal), std::sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]));
    for (std::size_t k = 0; k < 3; ++k) {
      n[k] /= length;
      if (inflate != 0) vert[v + k] += inflate * n[k];
    }
  }
}

}  // namespace

void skin_vertices(const Model& m, const Data& d, int skin, std::span<float> vert, std::span<float> normal) {
  require_ready(m, d);
  if (skin < 0 || skin >= m.nskin)
    throw Exception(
        Error::message("skin " + std::to_string(skin) + " does not exist: the model has " + std::to_string(m.nskin)));
  const auto size = 3 * static_cast<std::size_t>(m.skin_vertnum[skin]);
  if (vert.size() != size || normal.size() != size)
    throw Exception(Error::message("the vertices and normals of skin " + std::to_string(skin) + " have " +
                                   std::to_string(size) + " numbers each"));
  make_skin(m, d, skin, vert, normal);
}

Status update_skins(const Model& m, const Data& d, const Groups* group, Scene& list) {
  if (const Status status = ready(m, d); !status) return status;
  const auto copy = [](const auto& from, std::vector<int>& to) { to.assign(from.begin(), from.end()); };
  SceneSkins& out = list.skin;
  copy(m.skin_facenum, out.facenum);
  copy(m.skin_vertadr, out.vertadr);
  copy(m.skin_vertnum, out.vertnum);
  out.vert.assign(m.skin_vert.size(), 0);
  out.normal.assign(m.skin_vert.size(), 0);
  for (int i = 0; i < m.nskin; ++i) {
    if (group && !scene::Emitter::group_on(*group, m.skin_group[i])) continue;
    const auto first = 3 * static_cast<std::size_t>(m.skin_vertadr[i]),
               count = 3 * static_cast<std::size_t>(m.skin_vertnum[i]);
    make_skin(m, d, i, std::span(out.vert).subspan(first, count), std::span(out.normal).subspan(first, count));
  }
  return {};
}

namespace scene {

void emit_skins(Emitter& e) {
  const Model& m = e.m;
  for (int i = 0; i < m.nskin; ++i) {
    if (!Emitter::group_on(e.option.skingroup, m.skin_group[i])) continue;
    const int material = m.skin_matid[i];
    const float* rgba = &m.skin_rgba[4 * i];
    if ((material >= 0 ? m.mat_rgba[4 * material + 3] : rgba[3]) == 0) continue;
    SceneGeom& g = e.begin(ObjType::Skin, i, kSceneDynamic);
    const int body = m.skin_bonebodyid[m.skin_boneadr[i]];
    e.shape(kSceneSkin, {0.1, 0.1, 0.1}, vec_at(e.d.xpos.data(), body), Matrix::identity(), {});
    g.texcoord = m.skin_texcoordadr[i] >= 0;
    e.material(material, rgba);
    if (e.perturb && e.perturb->skinselect == i) e.glow();
    e.label(kLabelSkin, ObjType::Skin, i);
    e.finish();
  }
}

}  // namespace scene
}  // namespace sinew
