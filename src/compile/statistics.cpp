#include "compile/statistics.h"

#include <algorithm>

#include "math/vec3.h"
#include "model/joint_kinds.h"
#include "sinew/data.h"

namespace sinew {
namespace {

using Point = Vec3<double>;

constexpr double kSmallest = 1e-5;  // m, lower bound of every length here

/// The axis-aligned box around all added points.
struct Box {
  Point low{1e10, 1e10, 1e10};
  Point high{-1e10, -1e10, -1e10};

  void add(const Point& p, double radius = 0) {
    for (int k = 0; k < 3; ++k) {
      low[k] = std::min(low[k], p[k] - radius);
      high[k] = std::max(high[k], p[k] + radius);
    }
  }
};

/// Extent of a geom; a plane is unbounded, so a tenth of its drawn size is used.
double reach(const Model& m, int geom) {
  if (static_cast<GeomType>(m.geom_type[geom]) != GeomType::Plane) return m.geom_rbound[geom];
  const double drawn = std::max(m.geom_size[3 * geom], m.geom_size[3 * geom + 1]);
  return drawn != 0 ? 0.1 * drawn : 0.01;
}

Box bounding_box(const Model& m, const Data& d) {
  Box box;
  for (int b = 1; b < m.nbody; ++b) {
    box.add(Point::load(&d.xpos[3 * b]));
    box.add(Point::load(&d.xipos[3 * b]));
  }
  for (int j = 0; j < m.njnt; ++j) box.add(Point::load(&d.xanchor[3 * j]));
  for (int s = 0; s < m.nsite; ++s) box.add(Point::load(&d.site_xpos[3 * s]));
  for (int g = 0; g < m.ngeom; ++g) box.add(Point::load(&d.geom_xpos[3 * g]), reach(m, g));
  return box;
}

/// Distance from each body's center of mass to the farthest of its geoms and of the joints at either end of it.
std::vector<double> body_sizes(const Model& m, const Data& d) {
  std::vector<double> size(static_cast<std::size_t>(m.nbody), 0.0);
  const auto distance = [&](int body, const auto& points, int i) {
    return norm(Point::load(&d.xipos[3 * body]) - Point::load(&points[3 * i]));
  };
  for (int j = 0; j < m.njnt; ++j) {
    const int body = m.jnt_bodyid[j], parent = m.body_parentid[body];
    size[body] = std::max(size[body], distance(body, d.xanchor, j));
    size[parent] = std::max(size[parent], distance(parent, d.xanchor, j));
  }
  for (int g = 0; g < m.ngeom; ++g) {
    const int body = m.geom_bodyid[g];
    if (m.geom_rbound[g] > 0) size[body] = std::max(size[body], m.geom_rbound[g] + distance(body, d.geom_xpos, g));
  }
  const auto reach_to = [&](int body, double length) { size[body] = std::max(size[body], length); };
  for (int f = 0; f < m.nflex; ++f) {
    const bool interpolated = m.flex_interp[f] != 0;
    for (int e = m.flex_edgeadr[f]; e < m.flex_edgeadr[f] + m.flex_edgenum[f] && !interpolated; ++e)
      for (int k = 0; k < 2; ++k)
        reach_to(m.flex_vertbodyid[m.flex_vertadr[f] + m.flex_edge[2 * e + k]], m.flexedge_length0[e]);
    const int *node = m.flex_nodebodyid.data() + std::max(m.flex_nodeadr[f], 0), *end = node + m.flex_nodenum[f];
    for (const int* a = node; a < end; ++a)
      for (const int* b = node; b < a; ++b) {
        const double length = norm(Point::load(&d.xpos[3 * *a]) - Point::load(&d.xpos[3 * *b]));
        reach_to(*a, length);
        reach_to(*b, length);
      }
  }
  for (double& s : size) s = std::max(s, kSmallest);
  return size;
}

bool is_translation(const Model& m, int dof) {
  const int jnt = m.dof_jntid[dof];
  return dof < m.jnt_dofadr[jnt] + joint_kind(m, jnt).translations;
}

}  // namespace

void set_statistics(Model& m, const Data& d) {
  m.stat = Statistic{};
  const Box box = bounding_box(m, d);
  const Point side = box.high - box.low;
  for (int k = 0; k < 3; ++k) m.stat.center[k] = (box.low[k] + box.high[k]) / 2;
  if (side.x > 0) m.stat.extent = std::max({kSmallest, side.x, side.y, side.z});

  const std::vector<double> size = body_sizes(m, d);
  if (m.nbody > 1) {
    const double count = static_cast<double>(m.nbody - 1);
    m.stat.meansize = 0;
    m.stat.meanmass = 0;
    for (int b = 1; b < m.nbody; ++b) {
      m.stat.meansize += size[b] / count;
      m.stat.meanmass += m.body_mass[b];
    }
    m.stat.meanmass /= count;
  }
  m.stat.extent = std::max(m.stat.extent, 2 * m.stat.meansize);

  if (m.nv > 0) {
    m.stat.meaninertia = 0;
    for (int i = 0; i < m.nv; ++i) m.stat.meaninertia += d.M[m.M_rowadr[i] + m.M_rownnz[i] - 1];
    m.stat.meaninertia /= static_cast<double>(m.nv);
  }
  for (int i = 0; i < m.nv; ++i) m.dof_length[i] = is_translation(m, i) ? 1 : size[m.dof_bodyid[i]];
}

}  // namespace sinew
