#include <algorithm>
#include <cmath>

#include "dynamics/flex_grid.h"
#include "scene/emitter.h"
#include "sim/ready.h"

// Flexes: one geom each, and the triangles that are drawn for it.

namespace sinew {
namespace {

using FVec = Vec3<float>;

std::size_t at(int i) { return static_cast<std::size_t>(i); }

FVec unit(FVec v) {
  const float n = norm(v);
  return n > 0 ? v * (1 / n) : FVec();
}

/// The triangles of one flex.
class FlexSurface {
 public:
  FlexSurface(const Model& model, SceneFlexes& out, int flex)
      : m_(model),
        out_(out),
        flex_(flex),
        dim_(model.flex_dim[flex]),
        radius_(static_cast<float>(model.flex_radius[flex])),
        flat_(model.flex_flatskin[flex] != 0) {}

  /// Every face of every element, moved outwards by the radius.
  void add_faces(int layer) {
    constexpr int kTriangle[2][3] = {{0, 1, 2}, {0, 2, 1}};
    constexpr int kTetrahedron[4][3] = {{0, 1, 2}, {0, 2, 3}, {0, 3, 1}, {1, 3, 2}};
    for (int e = 0; e < m_.flex_elemnum[flex_]; ++e) {
      if (dim_ == 3 && m_.flex_elemlayer[m_.flex_elemadr[flex_] + e] != layer) continue;
      for (int f = 0; f < (dim_ == 2 ? 2 : 4); ++f) {
        const int* corner = dim_ == 2 ? kTriangle[f] : kTetrahedron[f];
        const Corners v = {element(e, corner[0]), element(e, corner[1]), element(e, corner[2])};
        const FVec n = normal_of(v);
        begin();
        for (int k = 0; k < 3; ++k) add(position(v[at(k)]) + n * radius_, n, texture_of_element(e, corner[k]));
      }
    }
  }

  /// The surface with rounded normals: both sides and the rim of a cloth, the outside of a solid.
  void add_skin() {
    normals_.assign(at(m_.flex_vertnum[flex_]), FVec());
    const int pieces = dim_ == 2 ? m_.flex_elemnum[flex_] : m_.flex_shellnum[flex_];
    for (int i = 0; i < pieces; ++i) {
      const Corners v = piece(i);
      const FVec n = normal_of(v);
      for (const int k : v) normals_[at(k)] += n;
    }
    for (FVec& n : normals_) n = unit(n);
    for (int i = 0; i < pieces; ++i) {
      const Corners v = piece(i);
      add_side(i, v, {0, 1, 2}, 1);
      if (dim_ == 2) add_side(i, v, {0, 2, 1}, -1);
    }
    if (dim_ != 2) return;
    for (int i = 0; i < m_.flex_shellnum[flex_]; ++i) {
      const int* edge = &m_.flex_shell[m_.flex_shelldataadr[flex_] + 2 * i];
      add_rim(edge[0], edge[1], 1);
      add_rim(edge[1], edge[0], -1);
    }
  }

  int used() const { return used_; }

 private:
  using Corners = std::array<int, 3>;

  int element(int e, int k) const { return m_.flex_elem[m_.flex_elemdataadr[flex_] + (dim_ + 1) * e + k]; }
  /// Corners of a triangle of a cloth, or of the shell of a solid.
  Corners piece(int i) const {
    if (dim_ == 2) return {element(i, 0), element(i, 1), element(i, 2)};
    const int* v = &m_.flex_shell[m_.flex_shelldataadr[flex_] + 3 * i];
    return {v[0], v[1], v[2]};
  }
  FVec position(int vertex) const { return FVec::load(&out_.vert[3 * at(out_.vertadr[at(flex_)] + vertex)]); }
  FVec normal_of(const Corners& v) const {
    const FVec a = position(v[0]);
    return unit(cross(position(v[1]) - a, position(v[2]) - a));
  }
  /// Index of a texture coordinate, -1: none.
  int texture_of_element(int e, int k) const {
    const int first = m_.flex_texcoordadr[flex_];
    return first < 0 ? -1 : first + m_.flex_elemtexcoord[m_.flex_elemdataadr[flex_] + (dim_ + 1) * e + k];
  }
  int texture_of_vertex(int vertex) const {
    const int first = m_.flex_texcoordadr[flex_];
    return first < 0 ? -1 : first + vertex;
  }

  void begin() {
    face_ = at(out_.faceadr[at(flex_)] + used_++);
    corner_ = 0;
  }
  void add(const FVec& position, const FVec& normal, int texture) {
    position.store(&out_.face[9 * face_ + 3 * corner_]);
    normal.store(&out_.normal[9 * face_ + 3 * corner_]);
    for (std::size_t k = 0; k < 2; ++k)
      out_.texcoord[6 * face_ + 2 * corner_ + k] =
          texture >= 0 && 2 * at(texture) + k < m_.flex_texcoord.size() ? m_.flex_texcoord[2 * at(texture) + k] : 0.f;
    ++corner_;
  }
  void add_side(int i, const Corners& v, const Corners& order, float side) {
    const FVec face = normal_of(v);
    begin();
    for (const int k : order) {
      const FVec n = normals_[at(v[at(k)])];
      add(position(v[at(k)]) + n * (side * radius_), (flat_ ? face : n) * side,
          dim_ == 2 ? texture_of_element(i, k) : texture_of_vertex(v[at(k)]));
    }
  }
  /// Half of the strip between the two sides along an edge of the boundary.
  void add_rim(int a, int b, float side) {
    const float r = side * radius_;
    const FVec n = unit(cross(position(b) - position(a), normals_[at(b)])) * side;
    begin();
    add(position(a) + normals_[at(a)] * r, n, texture_of_vertex(a));
    add(position(b) - normals_[at(b)] * r, n, texture_of_vertex(b));
    add(position(b) + normals_[at(b)] * r, n, texture_of_vertex(b));
  }

  const Model& m_;
  SceneFlexes& out_;
  int flex_, dim_;
  float radius_;
  bool flat_;
  std::vector<FVec> normals_;
  int used_ = 0;
  std::size_t face_ = 0, corner_ = 0;
};

/// Faces that are reserved for a flex.
int face_count(const Model& m, int flex) {
  const int shells = m.flex_shellnum[flex], elements = m.flex_elemnum[flex];
  if (m.flex_dim[flex] == 2) return 2 * shells + 2 * elements;
  std::vector<int> layers;
  for (int e = 0; e < elements; ++e) {
    const int layer = std::max(0, m.flex_elemlayer[m.flex_elemadr[flex] + e]);
    if (at(layer) >= layers.size()) layers.resize(at(layer) + 1);
    ++layers[at(layer)];
  }
  return std::max(shells, layers.empty() ? 0 : 4 * *std::ranges::max_element(layers));
}

}  // namespace

void scene::emit_flexes(Emitter& e) {
  const Model& m = e.m;
  for (int i = 0; i < m.nflex; ++i) {
    if (!Emitter::group_on(e.option.flexgroup, m.flex_group[i]) || m.flex_vertnum[i] < 1) continue;
    SceneGeom& g = e.begin(ObjType::Flex, i, kSceneDynamic);
    e.shape(kSceneFlex, {m.flex_radius[i], 0.1, 0.1}, vec_at(e.d.flexvert_xpos.data(), m.flex_vertadr[i]),
            Matrix::identity(), {});
    e.material(m.flex_matid[i], &m.flex_rgba[4 * i]);
    if (e.on(kVisIsland)) {
      const bool nodes = m.flex_interp[i] != 0;
      const int first = nodes ? m.flex_nodeadr[i] : m.flex_vertadr[i];
      const int count = nodes ? m.flex_nodenum[i] : m.flex_vertnum[i];
      for (int k = first; k < first + count; ++k) {
        const int body = nodes ? m.flex_nodebodyid[k] : m.flex_vertbodyid[k];
        if (body < 0 || m.body_treeid[body] < 0) continue;
        g.matid = -1;
        e.color(e.body_island_color(body));
        break;
      }
    }
    if (m.flex_texcoordadr[i] >= 0)
      g.texcoord = 1;
    else
      g.matid = -1;
    if (e.perturb && e.perturb->flexselect == i) e.glow();
    if (g.rgba[3] == 0) continue;
    e.label(kLabelFlex, ObjType::Flex, i);
    e.finish();
  }
}

namespace {

/// Lines between neighbouring nodes of an interpolated flex that can move.
void emit_grid(scene::Emitter& e, int flex) {
  const Model& m = e.m;
  const FlexGrid grid(m, flex);
  if (grid.size() != m.flex_nodenum[flex]) return;
  const auto body = [&](int node) { return m.flex_nodebodyid[grid.first + node]; };
  const auto place = [&](int node) {
    return scene::vec_at(e.d.xpos.data(), body(node)) +
           scene::mat_at(e.d.xmat.data(), body(node)) * scene::vec_at(m.flex_node.data(), grid.first + node);
  };
  for (int i = 0; i < grid.nodes[0]; ++i)
    for (int j = 0; j < grid.nodes[1]; ++j)
      for (int k = 0; k < grid.nodes[2]; ++k) {
        const auto shown = [&](int a, int b, int c) {
          return a < grid.nodes[0] && b < grid.nodes[1] && c < grid.nodes[2] && !grid.follows(a, b, c) &&
                 m.body_jntnum[body(grid.node(a, b, c))] > 0;
        };
        if (!shown(i, j, k)) continue;
        const scene::Vec from = place(grid.node(i, j, k));
        for (int axis = 0; axis < 3; ++axis) {
          const int to[3] = {i + (axis == 0), j + (axis == 1), k + (axis == 2)};
          if (shown(to[0], to[1], to[2]))
            e.line(ObjType::Unknown, i, from, place(grid.node(to[0], to[1], to[2])), {0.5f, 0.5f, 0.5f, 1});
        }
      }
}

}  // namespace

void scene::emit_flex_volumes(Emitter& e) {
  const Model& m = e.m;
  for (int i = 0; i < m.nflex; ++i) {
    if (!Emitter::group_on(e.option.flexgroup, m.flex_group[i]) || m.flex_bvhadr[i] < 0) continue;
    const int first = m.flex_bvhadr[i];
    for (int node = first; node < first + m.flex_bvhnum[i]; ++node) {
      const int depth = m.bvh_depth[node];
      const bool shown = depth == e.option.bvh_depth || (m.bvh_nodeid[node] >= 0 && depth < e.option.bvh_depth);
      if (shown)
        e.line_box(node, &e.d.bvh_aabb_dyn[6 * (at(node) - static_cast<std::size_t>(m.nbvhstatic))], {},
                   Matrix::identity(), m.vis.rgba.bv);
    }
    if (m.flex_interp[i] != 0) emit_grid(e, i);
  }
}

Status update_flexes(const Model& m, const Data& d, const SceneOption& option, Scene& list) {
  if (const Status status = ready(m, d); !status) return status;
  SceneFlexes& out = list.flex;
  const bool faces = option.flags[kVisFlexFace] != 0, skin = option.flags[kVisFlexSkin] != 0;
  out.vertopt = option.flags[kVisFlexVert];
  out.edgeopt = option.flags[kVisFlexEdge];
  out.faceopt = option.flags[kVisFlexFace];
  out.skinopt = option.flags[kVisFlexSkin];
  if (out.size() != at(m.nflex)) {
    int total = 0;
    for (auto* list_of : {&out.edgeadr, &out.edgenum, &out.vertadr, &out.vertnum, &out.faceadr, &out.facenum})
      list_of->clear();
    for (int i = 0; i < m.nflex; ++i) {
      out.edgeadr.push_back(m.flex_edgeadr[i]);
      out.edgenum.push_back(m.flex_edgenum[i]);
      out.vertadr.push_back(m.flex_vertadr[i]);
      out.vertnum.push_back(m.flex_vertnum[i]);
      out.faceadr.push_back(total);
      out.facenum.push_back(face_count(m, i));
      total += out.facenum.back();
    }
    out.faceused.assign(at(m.nflex), 0);
    out.edge.assign(m.flex_edge.begin(), m.flex_edge.end());
    out.vert.resize(d.flexvert_xpos.size());
    out.face.resize(9 * at(total));
    out.normal.resize(9 * at(total));
    out.texcoord.resize(6 * at(total));
  }
  std::ranges::transform(d.flexvert_xpos, out.vert.begin(), [](double x) { return static_cast<float>(x); });
  for (int i = 0; i < m.nflex; ++i) {
    FlexSurface surface(m, out, i);
    if (m.flex_dim[i] > 1 && skin)
      surface.add_skin();
    else if (m.flex_dim[i] > 1 && faces)
      surface.add_faces(option.flex_layer);
    out.faceused[at(i)] = surface.used();
  }
  return {};
}

}  // namespace sinew
