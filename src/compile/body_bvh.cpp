#include <algorithm>
#include <span>

#include "base/pool.h"
#include "compile/assemble.h"
#include "compile/flex.h"
#include "geometry/bvh.h"
#include "math/rigid.h"

namespace sinew::compiling {
namespace {

/// The box of a geom in the inertial frame of its body.
BvhElement element_of(const Model& m, int body, int geom) {
  const Vec ipos = Vec::load(&m.body_ipos[3 * body]);
  const Quat4 to_inertial = conjugate(Quat4::load(&m.body_iquat[4 * body]));
  const Vec pos = Vec::load(&m.geom_pos[3 * geom]);
  const Quat4 quat = Quat4::load(&m.geom_quat[4 * geom]);
  const Vec center = Vec::load(&m.geom_aabb[6 * geom]), half = Vec::load(&m.geom_aabb[6 * geom + 3]);
  BvhElement out;
  out.id = geom;
  out.key = rotate(to_inertial, pos - ipos);
  for (int corner = 0; corner < 8; ++corner) {
    const Vec local = {corner & 1 ? center.x + half.x : center.x - half.x,
                       corner & 2 ? center.y + half.y : center.y - half.y,
                       corner & 4 ? center.z + half.z : center.z - half.z};
    const Vec at = rotate(to_inertial, rotate(quat, local) + pos - ipos);
    for (int k = 0; k < 3; ++k) {
      out.lo[k] = corner == 0 ? at[k] : std::min(out.lo[k], at[k]);
      out.hi[k] = corner == 0 ? at[k] : std::max(out.hi[k], at[k]);
    }
  }
  return out;
}

/// The place in the model of the nodes starting at `at`.
BvhRoom room_at(const BvhRoom& first, std::int64_t at) {
  return {first.box + 6 * at, first.child + 2 * at, first.element + at, first.depth + at};
}
BvhRoom all_nodes(Model& m) {
  return {m.bvh_aabb.edit().data(), m.bvh_child.edit().data(), m.bvh_nodeid.edit().data(), m.bvh_depth.edit().data()};
}

void put_tree(const BvhRoom& out, const Bvh& tree) {
  const auto put = [](auto* field, const auto& rows) {
    if constexpr (requires { rows[0].data(); }) {
      std::copy_n(rows[0].data(), rows.size() * rows[0].size(), field);
    } else {
      std::copy(rows.begin(), rows.end(), field);
    }
  };
  if (tree.box.empty()) return;
  put(out.depth, tree.depth);
  put(out.child, tree.child);
  put(out.element, tree.element);
  put(out.box, tree.box);
}

/// Appends this many nodes and returns the index of the first one.
std::int64_t add_nodes(Model& m, std::size_t count) {
  const std::int64_t first = m.nbvh;
  m.nbvh += static_cast<std::int64_t>(count);
  m.nbvhstatic = m.nbvh;
  return first;
}

void resize_nodes(Model& m) {
  m.bvh_depth.resize(m.nbvh);
  m.bvh_child.resize(2 * m.nbvh);
  m.bvh_nodeid.resize(m.nbvh);
  m.bvh_aabb.resize(6 * m.nbvh);
}

}  // namespace

void append_mesh_trees(Context& context, Model& m) {
  for (int i = 0; i < m.nmesh; ++i) {
    const std::size_t nodes = bvh_size(static_cast<std::size_t>(m.mesh_facenum[i]));
    const std::int64_t first = add_nodes(m, nodes);
    m.mesh_bvhadr[i] = nodes == 0 ? -1 : static_cast<int>(first);
    m.mesh_bvhnum[i] = static_cast<int>(nodes);
  }
  resize_nodes(m);
  const BvhRoom nodes = all_nodes(m);
  for_each_index(static_cast<int>(context.meshes.size()), context.workers, [&](int, int i) {
    const int at = m.mesh_bvhadr[i];
    CompiledMesh& mesh = context.meshes[i].mesh;
    if (at < 0) return;
    if (mesh.tree.box.empty()) {
      const auto face = std::span(m.mesh_face).subspan(3 * m.mesh_faceadr[i], 3 * m.mesh_facenum[i]);
      build_bvh(triangle_boxes(mesh.vertex, face), room_at(nodes, at));
    } else {
      put_tree(room_at(nodes, at), mesh.tree);
    }
    mesh = {};
  });
}

void append_flex_trees(const Context& context, Model& m) {
  m.nbvhstatic = m.nbvh;
  for (int f = 0; f < m.nflex; ++f) {
    const Bvh& tree = context.flexes[f].tree;
    m.flex_bvhadr[f] = tree.box.empty() ? -1 : static_cast<int>(m.nbvh);
    m.flex_bvhnum[f] = static_cast<int>(tree.box.size());
    m.nbvh += static_cast<std::int64_t>(tree.box.size());
  }
  m.nbvhdynamic = m.nbvh - m.nbvhstatic;
  m.bvh_depth.resize(m.nbvh);
  m.bvh_child.resize(2 * m.nbvh);
  m.bvh_nodeid.resize(m.nbvh);
  for (int f = 0; f < m.nflex; ++f) {
    const Bvh& tree = context.flexes[f].tree;
    const std::int64_t first = m.flex_bvhadr[f];
    if (first < 0) continue;
    std::copy(tree.depth.begin(), tree.depth.end(), m.bvh_depth.edit().begin() + first);
    std::copy(tree.element.begin(), tree.element.end(), m.bvh_nodeid.edit().begin() + first);
    std::copy_n(tree.child[0].data(), 2 * tree.child.size(), m.bvh_child.edit().begin() + 2 * first);
  }
}

void build_body_trees(Model& m) {
  m.nbvh = m.nbvhstatic = 0;
  for (auto* field : {&m.bvh_depth, &m.bvh_child, &m.bvh_nodeid}) field->clear();
  m.bvh_aabb.clear();
  for (int b = 0; b < m.nbody; ++b) {
    std::vector<BvhElement> elements;
    for (int n = 0; n < m.body_geomnum[b]; ++n) {
      const int g = m.body_geomadr[b] + n;
      m.body_contype[b] |= m.geom_contype[g];
      m.body_conaffinity[b] |= m.geom_conaffinity[g];
      m.body_margin[b] = std::max(m.body_margin[b], m.geom_margin[g] + m.geom_gap[g]);
      if (m.geom_contype[g] || m.geom_conaffinity[g]) elements.push_back(element_of(m, b, g));
    }
    const std::size_t nodes = bvh_size(elements.size());
    const std::int64_t first = add_nodes(m, nodes);
    m.body_bvhadr[b] = nodes == 0 ? -1 : static_cast<int>(first);
    m.body_bvhnum[b] = static_cast<int>(nodes);
    resize_nodes(m);
    put_tree(room_at(all_nodes(m), first), build_bvh(std::move(elements)));
  }
}

}  // namespace sinew::compiling
