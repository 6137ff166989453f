#include "render/assets.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "render/shapes.h"
#include "sinew/error.h"

namespace sinew::render {
namespace {

[[noreturn]] void fail(const char* text) { throw Exception(Error::message(text)); }

void filter(const RTCFilterFunctionNArguments* a) {
  const auto& query = *reinterpret_cast<const MeshQuery*>(a->context);
  if (!query.cull && !query.wire) return;
  const auto& mesh = *static_cast<const Mesh*>(a->geometryUserPtr);
  const std::size_t triangle = RTCHitN_primID(a->hit, 1, 0);
  const Vec d = {RTCRayN_dir_x(a->ray, 1, 0), RTCRayN_dir_y(a->ray, 1, 0), RTCRayN_dir_z(a->ray, 1, 0)};
  if (query.cull && dot(mesh.face_normal(triangle), d) >= 0) a->valid[0] = 0;
  if (!query.wire || !a->valid[0]) return;
  if (pixels_to_side(mesh.corners(triangle), *query.wire, RTCRayN_tfar(a->ray, 1, 0)) > query.width / 2)
    a->valid[0] = 0;
}

/// Corner normals of a mesh: the stored ones, but that of the face where they differ much, which keeps edges sharp.
/// Meshes with texture coordinates keep the stored ones.
void set_normals(const Model& m, std::size_t id, Mesh& mesh) {
  const auto faceadr = static_cast<std::size_t>(m.mesh_faceadr[id]);
  const auto normaladr = static_cast<std::size_t>(m.mesh_normaladr[id]);
  constexpr float kSharp = 0.8f;
  mesh.normal.resize(9 * mesh.nface());
  for (std::size_t f = 0; f < mesh.nface(); ++f) {
    Vec flat = mesh.face_normal(f);
    normalize(flat);
    for (std::size_t k = 0; k < 3; ++k) {
      const auto at = normaladr + static_cast<std::size_t>(m.mesh_facenormal[3 * (faceadr + f) + k]);
      Vec n = Vec::load(&m.mesh_normal[3 * at]);
      if (mesh.texcoord.empty() && dot(n, flat) < kSharp) n = flat;
      n.store(&mesh.normal[9 * f + 3 * k]);
    }
  }
}

}  // namespace

void Mesh::commit(RTCDevice device, bool moves) {
  low = high = {};
  if (face.empty()) return;
  const float big = std::numeric_limits<float>::max();
  low = {big, big, big};
  high = -low;
  for (std::size_t i = 0; i < vert.size(); ++i) {
    float& a = low[static_cast<int>(i % 3)];
    float& b = high[static_cast<int>(i % 3)];
    a = std::min(a, vert[i]);
    b = std::max(b, vert[i]);
  }
  if (tree && moves && committed_vert == vert.size() && committed_face == face) {
    const RTCGeometry geometry = rtcGetGeometry(tree.get(), 0);
    std::memcpy(rtcGetGeometryBufferData(geometry, RTC_BUFFER_TYPE_VERTEX, 0), vert.data(),
                vert.size() * sizeof(float));
    rtcUpdateGeometryBuffer(geometry, RTC_BUFFER_TYPE_VERTEX, 0);
    rtcSetGeometryBuildQuality(geometry, RTC_BUILD_QUALITY_REFIT);
    rtcCommitGeometry(geometry);
    rtcCommitScene(tree.get());
    return;
  }
  tree = Tree(rtcNewScene(device));
  if (moves) rtcSetSceneFlags(tree.get(), RTC_SCENE_FLAG_DYNAMIC);
  const RTCGeometry geometry = rtcNewGeometry(device, RTC_GEOMETRY_TYPE_TRIANGLE);
  rtcAttachGeometry(tree.get(), geometry);
  rtcReleaseGeometry(geometry);  // the scene keeps it
  rtcSetGeometryUserData(geometry, this);
  rtcSetGeometryIntersectFilterFunction(geometry, filter);
  // buffers of Embree's own: it reads 16 bytes at the last vertex
  void* vertices = rtcSetNewGeometryBuffer(geometry, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT3, 3 * sizeof(float),
                                           vert.size() / 3);
  void* faces =
      rtcSetNewGeometryBuffer(geometry, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT3, 3 * sizeof(std::uint32_t), nface());
  if (!vertices || !faces) fail("not enough memory for the triangles of a picture");
  std::memcpy(vertices, vert.data(), vert.size() * sizeof(float));
  std::memcpy(faces, face.data(), face.size() * sizeof(std::uint32_t));
  if (moves) {
    committed_vert = vert.size();
    committed_face = face;
  }
  rtcCommitGeometry(geometry);
  rtcCommitScene(tree.get());
}

Assets::Assets(const Model& m) : vis(m.vis), extent(static_cast<float>(m.stat.extent)) {
  // one thread: trees are small, and worker threads would not survive a fork
  device = Device(rtcNewDevice("threads=1,user_threads=1"));
  if (!device) fail("Embree could not be started: pictures need SSE2 and memory");
  meshes.resize(2 * static_cast<std::size_t>(m.nmesh));
  hfields.resize(static_cast<std::size_t>(m.nhfield));
  textures.resize(static_cast<std::size_t>(m.ntex));
  for (int i = 0; i < m.nmesh; ++i) load_mesh(m, i);
  for (int i = 0; i < m.nhfield; ++i) load_hfield(m, i);
  for (int i = 0; i < m.ntex; ++i) {
    load_texture(m, i);
    if (sky < 0 && m.tex_type[static_cast<std::size_t>(i)] == static_cast<int>(TextureType::Skybox)) sky = i;
  }
  for (int i = 0; i < m.nmat; ++i)
    texture_of_material.push_back(
        m.mat_texid[static_cast<std::size_t>(i * kNumTexRole + static_cast<int>(TextureRole::Rgb))]);
  for (std::size_t i = 0; i < static_cast<std::size_t>(m.nskin); ++i) {
    Skin skin;
    skin.vertnum = static_cast<std::size_t>(m.skin_vertnum[i]);
    const auto first = static_cast<std::size_t>(m.skin_faceadr[i]), n = static_cast<std::size_t>(m.skin_facenum[i]);
    for (std::size_t k = 3 * first; k < 3 * (first + n); ++k) {
      const auto vertex = static_cast<std::uint32_t>(m.skin_face[k]);
      skin.face.push_back(vertex);
      if (m.skin_texcoordadr[i] < 0) continue;
      const auto at = static_cast<std::size_t>(m.skin_texcoordadr[i]) + vertex;
      skin.texcoord.insert(skin.texcoord.end(), {m.skin_texcoord[2 * at], m.skin_texcoord[2 * at + 1]});
    }
    skins.push_back(std::move(skin));
  }
}

void Assets::load_texture(const Model& m, int id) { textures[static_cast<std::size_t>(id)] = Texture(m, id); }

void Assets::load_mesh(const Model& m, int id) {
  const auto i = static_cast<std::size_t>(id);
  Mesh& mesh = meshes[2 * i];
  const auto vertadr = static_cast<std::size_t>(m.mesh_vertadr[i]),
             vertnum = static_cast<std::size_t>(m.mesh_vertnum[i]);
  const auto faceadr = static_cast<std::size_t>(m.mesh_faceadr[i]),
             facenum = static_cast<std::size_t>(m.mesh_facenum[i]);
  mesh.vert.assign(&m.mesh_vert[0] + 3 * vertadr, &m.mesh_vert[0] + 3 * (vertadr + vertnum));
  mesh.face.assign(&m.mesh_face[0] + 3 * faceadr, &m.mesh_face[0] + 3 * (faceadr + facenum));
  mesh.texcoord.clear();
  if (m.mesh_texcoordadr[i] >= 0)
    for (std::size_t k = 3 * faceadr; k < 3 * (faceadr + facenum); ++k) {
      const auto at =
          static_cast<std::size_t>(m.mesh_texcoordadr[i]) + static_cast<std::size_t>(m.mesh_facetexcoord[k]);
      mesh.texcoord.insert(mesh.texcoord.end(), {m.mesh_texcoord[2 * at], m.mesh_texcoord[2 * at + 1]});
    }
  set_normals(m, i, mesh);
  mesh.commit(device.get(), false);

  // mesh_graph: nvert, nface, edgeadr[nvert], globalid[nvert], edges[nvert + 3 nface], faces[3 nface]
  Mesh& hull = meshes[2 * i + 1];
  hull.face.clear();
  if (m.mesh_graphadr[i] >= 0) {
    const int* graph = &m.mesh_graph[static_cast<std::size_t>(m.mesh_graphadr[i])];
    const int nvert = graph[0], nface = graph[1];
    const int* faces = graph + 2 + 2 * nvert + nvert + 3 * nface;
    hull.vert = mesh.vert;
    hull.face.assign(faces, faces + 3 * nface);
    hull.commit(device.get(), false);
  }
}

void Assets::load_hfield(const Model& m, int id) {
  const auto i = static_cast<std::size_t>(id);
  Mesh& mesh = hfields[i];
  mesh.vert.clear();
  mesh.face.clear();
  const int nrow = m.hfield_nrow[i], ncol = m.hfield_ncol[i];
  const double* size = &m.hfield_size[4 * i];
  const float* data = &m.hfield_data[0] + m.hfield_adr[i];
  if (nrow < 2 || ncol < 2) return;
  for (int r = 0; r < nrow; ++r)
    for (int c = 0; c < ncol; ++c)
      mesh.vert.insert(mesh.vert.end(), {static_cast<float>(size[0] * (2.0 * c / (ncol - 1) - 1)),
                                         static_cast<float>(size[1] * (2.0 * r / (nrow - 1) - 1)),
                                         static_cast<float>(size[2] * static_cast<double>(data[r * ncol + c]))});
  const auto triangle = [&](int a, int b, int c) {
    for (const int v : {a, b, c}) mesh.face.push_back(static_cast<std::uint32_t>(v));
  };
  for (int r = 0; r + 1 < nrow; ++r)
    for (int c = 0; c + 1 < ncol; ++c) {
      const int a = r * ncol + c, b = a + 1, d = a + ncol, e = d + 1;
      triangle(a, b, e);
      triangle(a, e, d);
    }
  // the rim, counterclockwise from above, then walls down to the base and the floor
  std::vector<int> rim;
  for (int c = 0; c + 1 < ncol; ++c) rim.push_back(c);
  for (int r = 0; r + 1 < nrow; ++r) rim.push_back(r * ncol + ncol - 1);
  for (int c = ncol - 1; c > 0; --c) rim.push_back((nrow - 1) * ncol + c);
  for (int r = nrow - 1; r > 0; --r) rim.push_back(r * ncol);
  const int first = nrow * ncol, n = static_cast<int>(rim.size());
  for (const int v : rim) {
    const float x = mesh.vert[static_cast<std::size_t>(3 * v)], y = mesh.vert[static_cast<std::size_t>(3 * v + 1)];
    mesh.vert.insert(mesh.vert.end(), {x, y, static_cast<float>(-size[3])});
  }
  for (int k = 0; k < n; ++k) {
    const int next = (k + 1) % n;
    triangle(rim[static_cast<std::size_t>(k)], first + k, first + next);
    triangle(rim[static_cast<std::size_t>(k)], first + next, rim[static_cast<std::size_t>(next)]);
  }
  const int corner = first, x = first + ncol - 1, xy = x + nrow - 1, y = xy + ncol - 1;
  triangle(corner, y, xy);
  triangle(corner, xy, x);
  mesh.commit(device.get(), false);
}

}  // namespace sinew::render
