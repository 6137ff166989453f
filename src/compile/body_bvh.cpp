#include <algorithm>

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
  for (std::size_t i = 0; i < tree.box.size(); ++i) {
    m.bvh_depth.push_back(tree.depth[i]);
    m.bvh_child.insert(m.bvh_child.end(), tree.child[i].begin(), tree.child[i].end());
    m.bvh_nodeid.push_back(tree.element[i]);
    m.bvh_aabb.insert(m.bvh_aabb.end(), tree.box[i].begin(), tree.box[i].end());
  }
  m.nbvh += static_cast<std::int64_t>(tree.box.size());
  m.nbvhstatic = m.nbvh;
}

}  // namespace

void append_mesh_trees(const Context& context, Model& m) {
  for (int i = 0; i < m.nmesh; ++i) {
    const Bvh& tree = context.meshes[i].mesh.bvh;
    m.mesh_bvhadr[i] = tree.box.empty() ? -1 : static_cast<int>(m.nbvh);
    m.mesh_bvhnum[i] = static_cast<int>(tree.box.size());
    append(m, tree);
  }
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
