#include "dynamics/flex.h"

#include <algorithm>

#include "base/arena.h"
#include "dynamics/flex_grid.h"
#include "dynamics/jacobian.h"

namespace sinew {
namespace {

using Vector = Vec3<double>;

void place_vertices(const Model& m, Data& d, int f) {
  const int begin = m.flex_vertadr[f], end = begin + m.flex_vertnum[f];
  if (m.flex_interp[f] == 0) {
    for (int v = begin; v < end; ++v) {
      const int body = m.flex_vertbodyid[v];
      const Vector local = Vector::load(&m.flex_vert[3 * v]);
      (Vector::load(&d.xpos[3 * body]) + Mat3<double>::load(&d.xmat[9 * body]) * local).store(&d.flexvert_xpos[3 * v]);
    }
    return;
  }
  const FlexGrid grid(m, f);
  Scratch scratch(d.scratch());
  Vector* nodes = scratch.take<Vector>(grid.size());
  for (int n = 0; n < grid.size(); ++n) nodes[n] = node_position(m, d, grid.first + n);
  grid.fill_inside(nodes);
  for (int v = begin; v < end; ++v) {
    Vector x;
    grid.for_each_support(&m.flex_vert0[3 * v], [&](int node, double weight) { x += nodes[node] * weight; });
    x.store(&d.flexvert_xpos[3 * v]);
  }
}

void bound_elements(const Model& m, Data& d, int f) {
  const int corners = m.flex_dim[f] + 1;
  const double* vertices = &d.flexvert_xpos[3 * m.flex_vertadr[f]];
  const int* elem = &m.flex_elem[m.flex_elemdataadr[f]];
  for (int e = 0; e < m.flex_elemnum[f]; ++e, elem += corners) {
    double* box = &d.flexelem_aabb[6 * (m.flex_elemadr[f] + e)];
    for (int k = 0; k < 3; ++k) {
      double lower = vertices[3 * elem[0] + k], upper = lower;
      for (int c = 1; c < corners; ++c) {
        lower = std::min(lower, vertices[3 * elem[c] + k]);
        upper = std::max(upper, vertices[3 * elem[c] + k]);
      }
      box[k] = 0.5 * (lower + upper);
      box[3 + k] = 0.5 * (upper - lower) + m.flex_radius[f];
    }
  }
}

/// Boxes of the tree from those of its leaves; a node precedes the nodes below it.
void bound_tree(const Model& m, Data& d, int f) {
  const int first = m.flex_bvhadr[f];
  if (first < 0) return;
  double* boxes = &d.bvh_aabb_dyn[6 * (first - m.nbvhstatic)];
  for (int n = m.flex_bvhnum[f] - 1; n >= 0; --n) {
    double* box = boxes + 6 * n;
    const int leaf = m.bvh_nodeid[first + n];
    if (leaf >= 0) {
      std::copy_n(&d.flexelem_aabb[6 * (m.flex_elemadr[f] + leaf)], 6, box);
      continue;
    }
    const double *a = boxes + 6 * m.bvh_child[2 * (first + n)], *b = boxes + 6 * m.bvh_child[2 * (first + n) + 1];
    for (int k = 0; k < 3; ++k) {
      const double lower = std::min(a[k] - a[3 + k], b[k] - b[3 + k]);
      const double upper = std::max(a[k] + a[3 + k], b[k] + b[3 + k]);
      box[k] = 0.5 * (lower + upper);
      box[3 + k] = 0.5 * (upper - lower);
    }
  }
}

/// An edge from vertex 1 to 2 as points of two bodies.
struct Edge {
  int body[2];
  Vector point[2];

  Edge(const Model& m, const Data& d, int f, int edge) {
    for (int k = 0; k < 2; ++k) {
      const int v = m.flex_vertadr[f] + m.flex_edge[2 * edge + k];
      body[k] = m.flex_vertbodyid[v];
      point[k] = Vector::load(&d.flexvert_xpos[3 * v]);
    }
  }
  Vector along() const { return point[1] - point[0]; }
  /// visit(dof, column of J_2 - J_1), descending
  template <class Visit>
  void for_each_column(const Model& m, const Data& d, Visit&& visit) const {
    const Vector offset[2] = {from_reference(m, d, point[0], body[0]), from_reference(m, d, point[1], body[1])};
    for_each_dof_of_either(m, body[0], body[1], [&](int dof, bool moves1, bool moves2) {
      Vector column;
      if (moves2) column += jacp_column(d, dof, offset[1]);
      if (moves1) column -= jacp_column(d, dof, offset[0]);
      visit(dof, column);
    });
  }
};

void measure_edges(const Model& m, Data& d, int f) {
  if (m.flex_rigid[f] || m.flex_interp[f] != 0) return;
  const bool with_jacobian = uses_edges(m, f);
  for (int e = m.flex_edgeadr[f]; e < m.flex_edgeadr[f] + m.flex_edgenum[f]; ++e) {
    const Edge edge(m, d, f, e);
    Vector u = edge.along();
    d.flexedge_length[e] = normalize(u);
    if (!with_jacobian || m.flexedge_J_rownnz[e] == 0) continue;  // without room if it was switched on by an edit
    double* J = d.flexedge_J.data() + m.flexedge_J_rowadr[e] + m.flexedge_J_rownnz[e];
    edge.for_each_column(m, d, [&](int, const Vector& column) { *--J = dot(u, column); });
  }
}

/// Two columns of a 3 x 2 matrix.
struct Gradient {
  Vector x, y;
  /// this times a 2 x 2 matrix, row-major
  Gradient operator*(const double* b) const { return {x * b[0] + y * b[2], x * b[1] + y * b[3]}; }
};

void measure_strain(const Model& m, Data& d, int f) {
  if (m.flex_edgeequality[f] != 2 || m.flex_rigid[f] || m.flex_interp[f] != 0 || m.flex_dim[f] != 2) return;
  const int first = m.flex_vertadr[f];
  const double* size = &m.flex_size[3 * f];
  for (int v = first; v < first + m.flex_vertnum[f]; ++v) {
    const int begin = m.flex_vertedgeadr[v], end = begin + m.flex_vertedgenum[v];
    const auto edge_at = [&](int k) { return m.flex_edgeadr[f] + m.flex_vertedge[k]; };
    const auto weight = [&](int e) {
      const int other = m.flex_edge[2 * e] == v - first ? m.flex_edge[2 * e + 1] : m.flex_edge[2 * e];
      return std::max(m.body_mass[m.flex_vertbodyid[first + other]], kMinVal);
    };
    const auto rest = [&](int e, int axis) {
      const double* v0 = &m.flex_vert0[3 * (first + m.flex_edge[2 * e])];
      const double* v1 = &m.flex_vert0[3 * (first + m.flex_edge[2 * e + 1])];
      return (v1[axis] - v0[axis]) * 2 * size[axis];
    };
    Gradient A;
    for (int k = begin; k < end; ++k) {
      const int e = edge_at(k);
      const Vector now = Edge(m, d, f, e).along() * weight(e);
      A.x += now * rest(e, 0);
      A.y += now * rest(e, 1);
    }
    const double* metric = &m.flex_vertmetric[4 * v];
    const Gradient F = A * metric;
    const double c[4] = {dot(F.x, F.x), dot(F.x, F.y), dot(F.y, F.x), dot(F.y, F.y)};
    const double mass = m.body_mass[m.flex_vertbodyid[v]], scale = mass > kMinVal ? std::sqrt(mass) : 1;
    d.flexvert_length[2 * v] = scale * (c[0] + c[3] - 2);
    d.flexvert_length[2 * v + 1] = scale * (c[0] * c[3] - c[1] * c[2] - 1);

    const double adjugate[4] = {c[3], -c[1], -c[2], c[0]};
    const Gradient P[2] = {F * metric, F * adjugate * metric};
    for (int row = 0; row < 2; ++row) {
      const int start = m.flexvert_J_rowadr[2 * v + row], nnz = m.flexvert_J_rownnz[2 * v + row];
      const int* columns = m.flexvert_J_colind.data() + start;
      double* J = d.flexvert_J.data() + start;
      std::fill_n(J, nnz, 0.0);
      for (int k = begin; k < end; ++k) {
        const int e = edge_at(k);
        const Vector direction = (P[row].x * rest(e, 0) + P[row].y * rest(e, 1)) * (2 * weight(e) * scale);
        Edge(m, d, f, e).for_each_column(m, d, [&](int dof, const Vector& column) {
          J[std::lower_bound(columns, columns + nnz, dof) - columns] += dot(direction, column);
        });
      }
    }
  }
}

}  // namespace

void flex_positions(const Model& m, Data& d) {
  for (int f = 0; f < m.nflex; ++f) {
    place_vertices(m, d, f);
    bound_elements(m, d, f);
    if (!m.opt.disabled(kDisableMidphase)) bound_tree(m, d, f);
    measure_edges(m, d, f);
    measure_strain(m, d, f);
  }
}

void flex_velocities(const Model& m, Data& d) {
  for (int e = 0; e < m.nflexedge; ++e) {
    const int begin = m.flexedge_J_rowadr[e], end = begin + m.flexedge_J_rownnz[e];
    double sum = 0;
    for (int k = begin; k < end; ++k) sum += d.flexedge_J[k] * d.qvel[m.flexedge_J_colind[k]];
    d.flexedge_velocity[e] = sum;
  }
}

}  // namespace sinew
