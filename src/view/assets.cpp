#include "view/assets.h"

#include <fmt/format.h>
#include <lodepng.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <tuple>

#include "math/vec3.h"
#include "sinew/scene.h"
#include "view/wire.h"

namespace sinew::view {
namespace {

using Vec = Vec3<float>;

std::size_t at(std::int64_t i) { return static_cast<std::size_t>(i); }

/// A unit vector on an octahedron that is unfolded to a square.
std::array<std::int16_t, 2> octahedral(const Vec& n) {
  const float sum = std::abs(n[0]) + std::abs(n[1]) + std::abs(n[2]);
  if (!(sum > 0)) return {0, 0};
  float x = n[0] / sum, y = n[1] / sum;
  if (n[2] < 0) {
    const float fold = (1 - std::abs(y)) * (x < 0 ? -1.f : 1.f);
    y = (1 - std::abs(x)) * (y < 0 ? -1.f : 1.f);
    x = fold;
  }
  return {static_cast<std::int16_t>(std::lround(x * 32767)), static_cast<std::int16_t>(std::lround(y * 32767))};
}

/// Triangles with everything that their corners have.
struct Corner {
  std::uint32_t vertex = 0;
  std::array<std::int16_t, 2> normal{};
  Float2 uv{};
  bool operator<(const Corner& o) const { return std::tie(vertex, normal, uv) < std::tie(o.vertex, o.normal, o.uv); }
};

std::string mesh_bytes(const float* vert, const std::vector<Corner>& corners, bool has_uv) {
  std::map<Corner, std::uint32_t> places;
  std::vector<const Corner*> unique;
  std::vector<std::uint32_t> indices;
  indices.reserve(corners.size());
  for (const Corner& corner : corners) {
    const auto [place, added] = places.try_emplace(corner, static_cast<std::uint32_t>(places.size()));
    if (added) unique.push_back(&place->first);
    indices.push_back(place->second);
  }
  const bool wide = unique.size() > 0xffff;
  Bytes out;
  out.put_text("MSH1")
      .put(static_cast<std::uint32_t>(unique.size()))
      .put(static_cast<std::uint32_t>(indices.size() / 3))
      .put(static_cast<std::uint32_t>((has_uv ? 1 : 0) | (wide ? 2 : 0)));
  for (const Corner* corner : unique) out.put_all(std::span(vert + 3 * at(corner->vertex), 3));
  for (const Corner* corner : unique) out.put_all(corner->normal);
  if (has_uv)
    for (const Corner* corner : unique) out.put_all(corner->uv);
  for (const std::uint32_t index : indices) {
    if (wide)
      out.put(index);
    else
      out.put(static_cast<std::uint16_t>(index));
  }
  return std::move(out).take();
}

Vec face_normal(const float* vert, const int* face) {
  const Vec a = Vec::load(vert + 3 * face[0]);
  Vec n = cross(Vec::load(vert + 3 * face[1]) - a, Vec::load(vert + 3 * face[2]) - a);
  const float length = norm(n);
  return length > 0 ? n * (1 / length) : Vec();
}

/// Corners whose stored normal differs much from that of the face get the face's, which keeps edges sharp, as in the
/// renderer; meshes with texture coordinates keep the stored ones.
std::string encode_mesh(const Model& m, std::size_t i) {
  const float* vert = m.mesh_vert.data() + 3 * at(m.mesh_vertadr[i]);
  const bool has_uv = m.mesh_texcoordadr[i] >= 0;
  constexpr float kSharp = 0.8f;
  std::vector<Corner> corners;
  for (int f = m.mesh_faceadr[i]; f < m.mesh_faceadr[i] + m.mesh_facenum[i]; ++f) {
    const Vec flat = face_normal(vert, &m.mesh_face[3 * at(f)]);
    for (std::size_t k = 0; k < 3; ++k) {
      const std::size_t corner = 3 * at(f) + k;
      Vec n = Vec::load(m.mesh_normal.data() + 3 * at(m.mesh_normaladr[i] + m.mesh_facenormal[corner]));
      if (!has_uv && dot(n, flat) < kSharp) n = flat;
      Corner c{static_cast<std::uint32_t>(m.mesh_face[corner]), octahedral(n), {}};
      if (has_uv) {
        const float* uv = m.mesh_texcoord.data() + 2 * at(m.mesh_texcoordadr[i] + m.mesh_facetexcoord[corner]);
        c.uv = {uv[0], uv[1]};
      }
      corners.push_back(c);
    }
  }
  return mesh_bytes(vert, corners, has_uv);
}

/// mesh_graph: nvert, nface, edgeadr[nvert], globalid[nvert], edges[nvert + 3 nface], faces[3 nface]
std::string encode_hull(const Model& m, std::size_t i) {
  const float* vert = m.mesh_vert.data() + 3 * at(m.mesh_vertadr[i]);
  const int* graph = m.mesh_graph.data() + m.mesh_graphadr[i];
  const int nvert = graph[0], nface = graph[1];
  const int* faces = graph + 2 + 3 * nvert + 3 * nface;
  std::vector<Corner> corners;
  for (int f = 0; f < nface; ++f) {
    const auto normal = octahedral(face_normal(vert, faces + 3 * f));
    for (int k = 0; k < 3; ++k) corners.push_back({static_cast<std::uint32_t>(faces[3 * f + k]), normal, {}});
  }
  return mesh_bytes(vert, corners, false);
}

std::string encode_texture(const Model& m, std::size_t i) {
  const auto width = static_cast<unsigned>(m.tex_width[i]), height = static_cast<unsigned>(m.tex_height[i]);
  const int channels = m.tex_nchannel[i];
  lodepng::State state;
  state.info_raw.colortype = channels == 1   ? LCT_GREY
                             : channels == 2 ? LCT_GREY_ALPHA
                             : channels == 3 ? LCT_RGB
                                             : LCT_RGBA;
  state.info_png.color.colortype = state.info_raw.colortype;
  state.encoder.auto_convert = 0;
  state.encoder.zlibsettings.windowsize = 1024;  // half the time of the default, a few per cent longer
  std::vector<unsigned char> png;
  if (lodepng::encode(png, m.tex_data.data() + m.tex_adr[i], width, height, state) != 0) return {};
  return {png.begin(), png.end()};
}

std::string encode_hfield(const Model& m, std::size_t i) {
  Bytes out;
  out.put_text("HFD1")
      .put(static_cast<std::uint32_t>(m.hfield_nrow[i]))
      .put(static_cast<std::uint32_t>(m.hfield_ncol[i]));
  for (std::size_t k = 0; k < 4; ++k) out.put(static_cast<float>(m.hfield_size[4 * i + k]));
  out.put_all(std::span(m.hfield_data.data() + m.hfield_adr[i], at(m.hfield_nrow[i]) * at(m.hfield_ncol[i])));
  return std::move(out).take();
}

constexpr std::uint32_t kInside = 0x80000000u;  // the corner moves by -radius

/// Topology of a flex: the same triangles as scene/flexes.cpp makes, with indices instead of positions.
std::string encode_flex(const Model& m, std::size_t i) {
  const int dim = m.flex_dim[i];
  const int* elem = m.flex_elem.data() + m.flex_elemdataadr[i];
  const int* coord = m.flex_elemtexcoord.data() + m.flex_elemdataadr[i];
  const int* shell = m.flex_shell.data() + m.flex_shelldataadr[i];
  const int first_uv = m.flex_texcoordadr[i];
  const bool has_uv = first_uv >= 0;
  const auto u32 = [](int v) { return static_cast<std::uint32_t>(v); };
  Bytes normals, skin, faces;
  std::uint32_t nnormal = 0, nskin = 0, nface = 0;
  const auto put_uv = [&](Bytes& out, int texture) {
    for (std::size_t k = 0; k < 2; ++k) {
      const std::size_t place = 2 * at(first_uv + std::max(texture, 0)) + k;
      out.put(texture >= 0 && place < m.flex_texcoord.size() ? m.flex_texcoord[place] : 0.f);
    }
  };
  const auto triangle = [&](Bytes& out, const std::array<std::uint32_t, 3>& v, const std::array<int, 3>& uv,
                            int layer) {
    out.put_all(v);
    if (layer >= 0) out.put(u32(layer));
    if (has_uv)
      for (const int t : uv) put_uv(out, t);
  };
  if (dim > 1) {
    const int pieces = dim == 2 ? m.flex_elemnum[i] : m.flex_shellnum[i];
    for (int p = 0; p < pieces; ++p) {
      const int* v = dim == 2 ? elem + 3 * p : shell + 3 * p;
      std::array<int, 3> uv{};
      for (std::size_t k = 0; k < 3; ++k) uv[k] = dim == 2 ? coord[3 * at(p) + k] : v[k];
      for (int k = 0; k < 3; ++k) normals.put(u32(v[k]));
      ++nnormal;
      triangle(skin, {u32(v[0]), u32(v[1]), u32(v[2])}, uv, -1);
      ++nskin;
      if (dim == 2) {
        triangle(skin, {u32(v[0]) | kInside, u32(v[2]) | kInside, u32(v[1]) | kInside}, {uv[0], uv[2], uv[1]}, -1);
        ++nskin;
      }
    }
    for (int p = 0; dim == 2 && p < m.flex_shellnum[i]; ++p) {
      const int a = shell[2 * p], b = shell[2 * p + 1];
      triangle(skin, {u32(a), u32(b) | kInside, u32(b)}, {a, b, b}, -1);
      triangle(skin, {u32(b) | kInside, u32(a), u32(a) | kInside}, {b, a, a}, -1);
      nskin += 2;
    }
    constexpr int kTriangle[2][3] = {{0, 1, 2}, {0, 2, 1}};
    constexpr int kTetrahedron[4][3] = {{0, 1, 2}, {0, 2, 3}, {0, 3, 1}, {1, 3, 2}};
    for (int e = 0; e < m.flex_elemnum[i]; ++e)
      for (int f = 0; f < (dim == 2 ? 2 : 4); ++f) {
        const int* corner = dim == 2 ? kTriangle[f] : kTetrahedron[f];
        std::array<std::uint32_t, 3> v{};
        std::array<int, 3> uv{};
        for (std::size_t k = 0; k < 3; ++k) {
          v[k] = u32(elem[(dim + 1) * e + corner[k]]);
          uv[k] = has_uv ? coord[(dim + 1) * e + corner[k]] : -1;
        }
        triangle(faces, v, uv, dim == 3 ? m.flex_elemlayer[at(m.flex_elemadr[i] + e)] : 0);
        ++nface;
      }
  }
  Bytes out;
  out.put_text("FLX1")
      .put(u32(dim))
      .put(u32(m.flex_vertnum[i]))
      .put(u32(m.flex_edgenum[i]))
      .put(nskin)
      .put(nface)
      .put(nnormal)
      .put(static_cast<std::uint32_t>((has_uv ? 1 : 0) | (m.flex_flatskin[i] ? 2 : 0)))
      .put(static_cast<float>(m.flex_radius[i]));
  for (std::size_t k = 0; k < 2 * at(m.flex_edgenum[i]); ++k) out.put(u32(m.flex_edge[2 * at(m.flex_edgeadr[i]) + k]));
  out.put_text(std::move(normals).take()).put_text(std::move(skin).take()).put_text(std::move(faces).take());
  return std::move(out).take();
}

std::string encode_skin(const Model& m, std::size_t i) {
  const auto u32 = [](int v) { return static_cast<std::uint32_t>(v); };
  const std::size_t vertnum = at(m.skin_vertnum[i]);
  const bool has_uv = m.skin_texcoordadr[i] >= 0;
  Bytes out;
  out.put_text("SKN1")
      .put(u32(m.skin_vertnum[i]))
      .put(u32(m.skin_facenum[i]))
      .put(u32(m.skin_bonenum[i]))
      .put(std::uint32_t{has_uv ? 1u : 0u})
      .put(m.skin_inflate[i]);
  out.put_all(std::span(m.skin_vert.data() + 3 * at(m.skin_vertadr[i]), 3 * vertnum));
  if (has_uv) out.put_all(std::span(m.skin_texcoord.data() + 2 * at(m.skin_texcoordadr[i]), 2 * vertnum));
  for (std::size_t k = 0; k < 3 * at(m.skin_facenum[i]); ++k) out.put(u32(m.skin_face[3 * at(m.skin_faceadr[i]) + k]));
  for (std::size_t b = at(m.skin_boneadr[i]); b < at(m.skin_boneadr[i] + m.skin_bonenum[i]); ++b) {
    const std::size_t first = at(m.skin_bonevertadr[b]), n = at(m.skin_bonevertnum[b]);
    out.put(u32(m.skin_bonebodyid[b]));
    out.put_all(std::span(m.skin_bonebindpos.data() + 3 * b, 3))
        .put_all(std::span(m.skin_bonebindquat.data() + 4 * b, 4));
    out.put(static_cast<std::uint32_t>(n));
    for (std::size_t k = first; k < first + n; ++k) out.put(u32(m.skin_bonevertid[k]));
    out.put_all(std::span(m.skin_bonevertweight.data() + first, n));
  }
  return std::move(out).take();
}

std::uint64_t mix(std::uint64_t x) {
  // the finalizer of splitmix64: every bit of the input changes every bit of the output
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

}  // namespace

std::string content_hash(std::string_view bytes) {
  std::uint64_t a = 0x9e3779b97f4a7c15u ^ bytes.size(), b = 0xd1b54a32d192ed03u;
  for (std::size_t i = 0; i < bytes.size(); i += 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes.data() + i, std::min<std::size_t>(8, bytes.size() - i));
    a = mix(a ^ word);
    b = mix(b + word * 0x9e3779b97f4a7c15u + (a << 1));
  }
  return fmt::format("{:016x}{:016x}", a, b);
}

AssetNames store_assets(const Model& m, AssetStore& store) {
  const auto keep = [&](std::string bytes) {
    std::string name = content_hash(bytes);
    store.try_emplace(name, std::make_shared<const std::string>(std::move(bytes)));
    return name;
  };
  AssetNames names;
  for (std::size_t i = 0; i < at(m.nmesh); ++i) {
    names.meshes.push_back(keep(encode_mesh(m, i)));
    names.hulls.push_back(m.mesh_graphadr[i] >= 0 ? keep(encode_hull(m, i)) : "");
  }
  for (std::size_t i = 0; i < at(m.ntex); ++i) names.textures.push_back(keep(encode_texture(m, i)));
  for (std::size_t i = 0; i < at(m.nhfield); ++i) names.hfields.push_back(keep(encode_hfield(m, i)));
  for (std::size_t i = 0; i < at(m.nflex); ++i) names.flexes.push_back(keep(encode_flex(m, i)));
  for (std::size_t i = 0; i < at(m.nskin); ++i) names.skins.push_back(keep(encode_skin(m, i)));
  return names;
}

}  // namespace sinew::view
