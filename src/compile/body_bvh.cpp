#include <algorithm>

#include "base/parallel.h"
#include "compile/assemble.h"
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
  const Vec centre = Vec::load(&m.geom_aabb[6 * geom]), half = Vec::load(&m.geom_aabb[6 * geom + 3]);
  BvhElement out;
  out.id = geom;
  out.key = rotate(to_inertial, pos - ipos);
  for (int corner = 0; corner < 8; ++corner) {
    const Vec local = {corner & 1 ? centre.x + half.x : centre.x - half.x,
                       corner & 2 ? centre.y + half.y : centre.y - half.y,
                       corner & 4 ? centre.z + half.z : centre.z - half.z};
    const Vec at = rotate(to_inertial, rotate(quat, local) + pos - ipos);
    for (int k = 0; k < 3; ++k) {
      out.lo[k] = corner == 0 ? at[k] : std::min(out.lo[k], at[k]);
      out.hi[k] = corner == 0 ? at[k] : std::max(out.hi[k], at[k]);
    }
  }
  return out;
}

void append(Model& m, const Bvh& tree) {
  const auto add = [](auto& field, const auto& rows) {
    if (rows.empty()) return;
    if constexpr (requires { rows[0].data(); }) {
      field.insert(field.end(), rows[0].data(), rows[0].data() + rows.size() * rows[0].size());
    } else {
      field.insert(field.end(), rows.begin(), rows.end());
    }
  };
  add(m.bvh_depth, tree.depth);
  add(m.bvh_child, tree.child);
  add(m.bvh_nodeid, tree.element);
  add(m.bvh_aabb, tree.box);
  m.nbvh += static_cast<std::int64_t>(tree.box.size());
  m.nbvhstatic = m.nbvh;
}

}  // namespace

void append_mesh_trees(const Context& context, Model& m) {
  for (int i = 0; i < m.nmesh; ++i) {
    const std::size_t nodes = bvh_size(context.meshes[i].mesh.face.size() / 3);
    m.mesh_bvhadr[i] = nodes == 0 ? -1 : static_cast<int>(m.nbvh);
    m.mesh_bvhnum[i] = static_cast<int>(nodes);
    m.nbvh += static_cast<std::int64_t>(nodes);
  }
  m.nbvhstatic = m.nbvh;
  m.bvh_depth.resize(m.nbvh);
  m.bvh_child.resize(2 * m.nbvh);
  m.bvh_nodeid.resize(m.nbvh);
  m.bvh_aabb.resize(6 * m.nbvh);
  for_each_index(context.meshes.size(), context.workers(), [&](std::size_t, std::size_t i) {
    const int at = m.mesh_bvhadr[i];
    if (at < 0) return;
    build_bvh(triangle_boxes(context.meshes[i].mesh),
              {&m.bvh_aabb[6 * at], &m.bvh_child[2 * at], &m.bvh_nodeid[at], &m.bvh_depth[at]});
  });
}

void build_body_trees(Model& m) {
  m.nbvh = m.nbvhstatic = 0;
  for (auto* field : {&m.bvh_depth, &m.bvh_child, &m.bvh_nodeid}) field->clear();
  m.bvh_aabb.clear();
  for (int b = 0; b < m.nbody; ++b) {
    std::vector<BvhElement> elements;
    m.body_margin[b] = 0;
    for (int n = 0; n < m.body_geomnum[b]; ++n) {
      const int g = m.body_geomadr[b] + n;
      m.body_contype[b] |= m.geom_contype[g];
      m.body_conaffinity[b] |= m.geom_conaffinity[g];
      m.body_margin[b] = std::max(m.body_margin[b], m.geom_margin[g] + m.geom_gap[g]);
      if (m.geom_contype[g] || m.geom_conaffinity[g]) elements.push_back(element_of(m, b, g));
    }
    m.body_bvhadr[b] = elements.empty() ? -1 : static_cast<int>(m.nbvh);
    const Bvh tree = build_bvh(std::move(elements));
    m.body_bvhnum[b] = static_cast<int>(tree.box.size());
    append(m, tree);
  }
}

}  // namespace sinew::compiling
