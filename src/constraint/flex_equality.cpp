#include "constraint/flex_equality.h"

#include <algorithm>

#include "dynamics/flex_cell.h"
#include "dynamics/jacobian.h"
#include "model/flex_bodies.h"

namespace sinew {
namespace {

using Vector = Vec3<double>;

/// `weight`: its inverse inertia, for the approximate diagonal.
void finish_row(RowBuilder& rows, const RowBuilder::Block& block, double pos, double weight) {
  rows.d.efc_pos[block.row] = pos;
  rows.d.efc_diagA[block.row] = weight;
  rows.keep(block);
}

void add_edges(RowBuilder& rows, int eq, int flex) {
  const Model& m = rows.m;
  const int first = m.flex_edgeadr[flex];
  for (int e = first; e < first + m.flex_edgenum[flex]; ++e) {
    if (m.flexedge_rigid[e]) continue;
    const int start = m.flexedge_J_rowadr[e], nnz = m.flexedge_J_rownnz[e];
    const auto block = rows.add(ConstraintKind::Equality, eq, 1, m.flexedge_J_colind.data() + start, nnz);
    std::copy_n(rows.d.flexedge_J.data() + start, nnz, block.J);
    finish_row(rows, block, rows.d.flexedge_length[e] - m.flexedge_length0[e], m.flexedge_invweight0[e]);
  }
}

double inverse_weight(const Model& m, int body) { return m.body_invweight0[2 * body]; }

/// A vertex of a body that cannot move has no inverse weight of its own: that of its neighbors. (MuJoCo 3.12.0 takes
/// zero, which makes the row so stiff that its Hessian cannot be factored.)
double vertex_weight(const Model& m, int flex, int vertex) {
  const int first = m.flex_vertadr[flex];
  const double own = inverse_weight(m, m.flex_vertbodyid[vertex]);
  if (own > 0) return own;
  double sum = 0;
  const int begin = m.flex_vertedgeadr[vertex], count = m.flex_vertedgenum[vertex];
  for (int k = begin; k < begin + count; ++k) {
    const int e = m.flex_edgeadr[flex] + m.flex_vertedge[k];
    const int other = m.flex_edge[2 * e] == vertex - first ? m.flex_edge[2 * e + 1] : m.flex_edge[2 * e];
    sum += inverse_weight(m, m.flex_vertbodyid[first + other]);
  }
  return count > 0 ? sum / count : 0;
}

void add_vertices(RowBuilder& rows, int eq, int flex) {
  const Model& m = rows.m;
  if (m.flex_dim[flex] != 2 || m.flex_edgeequality[flex] != 2) return;
  const int first = m.flex_vertadr[flex];
  for (int v = first; v < first + m.flex_vertnum[flex]; ++v) {
    const double weight = vertex_weight(m, flex, v);
    for (int r = 2 * v; r < 2 * v + 2; ++r) {
      const int start = m.flexvert_J_rowadr[r], nnz = m.flexvert_J_rownnz[r];
      const auto block = rows.add(ConstraintKind::Equality, eq, 1, m.flexvert_J_colind.data() + start, nnz);
      std::copy_n(rows.d.flexvert_J.data() + start, nnz, block.J);
      finish_row(rows, block, rows.d.flexvert_length[r], weight);
    }
  }
}

/// Dofs that move some node of a cell, ascending.
int columns_of_cell(RowBuilder& rows, const FlexGrid& grid, const FlexCell& cell) {
  const Model& m = rows.m;
  int* columns = rows.columns();
  int n = 0;
  for (int i = 0; i < cell.n; ++i) {
    for (int dof = last_dof(m, m.flex_nodebodyid[grid.first + cell.node[i]]); dof >= 0; dof = m.dof_parentid[dof]) {
      int* place = std::lower_bound(columns, columns + n, dof);
      if (place < columns + n && *place == dof) break;  // and so are its parents
      std::copy_backward(place, columns + n, columns + n + 1);
      *place = dof;
      ++n;
    }
  }
  return n;
}

void add_modes(RowBuilder& rows, int eq, int flex) {
  const Model& m = rows.m;
  Data& d = rows.d;
  if (m.flex_interp[flex] == 0 || m.flex_edgeequality[flex] != 3 || m.flex_stiffnessadr[flex] < 0) return;
  const FlexGrid grid(m, flex);
  const int index = strain_cell(m, grid, eq);
  if (index < 0) return;
  const FlexCell cell = cell_at(grid, index);
  const double* modes = &m.flex_stiffness[m.flex_stiffnessadr[flex] + index * cell.matrix_size()];
  const double count = *modes++;  // an edit may have changed it
  const int nmode = count >= 1 ? static_cast<int>(std::min(count, 3.0 * cell.n - 1)) : 0;
  if (nmode == 0) return;

  Scratch scratch(d.scratch());
  Vector* x = scratch.take<Vector>(grid.size());
  double weight = 0;
  for (int i = 0; i < cell.n; ++i) {
    const int node = cell.node[i];
    x[node] = node_position(m, d, grid.first + node);
    weight += inverse_weight(m, m.flex_nodebodyid[grid.first + node]) / cell.n;
  }
  const Mat3<double> Q = to_matrix(cell_rotation(cell, x));
  const int ncol = columns_of_cell(rows, grid, cell);
  int* columns = scratch.take<int>(ncol);
  std::copy_n(rows.columns(), ncol, columns);

  double* J = scratch.zeros<double>(static_cast<std::size_t>(nmode) * ncol);
  double* pos = scratch.zeros<double>(nmode);
  for (int i = 0; i < cell.n; ++i) {
    const int node = cell.node[i], body = m.flex_nodebodyid[grid.first + node];
    const Vector moved = mul_transposed(Q, x[node]) - Vector::load(&m.flex_node0[3 * (grid.first + node)]);
    for (int r = 0; r < nmode; ++r) pos[r] += dot(Vector::load(modes + 3 * (r * cell.n + i)), moved);
    const Vector offset = from_reference(m, d, x[node], body);
    for (int dof = last_dof(m, body); dof >= 0; dof = m.dof_parentid[dof]) {
      double* out = J + (std::lower_bound(columns, columns + ncol, dof) - columns);
      const Vector column = mul_transposed(Q, jacp_column(d, dof, offset));
      for (int r = 0; r < nmode; ++r) out[r * ncol] += dot(Vector::load(modes + 3 * (r * cell.n + i)), column);
    }
  }
  for (int r = 0; r < nmode; ++r) {
    const auto block = rows.add(ConstraintKind::Equality, eq, 1, columns, ncol);
    std::copy_n(J + r * ncol, ncol, block.J);
    finish_row(rows, block, pos[r], weight);
  }
}

}  // namespace

void add_flex_equality(RowBuilder& rows, int eq) {
  const Model& m = rows.m;
  const int flex = m.eq_obj1id[eq];
  if (m.flex_rigid[flex]) return;
  switch (static_cast<EqualityType>(m.eq_type[eq])) {
    case EqualityType::Flex:
      if (m.flex_interp[flex] == 0) add_edges(rows, eq, flex);
      break;
    case EqualityType::FlexVert:
      if (m.flex_interp[flex] == 0) add_vertices(rows, eq, flex);
      break;
    default: add_modes(rows, eq, flex);
  }
}

}  // namespace sinew
