#include "scene/emitter.h"

// Bounding volumes: trees of the bodies and meshes, octrees.

namespace sinew::scene {
namespace {

/// Nodes at the chosen depth, and leaves above it.
bool shows_node(const Emitter& e, int node) {
  const int depth = e.m.bvh_depth[node];
  return depth == e.option.bvh_depth || (e.m.bvh_nodeid[node] >= 0 && depth < e.option.bvh_depth);
}

}  // namespace

void emit_body_volumes(Emitter& e) {
  const Model& m = e.m;
  for (int body = 0; body < m.nbody; ++body) {
    const int first = m.body_bvhadr[body];
    for (int node = first; node >= 0 && node < first + m.body_bvhnum[body]; ++node) {
      if (!shows_node(e, node)) continue;
      if (const int geom = m.bvh_nodeid[node]; geom >= 0)
        e.line_box(node, &m.geom_aabb[6 * static_cast<std::size_t>(geom)], vec_at(e.d.geom_xpos.data(), geom),
                   mat_at(e.d.geom_xmat.data(), geom), m.vis.rgba.bv);
      else
        e.line_box(node, &m.bvh_aabb[6 * static_cast<std::size_t>(node)], vec_at(e.d.xipos.data(), body),
                   mat_at(e.d.ximat.data(), body), m.vis.rgba.bv);
    }
  }
}

void emit_mesh_volumes(Emitter& e) {
  const Model& m = e.m;
  for (int i = 0; i < m.ngeom; ++i) {
    const auto type = static_cast<GeomType>(m.geom_type[i]);  // a primitive that was fitted to a mesh keeps it
    const int mesh = type == GeomType::Sdf || type == GeomType::Hfield ? -1 : m.geom_dataid[i];
    if (mesh < 0 || m.mesh_octadr[mesh] >= 0) continue;
    const int first = m.mesh_bvhadr[mesh];
    for (int node = first; node >= 0 && node < first + m.mesh_bvhnum[mesh]; ++node)
      if (shows_node(e, node))
        e.line_box(node, &m.bvh_aabb[6 * static_cast<std::size_t>(node)], vec_at(e.d.geom_xpos.data(), i),
                   mat_at(e.d.geom_xmat.data(), i), m.vis.rgba.bv);
  }
}

void emit_octrees(Emitter& e) {
  const Model& m = e.m;
  for (int i = 0; i < m.ngeom; ++i) {
    const auto type = static_cast<GeomType>(m.geom_type[i]);
    const int mesh = type == GeomType::Mesh || type == GeomType::Sdf ? m.geom_dataid[i] : -1;
    if (mesh < 0 || m.mesh_octadr[mesh] < 0) continue;
    for (int node = m.mesh_octadr[mesh]; node < m.mesh_octadr[mesh] + m.mesh_octnum[mesh]; ++node)
      if (m.oct_depth[node] == e.option.bvh_depth)
        e.line_box(node, &m.oct_aabb[6 * static_cast<std::size_t>(node)], vec_at(e.d.geom_xpos.data(), i),
                   mat_at(e.d.geom_xmat.data(), i), m.vis.rgba.bv);
  }
}

}  // namespace sinew::scene
