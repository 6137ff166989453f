#include "dynamics/flex_forces.h"

#include <algorithm>

#include "base/arena.h"
#include "dynamics/awake.h"
#include "dynamics/flex_cell.h"
#include "dynamics/jacobian.h"
#include "dynamics/passive_contact.h"
#include "math/pack.h"

namespace sinew {
namespace {

using Vector = Vec3<double>;
using Matrix = Mat3<double>;

/// What the terms of one flex share.
struct Context {
  const Model& m;
  Data& d;
  const Awake& awake;
  int flex;
  bool springs, dampers;

  const double* vertex(int v) const { return &d.flexvert_xpos[3 * (m.flex_vertadr[flex] + v)]; }
  int vertex_body(int v) const { return m.flex_vertbodyid[m.flex_vertadr[flex] + v]; }

  /// A force at a point that moves with a body. As in MuJoCo, the slides of a root body count as the axes of its frame,
  /// in this order, even if they are others.
  void push(int body, const Vector& point, const Vector& force, double* qfrc) const {
    if (m.body_simple[body] == 2)
      push_own_dofs(body, force, qfrc);
    else if (awake.body(body))
      apply_force<double>(m, d, force, {}, point, body, qfrc);
  }

  /// A force along the first three dofs of a body, taken as the axes of its frame.
  void push_own_dofs(int body, const Vector& force, double* qfrc) const {
    if (!awake.body(body)) return;
    const Vector local = mul_transposed(Matrix::load(&d.xmat[9 * body]), force);
    const int first = m.body_dofadr[body];
    for (int k = 0; k < 3 && k < m.body_dofnum[body]; ++k) qfrc[first + k] += local[k];
  }
};

/// T_e = Σ_f k_ef E_f for the edges of one element; k is the upper triangle of a symmetric matrix, row by row.
template <int kEdges>
void edge_tensions(const double* k, const double* E, double* T) {
  for (int e = 0; e < kEdges; ++e) T[e] = 0;
  for (int e = 0; e < kEdges; ++e) {
    T[e] += *k++ * E[e];
    for (int f = e + 1; f < kEdges; ++f, ++k) {
      T[e] += *k * E[f];
      T[f] += *k * E[e];
    }
  }
}

template <int kCorners, int kEdges>
void add_element_forces(const Context& c, const int (&corners)[kEdges][2], const double* strain, double* force) {
  const Model& m = c.m;
  const double* k = &m.flex_stiffness[m.flex_stiffnessadr[c.flex]];
  const double* vertices = c.vertex(0);
  const int* elem = &m.flex_elem[m.flex_elemdataadr[c.flex]];
  const int* edge = &m.flex_elemedge[m.flex_elemedgeadr[c.flex]];
  for (int e = 0; e < m.flex_elemnum[c.flex]; ++e, k += kStretchNumbers, elem += kCorners, edge += kEdges) {
    double E[kEdges], T[kEdges];
    for (int i = 0; i < kEdges; ++i) E[i] = strain[edge[i]];
    edge_tensions<kEdges>(k, E, T);
    for (int i = 0; i < kEdges; ++i) {
      const int a = 3 * elem[corners[i][0]], b = 3 * elem[corners[i][1]];
      for (int x = 0; x < 3; ++x) {
        const double pull = T[i] * (vertices[a + x] - vertices[b + x]);
        force[a + x] -= pull;
        force[b + x] += pull;
      }
    }
  }
}

/// Elements of the law of St. Venant and Kirchhoff, in squared lengths of edges: energy ¼ Σ k_ef E_e E_f with
/// E = l² - l0² + (l² - (l - h v)²) damping / h. As in MuJoCo, the damping part is a spring force too, and the flags
/// spring and damper do not matter.
void add_stretch(const Context& c) {
  const Model& m = c.m;
  Scratch scratch(c.d.scratch());
  const int nedge = m.flex_edgenum[c.flex], nvert = m.flex_vertnum[c.flex], first = m.flex_edgeadr[c.flex];
  double* strain = scratch.take<double>(nedge);
  const double h = m.opt.timestep, rate = h > 0 ? m.flex_damping[c.flex] / h : 0;
  for (int e = 0; e < nedge; ++e) {
    const double l = c.d.flexedge_length[first + e], l0 = m.flexedge_length0[first + e];
    const double before = l - h * c.d.flexedge_velocity[first + e];
    strain[e] = l * l - l0 * l0 + (l * l - before * before) * rate;
  }
  double* force = scratch.zeros<double>(static_cast<std::size_t>(3) * nvert);
  if (m.flex_dim[c.flex] == 2)
    add_element_forces<3>(c, kTriangleEdges, strain, force);
  else
    add_element_forces<4>(c, kTetrahedronEdges, strain, force);
  for (int v = 0; v < nvert; ++v)
    c.push(c.vertex_body(v), Vector::load(c.vertex(v)), Vector::load(force + 3 * v), c.d.qfrc_spring.data());
}

/// Forces on vertices whose bodies have three dofs, which count as the axes of their frames.
void push_vertices(const Context& c, const double* force, double* qfrc) {
  for (int v = 0; v < c.m.flex_vertnum[c.flex]; ++v)
    if (const int body = c.vertex_body(v); three_dofs(c.m, body) >= 0)
      c.push_own_dofs(body, Vector::load(force + 3 * v), qfrc);
}

/// Two triangles that share an edge, vertices 0 and 1, with the opposite ones 2 and 3: the force on vertex i is
/// -(Σ_j b_ij x_j + b_16 g_i) with g the gradient of their volume, its damping -damping Σ_j b_ij v_j. As in MuJoCo it
/// acts on bodies with three dofs only, and their three velocities are used as if they were the vertex's.
void add_bending(const Context& c) {
  const Model& m = c.m;
  Data& d = c.d;
  const double damping = m.flex_damping[c.flex];
  const bool damped = c.dampers && damping > 0;
  const int nvert = m.flex_vertnum[c.flex], first = m.flex_edgeadr[c.flex];
  Scratch scratch(d.scratch());
  double* spring = scratch.zeros<double>(static_cast<std::size_t>(3) * nvert);
  double* damper = scratch.zeros<double>(static_cast<std::size_t>(3) * nvert);
  double* velocity = scratch.zeros<double>(static_cast<std::size_t>(3) * nvert);
  for (int v = 0; damped && v < nvert; ++v)
    if (const int dof = three_dofs(m, c.vertex_body(v)); dof >= 0) std::copy_n(&d.qvel[dof], 3, velocity + 3 * v);
  const double* b = &m.flex_bending[m.flex_bendingadr[c.flex]];
  for (int e = first; e < first + m.flex_edgenum[c.flex]; ++e, b += kBendNumbers) {
    if (m.flex_edgeflap[2 * e + 1] < 0) continue;
    const int vertex[4] = {m.flex_edge[2 * e], m.flex_edge[2 * e + 1], m.flex_edgeflap[2 * e],
                           m.flex_edgeflap[2 * e + 1]};
    const auto add_product = [&](const Vector* x, double scale, const Vector* more, double* out) {
      for (int i = 0; i < 4; ++i) {
        const Vector force = x[0] * b[4 * i] + x[1] * b[4 * i + 1] + x[2] * b[4 * i + 2] + x[3] * b[4 * i + 3];
        ((more ? force + more[i] : force) * scale).add_to(out + 3 * vertex[i]);
      }
    };
    if (c.springs) {
      Vector x[4], g[4];
      for (int i = 0; i < 4; ++i) x[i] = Vector::load(c.vertex(vertex[i]));
      const Vector e0 = x[1] - x[0], e1 = x[2] - x[0], e2 = x[3] - x[0];
      g[1] = cross(e1, e2) * b[16];
      g[2] = cross(e2, e0) * b[16];
      g[3] = cross(e0, e1) * b[16];
      g[0] = -(g[1] + g[2] + g[3]);
      add_product(x, -1, g, spring);
    }
    if (damped) {
      Vector v[4];
      for (int i = 0; i < 4; ++i) v[i] = Vector::load(velocity + 3 * vertex[i]);
      add_product(v, -damping, nullptr, damper);
    }
  }
  if (c.springs) push_vertices(c, spring, d.qfrc_spring.data());
  if (damped) push_vertices(c, damper, d.qfrc_damper.data());
}

/// Nodes of an interpolated flex: positions and velocities, those inside a shell following its faces.
struct Nodes {
  FlexGrid grid;
  Vector *x, *v, *rest;

  Nodes(const Context& c, Scratch& scratch) : grid(c.m, c.flex) {
    const int n = grid.size();
    x = scratch.take<Vector>(n);
    v = scratch.take<Vector>(n);
    rest = scratch.take<Vector>(n);
    for (int i = 0; i < n; ++i) {
      const int body = c.m.flex_nodebodyid[grid.first + i];
      x[i] = node_position(c.m, c.d, grid.first + i);
      const Motion<double> motion = Motion<double>::load(&c.d.cvel[6 * body]);
      v[i] = motion.v + cross(motion.w, from_reference(c.m, c.d, x[i], body));
      rest[i] = Vector::load(&c.m.flex_node0[3 * (grid.first + i)]);
    }
    grid.fill_inside(x);
    grid.fill_inside(v);
  }
};

/// Forces on the nodes. As in MuJoCo, a node at the origin of a body with dofs acts on the first three of them only,
/// not on those of its parents.
void push_nodes(const Context& c, const Nodes& nodes, const Vector* force, double* qfrc) {
  const Model& m = c.m;
  for (int i = 0; i < nodes.grid.size(); ++i) {
    const int node = nodes.grid.first + i, body = m.flex_nodebodyid[node];
    const double* at = &m.flex_node[3 * node];
    if (m.body_dofnum[body] > 0 && at[0] == 0 && at[1] == 0 && at[2] == 0)
      c.push_own_dofs(body, force[i], qfrc);
    else
      c.push(body, nodes.x[i], force[i], qfrc);
  }
}

/// f += K u and g += K v with a symmetric matrix, column by column, so that lanes need no sum.
SINEW_KERNEL void add_products(const double* K, int n, const double* u, const double* v, double* f, double* g) {
  for (int j = 0; j < n; ++j, K += n) {
    const double uj = u[j], vj = v[j];
    for (int i = 0; i < n; ++i) {
      f[i] += K[i] * uj;
      g[i] += K[i] * vj;
    }
  }
}

/// Linear elasticity in axes that turn with the element: force Q K (Qᵀ x - x0), damping force damping Q K Qᵀ v. The
/// stored K is the negative of the stiffness.
void add_cells(const Context& c, const Nodes& nodes, Vector* spring, Vector* damper) {
  const Model& m = c.m;
  const double* K = &m.flex_stiffness[m.flex_stiffnessadr[c.flex]];
  const double damping = m.flex_damping[c.flex];
  const int count = cell_count(nodes.grid);
  const int size = 9 * nodes_per_cell(nodes.grid) * nodes_per_cell(nodes.grid);
  for (int e = 0; e < count; ++e, K += size) {
    if (K[0] == 0) continue;
    const FlexCell cell = cell_at(nodes.grid, e);
    const Matrix Q = to_matrix(cell_rotation(cell, nodes.x));
    constexpr int kMost = 3 * FlexCell::kMostNodes;
    double moved[kMost], rate[kMost], force[kMost] = {}, drag[kMost] = {};
    for (int i = 0; i < cell.n; ++i) {
      const int node = cell.node[i];
      (mul_transposed(Q, nodes.x[node]) - nodes.rest[node]).store(moved + 3 * i);
      mul_transposed(Q, nodes.v[node]).store(rate + 3 * i);
    }
    add_products(K, 3 * cell.n, moved, rate, force, drag);
    for (int i = 0; i < cell.n; ++i) {
      if (c.springs) spring[cell.node[i]] += Q * Vector::load(force + 3 * i);
      if (c.dampers) damper[cell.node[i]] += Q * Vector::load(drag + 3 * i) * damping;
    }
  }
}

Quat<double> mean_rotation(const Quat<double>& a, const Quat<double>& b) {
  const double side = a.w * b.w + a.x * b.x + a.y * b.y + a.z * b.z < 0 ? -1 : 1;
  return normalized(Quat<double>(a.w + side * b.w, a.x + side * b.x, a.y + side * b.y, a.z + side * b.z));
}

/// Two faces of a shell with normals n_A, n_B at the middle of their common edge: energy ½ k |r|² with
/// r = n_A - n_B - Q dn0 and Q the mean of their rotations, which counts as constant.
void add_shell_bending(const Context& c, const Nodes& nodes, Vector* spring) {
  const Model& m = c.m;
  // edits of these numbers are not counted, so what says where to read is checked here
  const int first = m.flex_bendingadr[c.flex], faces = cell_count(nodes.grid);
  const auto is_face = [faces](double number) { return number >= 0 && number < faces; };
  const auto room = static_cast<double>((m.nflexbending - first - 1) / kShellBendNumbers);
  const double* b = &m.flex_bending[first];
  const double count = std::min(*b++, room);
  for (int e = 0; e < count; ++e, b += kShellBendNumbers) {
    const double k = b[6];
    if (k == 0 || !is_face(b[0]) || !is_face(b[1])) continue;
    const FlexCell face[2] = {cell_at(nodes.grid, static_cast<int>(b[0])), cell_at(nodes.grid, static_cast<int>(b[1]))};
    const FaceTangents at[2] = {{face[0], b[2], b[3], nodes.x}, {face[1], b[4], b[5], nodes.x}};
    Vector normal[2];
    double area[2];
    for (int s = 0; s < 2; ++s) {
      normal[s] = cross(at[s].t[0], at[s].t[1]);
      area[s] = normalize(normal[s]);
    }
    if (area[0] < kMinVal || area[1] < kMinVal) continue;
    const Matrix Q = to_matrix(mean_rotation(cell_rotation(face[0], nodes.x), cell_rotation(face[1], nodes.x)));
    const Vector r = normal[0] - normal[1] - Q * Vector::load(b + 7);
    for (int s = 0; s < 2; ++s) {
      const Vector w = (r - normal[s] * dot(normal[s], r)) * ((s == 0 ? k : -k) / area[s]);
      const Vector across[2] = {cross(w, at[s].t[1]), cross(w, at[s].t[0])};
      for (int i = 0; i < face[s].n; ++i)
        spring[face[s].node[i]] += across[0] * at[s].slope[0][i] - across[1] * at[s].slope[1][i];
    }
  }
}

void add_interpolated(const Context& c) {
  const bool cells = has_elastic_cells(c.m, c.flex), bending = has_shell_bending(c.m, c.flex) && c.springs;
  if (!cells && !bending) return;
  Scratch scratch(c.d.scratch());
  const Nodes nodes(c, scratch);
  const int n = nodes.grid.size();
  Vector* spring = scratch.take<Vector>(n);
  Vector* damper = scratch.take<Vector>(n);
  std::fill_n(spring, n, Vector());
  std::fill_n(damper, n, Vector());
  if (cells) add_cells(c, nodes, spring, damper);
  if (bending) add_shell_bending(c, nodes, spring);
  push_nodes(c, nodes, spring, c.d.qfrc_spring.data());
  if (cells) push_nodes(c, nodes, damper, c.d.qfrc_damper.data());
}

void add_edges(const Context& c) {
  const Model& m = c.m;
  Data& d = c.d;
  const double stiffness = c.springs ? m.flex_edgestiffness[c.flex] : 0;
  const double damping = c.dampers ? m.flex_edgedamping[c.flex] : 0;
  if ((stiffness == 0 && damping == 0) || m.flex_rigid[c.flex] || m.flex_interp[c.flex] != 0) return;
  const int first = m.flex_edgeadr[c.flex];
  for (int e = first; e < first + m.flex_edgenum[c.flex]; ++e) {
    if (m.flexedge_rigid[e]) continue;
    const double pull = stiffness * (m.flexedge_length0[e] - d.flexedge_length[e]);
    const double drag = -damping * d.flexedge_velocity[e];
    const int begin = m.flexedge_J_rowadr[e], end = begin + m.flexedge_J_rownnz[e];
    for (int k = begin; k < end; ++k) {
      const int dof = m.flexedge_J_colind[k];
      if (!c.awake.dof(dof)) continue;
      d.qfrc_spring[dof] += d.flexedge_J[k] * pull;
      d.qfrc_damper[dof] += d.flexedge_J[k] * drag;
    }
  }
}

}  // namespace

void flex_forces(const Model& m, Data& d) {
  const Awake awake(m, d);
  const bool springs = !m.opt.disabled(kDisableSpring), dampers = !m.opt.disabled(kDisableDamper);
  if (!springs && !dampers) return;
  for (int f = 0; f < m.nflex; ++f) {
    const Context c = {m, d, awake, f, springs, dampers};
    if (has_stretch(m, f)) add_stretch(c);
    if (has_bending(m, f)) add_bending(c);
    add_interpolated(c);
    add_edges(c);
  }
}

void passive_contact_forces(const Model& m, Data& d) {
  for (int i = 0; i < d.ncon; ++i) {
    const Contact& c = d.contact[static_cast<std::size_t>(i)];
    if (c.exclude != kPassiveContact) continue;
    const double force = -passive_stiffness(m, d, c) * c.dist;
    for_each_normal_entry(m, d, c, [&](int dof, double J) { d.qfrc_spring[dof] += J * force; });
  }
}

}  // namespace sinew
