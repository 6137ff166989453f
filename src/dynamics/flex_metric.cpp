#include "dynamics/flex_metric.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/checked.h"
#include "dynamics/flex_cell.h"
#include "dynamics/flex_forces.h"
#include "dynamics/inertia.h"
#include "dynamics/jacobian.h"
#include "dynamics/passive_contact.h"
#include "model/flex_bodies.h"

namespace sinew {
namespace {

using Vector = Vec3<double>;
using Matrix = Mat3<double>;

bool is_elastic(const Model& m, int f) { return has_elastic_cells(m, f) || has_bending(m, f) || has_stretch(m, f); }

/// A side of a passive contact that takes part in K: a surface or solid that is elastic or passive itself. As in MuJoCo
/// 3.12.0 segments and interpolated flexes do not, for which passive contacts are explicit.
bool is_implicit_side(const Model& m, const Contact& c, int side) {
  if (c.exclude != kPassiveContact || c.geom[side] >= 0) return false;
  const int f = c.flex[side];
  return m.flex_dim[f] > 1 && !m.flex_rigid[f] && m.flex_interp[f] == 0 && (m.flex_passive[f] || is_elastic(m, f));
}

/// Bending is all that makes K, so that the constant factor of M + K applies.
bool bends_only(const Model& m, const Data& d) {
  for (int f = 0; f < m.nflex; ++f)
    if (has_elastic_cells(m, f) || has_stretch(m, f)) return false;
  for (int i = 0; i < d.ncon; ++i)
    for (const int side : {0, 1})
      if (is_implicit_side(m, d.contact[static_cast<std::size_t>(i)], side)) return false;
  return true;
}

/// Some node of an interpolated flex moves with other bodies than its own.
bool moves_as_whole(const Model& m, int f) {
  return some_flex_body(m, f, [&](int body) {
    const int first = three_dofs(m, body);
    return first >= 0 ? m.dof_parentid[first] >= 0 : last_dof(m, body) >= 0;
  });
}

/// The dofs of a node of an interpolated flex: those of its body if there are three, then those of its ancestors, or
/// all that move it one by one: add(first dof, count).
template <class Add>
void for_each_node_dof(const Model& m, int body, Add&& add) {
  int dof = last_dof(m, body);
  if (const int first = three_dofs(m, body); first >= 0) {
    add(first, 3);
    dof = m.dof_parentid[first];
  }
  for (; dof >= 0; dof = m.dof_parentid[dof]) add(dof, 1);
}

/// Dofs that the elastic elements of a flex couple: begin() before each element, then add(first dof, count). Assembly
/// goes through elements and their bodies in the same order.
template <class Begin, class Add>
void for_each_coupling(const Model& m, int f, Begin&& begin, Add&& add) {
  const auto add_vertex = [&](int v) {  // bodies without exactly three dofs do not take part
    const int dof = three_dofs(m, m.flex_vertbodyid[m.flex_vertadr[f] + v]);
    if (dof >= 0) add(dof, 3);
  };
  if (has_stretch(m, f)) {
    const int corners = m.flex_dim[f] + 1;
    const int* elem = &m.flex_elem[m.flex_elemdataadr[f]];
    for (int e = 0; e < m.flex_elemnum[f]; ++e, elem += corners) {
      begin();
      for (int k = 0; k < corners; ++k) add_vertex(elem[k]);
    }
  }
  if (has_bending(m, f)) {
    for (int e = m.flex_edgeadr[f]; e < m.flex_edgeadr[f] + m.flex_edgenum[f]; ++e) {
      if (m.flex_edgeflap[2 * e + 1] < 0) continue;
      begin();
      for (int k = 0; k < 2; ++k) add_vertex(m.flex_edge[2 * e + k]);
      for (int k = 0; k < 2; ++k) add_vertex(m.flex_edgeflap[2 * e + k]);
    }
  }
  if (has_elastic_cells(m, f)) {
    const FlexGrid grid(m, f);
    const int count = cell_count(grid);
    for (int e = 0; e < count; ++e) {
      const FlexCell cell = cell_at(grid, e);
      begin();
      for (int k = 0; k < cell.n; ++k) for_each_node_dof(m, m.flex_nodebodyid[grid.first + cell.node[k]], add);
    }
  }
}

/// The same for passive contacts.
template <class Begin, class Add>
void for_each_contact_coupling(const Model& m, const Data& d, Begin&& begin, Add&& add) {
  for (int i = 0; i < d.ncon; ++i) {
    const Contact& c = d.contact[static_cast<std::size_t>(i)];
    const bool implicit[2] = {is_implicit_side(m, c, 0), is_implicit_side(m, c, 1)};
    if (!implicit[0] && !implicit[1]) continue;
    begin();
    for (int side = 0; side < 2; ++side)
      if (implicit[side])
        for_each_contact_body(m, d, c, side, [&](int body, double) { for_each_node_dof(m, body, add); });
  }
}

/// Which dofs K couples. Units are the three dofs of a body, whose rows have the same columns, and single dofs.
class Pattern {
 public:
  Pattern(const Model& m, const Data& d, Scratch& scratch) : unit_of_dof(scratch.take<int>(m.nv)) {
    number_units(m, d, scratch);
    list_elements(m, d, scratch);
    list_neighbors(scratch);
  }

  /// Position of column unit b in the row of unit a of an element; both count within the element.
  int place_in(int element, int a, int b) const {
    return table_[square_[element] + a * (begin_[element + 1] - begin_[element]) + b];
  }
  int first_element_of_flexes() const { return ncontact_; }

  int nunit = 0;
  int nnz = 0;            // numbers in all rows
  int* unit_of_dof;       // -1: none
  int* dof = nullptr;     // first dof of each unit, ascending
  int* size = nullptr;    // 1 or 3
  bool* block = nullptr;  // its 3 x 3 block is a preconditioner; as in MuJoCo not if all nodes move with a body
  int* rowadr = nullptr;  // nunit + 1: units coupled to each unit, ascending
  int* col = nullptr;
  int* place = nullptr;  // of the first dof of `col` in the row

  /// Position of a column in the row of a dof.
  int find(int row_dof, int col_dof) const {
    const int unit = unit_of_dof[row_dof], column = unit_of_dof[col_dof];
    const int *begin = col + rowadr[unit], *end = col + rowadr[unit + 1];
    const auto at = std::lower_bound(begin, end, column) - col;
    return place[at] + col_dof - dof[column];
  }

 private:
  void number_units(const Model& m, const Data& d, Scratch& scratch) {
    int* kind = scratch.zeros<int>(m.nv);  // 3: first of three, 2: among three, 1: single
    bool* alone = scratch.zeros<bool>(m.nv);
    bool preconditioned = true;
    const auto begin = [&] { ++nelement_; };
    const auto add = [&](int first, int count) {
      ++places_;
      if (count == 3) {
        kind[first] = 3;
        kind[first + 1] = kind[first + 2] = 2;
        alone[first] |= preconditioned;
      } else if (kind[first] == 0) {
        kind[first] = 1;
      }
    };
    for_each_contact_coupling(m, d, begin, add);
    ncontact_ = nelement_;
    for (int f = 0; f < m.nflex; ++f) {
      preconditioned = !has_elastic_cells(m, f) || !moves_as_whole(m, f);
      for_each_coupling(m, f, begin, add);
    }
    dof = scratch.take<int>(m.nv);
    size = scratch.take<int>(m.nv);
    block = scratch.take<bool>(m.nv);
    for (int i = 0; i < m.nv; ++i) {
      unit_of_dof[i] = kind[i] == 0 ? -1 : kind[i] == 2 ? nunit - 1 : nunit;
      if (kind[i] != 1 && kind[i] != 3) continue;
      dof[nunit] = i;
      block[nunit] = alone[i];
      size[nunit++] = kind[i];
    }
  }

  void list_elements(const Model& m, const Data& d, Scratch& scratch) {
    begin_ = scratch.take<int>(nelement_ + 1);
    member_ = scratch.take<int>(places_);
    first_ = scratch.zeros<int>(nunit + 1);
    int element = 0, end = 0;
    const auto begin = [&] { begin_[element++] = end; };
    const auto add = [&](int first, int) {
      member_[end] = unit_of_dof[first];
      ++first_[member_[end++] + 1];
    };
    for_each_contact_coupling(m, d, begin, add);
    for (int f = 0; f < m.nflex; ++f) for_each_coupling(m, f, begin, add);
    begin_[element] = end;
    std::partial_sum(first_, first_ + nunit + 1, first_);
    element_ = scratch.take<int>(places_);
    int* next = scratch.take<int>(nunit);
    std::copy_n(first_, nunit, next);
    for (int e = 0; e < nelement_; ++e)
      for (int k = begin_[e]; k < begin_[e + 1]; ++k) element_[next[member_[k]]++] = e;
  }

  /// visit(unit) for each unit that shares an element with this one, once. `stamp`: another one for each call.
  template <class Visit>
  void for_each_neighbor(int unit, int stamp, int* seen, Visit&& visit) const {
    for (int k = first_[unit]; k < first_[unit + 1]; ++k) {
      for (int j = begin_[element_[k]]; j < begin_[element_[k] + 1]; ++j) {
        if (seen[member_[j]] == stamp) continue;
        seen[member_[j]] = stamp;
        visit(member_[j]);
      }
    }
  }

  void list_neighbors(Scratch& scratch) {
    rowadr = scratch.take<int>(nunit + 1);
    int* seen = scratch.take<int>(nunit);
    std::fill_n(seen, nunit, -1);
    rowadr[0] = 0;
    for (int u = 0; u < nunit; ++u) {
      int n = 0;
      for_each_neighbor(u, u, seen, [&](int) { ++n; });
      rowadr[u + 1] = rowadr[u] + n;
    }
    col = scratch.take<int>(rowadr[nunit]);
    place = scratch.take<int>(rowadr[nunit]);
    square_ = scratch.take<int>(nelement_ + 1);
    square_[0] = 0;
    for (int e = 0; e < nelement_; ++e) {
      const int n = begin_[e + 1] - begin_[e];
      square_[e + 1] = square_[e] + n * n;
    }
    table_ = scratch.take<int>(square_[nelement_]);
    int* at = scratch.take<int>(nunit);  // of each neighbor in the row
    for (int u = 0; u < nunit; ++u) {
      int* out = col + rowadr[u];
      for_each_neighbor(u, nunit + u, seen, [&](int neighbor) { *out++ = neighbor; });
      std::sort(col + rowadr[u], out);
      int length = 0;
      for (int k = rowadr[u]; k < rowadr[u + 1]; ++k) {
        at[col[k]] = place[k] = length;
        length += size[col[k]];
      }
      nnz += size[u] * length;
      for (int k = first_[u]; k < first_[u + 1]; ++k) {
        const int e = element_[k], n = begin_[e + 1] - begin_[e], *member = member_ + begin_[e];
        for (int a = 0; a < n; ++a)
          if (member[a] == u)
            for (int b = 0; b < n; ++b) table_[square_[e] + a * n + b] = at[member[b]];
      }
    }
  }

  int nelement_ = 0, ncontact_ = 0, places_ = 0;
  int* begin_ = nullptr;   // members of each element
  int* member_ = nullptr;  // units
  int* first_ = nullptr;   // elements of each unit
  int* element_ = nullptr;
  int* square_ = nullptr;  // first number of each element in table_
  int* table_ = nullptr;   // see place_in
};

/// Adds the elements of the flexes to K and c. Blocks of an element are given in world axes.
class Assembly {
 public:
  Assembly(const Model& m, Data& d, const Pattern& pattern)
      : m_(m), d_(d), p_(pattern), element_(pattern.first_element_of_flexes() - 1) {}

  void add_flexes() {
    for (int f = 0; f < m_.nflex; ++f) {
      const double h = m_.opt.timestep;
      scale_ = h * h + h * m_.flex_damping[f];
      find_frame(f);
      if (has_stretch(m_, f)) {
        if (m_.flex_dim[f] == 2)
          add_stretch<3>(f, kTriangleEdges);
        else
          add_stretch<4>(f, kTetrahedronEdges);
      }
      if (has_bending(m_, f)) add_bending(f);
      if (has_elastic_cells(m_, f)) add_cells(f);
    }
  }

  /// h² k J_nᵀ J_n and -h k J_nᵀ J_n v of passive contacts.
  void add_contacts() {
    const double h = m_.opt.timestep;
    for (int i = 0; i < d_.ncon; ++i) {
      const Contact& c = d_.contact[static_cast<std::size_t>(i)];
      const auto for_each_entry = [&](auto&& visit) {
        for (const int side : {0, 1})
          if (is_implicit_side(m_, c, side)) for_each_normal_entry_of_side(m_, d_, c, side, visit);
      };
      if (!is_implicit_side(m_, c, 0) && !is_implicit_side(m_, c, 1)) continue;
      const double k = passive_stiffness(m_, d_, c);
      double rate = 0;
      for_each_entry([&](int dof, double J) { rate += J * d_.qvel[dof]; });
      for_each_entry([&](int row, double J) {
        d_.efm_c[row] -= h * k * rate * J;
        double* values = d_.efm_K_val.data() + d_.efm_K_rowadr[row];
        for_each_entry([&](int col, double Jc) { values[p_.find(row, col)] += h * h * k * J * Jc; });
      });
    }
  }

 private:
  /// The bodies of a flex usually have the same orientation: then elements are computed in its axes.
  void find_frame(int f) {
    int first = -1;
    aligned_ = !some_flex_body(m_, f, [&](int body) {
      if (m_.body_dofnum[body] == 0) return false;
      if (first < 0) first = body;
      return !std::equal(&d_.xmat[9 * body], &d_.xmat[9 * body] + 9, &d_.xmat[9 * first]);
    });
    frame_ = first < 0 ? Matrix::identity() : Matrix::load(&d_.xmat[9 * first]);
  }
  /// A vector in the axes of computation.
  Vector local(const Vector& x) const { return aligned_ ? mul_transposed(frame_, x) : x; }

  /// A body of an element whose first three dofs count as the axes of its frame. As in MuJoCo, K acts on bodies with
  /// exactly three dofs only, c on all.
  struct Member {
    int dof = -1, count = 0;
    int slot = -1;  // among the members on which K acts; -1: it does not
    Matrix R;       // to the axes of computation, if these are not its own
    Vector v;
    Vector push;  // K v
  };

  /// The bodies of the next element.
  template <class BodyOf>
  void next_element(Member* x, int n, BodyOf&& body_of) {
    ++element_;
    int slots = 0;
    for (int k = 0; k < n; ++k) {
      const int body = body_of(k), dofs = m_.body_dofnum[body];
      x[k] = {};
      // (with fewer than three dofs MuJoCo 3.12.0 takes those of the next bodies as well)
      if (dofs == 0 || (dofs < 3 && m_.body_simple[body] != 2)) continue;
      if (dofs == 3) x[k].slot = slots++;
      x[k].dof = m_.body_dofadr[body];
      x[k].count = std::min(dofs, 3);
      for (int i = 0; i < x[k].count; ++i) x[k].v[i] = d_.qvel[x[k].dof + i];
      if (aligned_) continue;
      x[k].R = Matrix::load(&d_.xmat[9 * body]);
      x[k].v = x[k].R * x[k].v;
    }
  }

  double* block_at(const Member& a, const Member& b, int row) {
    return d_.efm_K_val.data() + d_.efm_K_rowadr[a.dof + row] + p_.place_in(element_, a.slot, b.slot);
  }

  /// Block (a, b) of an element.
  void add(Member& a, const Member& b, const Matrix& block) {
    if (a.dof < 0 || b.dof < 0) return;
    a.push += block * b.v;
    if (a.slot < 0 || b.slot < 0) return;
    const Matrix own = aligned_ ? block : transpose(a.R) * block * b.R;
    for (int r = 0; r < 3; ++r) {
      double* out = block_at(a, b, r);
      for (int c = 0; c < 3; ++c) out[c] += scale_ * own(r, c);
    }
  }
  /// A block that is a multiple of the identity.
  void add(Member& a, const Member& b, double number) {
    if (!aligned_) return add(a, b, Matrix::identity() * number);
    if (a.dof < 0 || b.dof < 0) return;
    a.push += b.v * number;
    if (a.slot < 0 || b.slot < 0) return;
    for (int r = 0; r < 3; ++r) block_at(a, b, r)[r] += scale_ * number;
  }

  /// c = -h K v
  void finish(const Member& a) {
    if (a.count == 0) return;
    const Vector force = (aligned_ ? a.push : mul_transposed(a.R, a.push)) * -m_.opt.timestep;
    for (int k = 0; k < a.count; ++k) d_.efm_c[a.dof + k] += force[k];
  }

  /// The Hessian of ¼ Σ k_ef E_e E_f with E = l² - l0², without the part that compressed edges would make negative:
  /// with D the vector along an edge, 2 Σ k_ef (D_e·dx_e)(D_f·dx_f) + Σ max(T_e, 0) |dx_e|².
  template <int kCorners, int kEdges>
  void add_stretch(int f, const int (&corners)[kEdges][2]) {
    const double* packed = &m_.flex_stiffness[m_.flex_stiffnessadr[f]];
    const int* elem = &m_.flex_elem[m_.flex_elemdataadr[f]];
    const int* edge = &m_.flex_elemedge[m_.flex_elemedgeadr[f]];
    const int first = m_.flex_vertadr[f];
    for (int e = 0; e < m_.flex_elemnum[f]; ++e, packed += kStretchNumbers, elem += kCorners, edge += kEdges) {
      Member x[kCorners];
      next_element(x, kCorners, [&](int k) { return m_.flex_vertbodyid[first + elem[k]]; });
      double k[kEdges][kEdges], E[kEdges], T[kEdges];
      Vector D[kEdges];
      const double* number = packed;
      for (int i = 0; i < kEdges; ++i) {
        for (int j = i; j < kEdges; ++j) k[i][j] = k[j][i] = *number++;
        const int at = m_.flex_edgeadr[f] + edge[i];
        const double l = d_.flexedge_length[at], l0 = m_.flexedge_length0[at];
        E[i] = l * l - l0 * l0;
        D[i] = local(Vector::load(&d_.flexvert_xpos[3 * (first + elem[corners[i][0]])]) -
                     Vector::load(&d_.flexvert_xpos[3 * (first + elem[corners[i][1]])]));
      }
      Vector P[kEdges][kCorners];  // Σ_f k_ef dD_f/dx of each corner
      for (int i = 0; i < kEdges; ++i) {
        T[i] = 0;
        for (int j = 0; j < kEdges; ++j) {
          T[i] += k[i][j] * E[j];
          const Vector pull = D[j] * (2 * k[i][j]);
          P[i][corners[j][0]] += pull;
          P[i][corners[j][1]] -= pull;
        }
      }
      Matrix block[kCorners][kCorners];
      for (int i = 0; i < kEdges; ++i) {
        const int a = corners[i][0], b = corners[i][1];
        for (int c = 0; c < kCorners; ++c) {
          const Matrix pull = outer(D[i], P[i][c]);
          block[a][c] += pull;
          block[b][c] += pull * -1.0;
        }
        const double tension = std::max(T[i], 0.0);
        for (int r = 0; r < 9; r += 4) {
          block[a][a].m[r] += tension;
          block[b][b].m[r] += tension;
          block[a][b].m[r] -= tension;
          block[b][a].m[r] -= tension;
        }
      }
      for (int a = 0; a < kCorners; ++a) {
        for (int b = 0; b < kCorners; ++b) add(x[a], x[b], block[a][b]);
        finish(x[a]);
      }
    }
  }

  void add_bending(int f) {
    const double* b = &m_.flex_bending[m_.flex_bendingadr[f]];
    const int first = m_.flex_edgeadr[f];
    for (int e = first; e < first + m_.flex_edgenum[f]; ++e, b += kBendNumbers) {
      if (m_.flex_edgeflap[2 * e + 1] < 0) continue;
      const int vertex[4] = {m_.flex_edge[2 * e], m_.flex_edge[2 * e + 1], m_.flex_edgeflap[2 * e],
                             m_.flex_edgeflap[2 * e + 1]};
      Member x[4];
      next_element(x, 4, [&](int k) { return m_.flex_vertbodyid[m_.flex_vertadr[f] + vertex[k]]; });
      for (int i = 0; i < 4; ++i) {
        for (int j = 0; j < 4; ++j) add(x[i], x[j], b[4 * i + j]);
        finish(x[i]);
      }
    }
  }

  void add_cells(int f) {
    const FlexGrid grid(m_, f);
    Scratch scratch(d_.scratch());
    Vector* nodes = scratch.take<Vector>(grid.size());
    for (int n = 0; n < grid.size(); ++n) nodes[n] = node_position(m_, d_, grid.first + n);
    const bool moving = moves_as_whole(m_, f);
    grid.fill_inside(nodes);
    const int count = cell_count(grid), per_cell = nodes_per_cell(grid);
    const double* K = &m_.flex_stiffness[m_.flex_stiffnessadr[f]];
    for (int e = 0; e < count; ++e, K += 9 * per_cell * per_cell) {
      if (K[0] == 0 || moving) ++element_;
      if (K[0] == 0) continue;
      const FlexCell cell = cell_at(grid, e);
      const Matrix Q = to_matrix(cell_rotation(cell, nodes));
      if (moving)
        add_moving_cell(grid, cell, nodes, K, Q);
      else
        add_cell(grid, cell, K, Q);
    }
  }

  /// Block (i, j) of a cell, turned to the world. The stored matrix is the negative of the stiffness.
  static Matrix cell_block(const FlexCell& cell, const double* K, const Matrix& Q, const Matrix& Qt, int i, int j) {
    Matrix own;
    for (int r = 0; r < 3; ++r)
      for (int c = 0; c < 3; ++c) own(r, c) = -K[(3 * i + r) * 3 * cell.n + 3 * j + c];
    return Q * own * Qt;
  }

  void add_cell(const FlexGrid& grid, const FlexCell& cell, const double* K, const Matrix& Q) {
    const Matrix turn = aligned_ ? transpose(frame_) * Q : Q, back = transpose(turn);
    Member x[FlexCell::kMostNodes];
    next_element(x, cell.n, [&](int k) { return m_.flex_nodebodyid[grid.first + cell.node[k]]; });
    for (int i = 0; i < cell.n; ++i) {
      for (int j = 0; j < cell.n; ++j) add(x[i], x[j], cell_block(cell, K, turn, back, i, j));
      finish(x[i]);
    }
  }

  /// The same with the whole Jacobian of each node: Jᵀ K J.
  void add_moving_cell(const FlexGrid& grid, const FlexCell& cell, const Vector* nodes, const double* K,
                       const Matrix& Q) {
    Scratch scratch(d_.scratch());
    const Matrix Qt = transpose(Q);
    int begin[FlexCell::kMostNodes + 1] = {0};
    for (int i = 0; i < cell.n; ++i) {
      begin[i + 1] = begin[i];
      for (int dof = last_dof(m_, m_.flex_nodebodyid[grid.first + cell.node[i]]); dof >= 0; dof = m_.dof_parentid[dof])
        ++begin[i + 1];
    }
    const int total = begin[cell.n];
    int* dofs = scratch.take<int>(total);
    Vector* column = scratch.take<Vector>(total);
    Vector* turned = scratch.take<Vector>(total);
    Vector v[FlexCell::kMostNodes];
    for (int i = 0; i < cell.n; ++i) {
      const int body = m_.flex_nodebodyid[grid.first + cell.node[i]];
      const Vector offset = from_reference(m_, d_, nodes[cell.node[i]], body);
      for (int dof = last_dof(m_, body), k = begin[i]; dof >= 0; dof = m_.dof_parentid[dof], ++k) {
        dofs[k] = dof;
        column[k] = jacp_column(d_, dof, offset);
        v[i] += column[k] * d_.qvel[dof];
      }
    }
    for (int i = 0; i < cell.n; ++i) {
      Vector push;
      for (int j = 0; j < cell.n; ++j) {
        const Matrix block = cell_block(cell, K, Q, Qt, i, j);
        push += block * v[j];
        for (int b = begin[j]; b < begin[j + 1]; ++b) turned[b] = block * column[b] * scale_;
        for (int a = begin[i]; a < begin[i + 1]; ++a)
          for (int b = begin[j]; b < begin[j + 1]; ++b)
            d_.efm_K_val[d_.efm_K_rowadr[dofs[a]] + p_.find(dofs[a], dofs[b])] += dot(column[a], turned[b]);
      }
      for (int a = begin[i]; a < begin[i + 1]; ++a) d_.efm_c[dofs[a]] -= m_.opt.timestep * dot(column[a], push);
    }
  }

  const Model& m_;
  Data& d_;
  const Pattern& p_;
  int element_ = 0;  // in the pattern
  double scale_ = 0;
  bool aligned_ = false;
  Matrix frame_;
};

/// Writes the pattern as sparse rows over all dofs, with zeros.
void lay_out(const Model& m, Data& d, const Pattern& p) {
  d.nefmdof = static_cast<int>(std::count(p.block, p.block + p.nunit, true));
  d.nefmL = 9 * d.nefmdof;
  d.nefmK = p.nnz;
  if (kAddressSanitizer || d.efm_K_val.size() < static_cast<std::size_t>(d.nefmK) ||
      d.efm_dofid.size() < static_cast<std::size_t>(d.nefmdof))
    d.grow_rows();
  std::fill_n(d.efm_K_val.data(), d.nefmK, 0.0);
  std::ranges::fill(d.efm_c, 0.0);
  int at = 0, block = 0;
  for (int i = 0; i < m.nv; ++i) {
    const int unit = p.unit_of_dof[i];
    d.efm_K_rowadr[i] = at;
    d.efm_K_rownnz[i] = 0;
    if (unit < 0) continue;
    if (p.block[unit] && p.dof[unit] == i) d.efm_dofid[block++] = i;
    for (int k = p.rowadr[unit]; k < p.rowadr[unit + 1]; ++k)
      for (int c = 0; c < p.size[p.col[k]]; ++c) d.efm_K_colind[at++] = p.dof[p.col[k]] + c;
    d.efm_K_rownnz[i] = at - d.efm_K_rowadr[i];
  }
}

/// The inverse of a symmetric positive definite matrix.
Matrix inverse_of(const Matrix& a) {
  const Vector x = cross(a.row(1), a.row(2)), y = cross(a.row(2), a.row(0)), z = cross(a.row(0), a.row(1));
  return Matrix::from_columns(x, y, z) * (1 / dot(a.row(0), x));
}

/// Inverses of the 3 x 3 blocks of M + K.
void invert_blocks(const Model& m, Data& d) {
  for (int b = 0; b < d.nefmdof; ++b) {
    const int dof = d.efm_dofid[b];
    Matrix block;
    for (int r = 0; r < 3; ++r) {
      const int row = dof + r, start = d.efm_K_rowadr[row];
      const int* columns = d.efm_K_colind.data() + start;
      const auto own = std::lower_bound(columns, columns + d.efm_K_rownnz[row], dof) - columns;
      for (int c = 0; c < 3; ++c) block(r, c) += d.efm_K_val[start + own + c];
      for (int k = m.M_rowadr[row]; k < m.M_rowadr[row] + m.M_rownnz[row]; ++k) {
        const int c = m.M_colind[k] - dof;  // the row of a simple body has its diagonal only
        if (c < 0) continue;
        block(r, c) += d.M[k];
        if (c < r) block(c, r) += d.M[k];
      }
    }
    inverse_of(block).store(&d.efm_L[9 * b]);
  }
}

/// y = (M + K) x
void multiply(const Model& m, const Data& d, const StiffnessMatrix& K, const double* x, double* y) {
  mul_tree_sparse(m, d.M.data(), x, y);
  add_product(K, x, y);
}

double inner(const double* a, const double* b, int n) {
  double sum = 0;
  for (int i = 0; i < n; ++i) sum += a[i] * b[i];
  return sum;
}

/// The iterations ended before M + K was solved: as in MuJoCo it is reported as a singular inertia.
void count_unfinished(Data& d, const double* residual, int n) {
  const auto less = [](double a, double b) { return std::abs(a) < std::abs(b); };
  WarningStat& warning = d.warning[static_cast<std::size_t>(Warning::Inertia)];
  warning.lastinfo = static_cast<int>(std::max_element(residual, residual + n, less) - residual);
  ++warning.number;
}

}  // namespace

bool uses_flex_metric(const Model& m) {
  if (m.nflex == 0) return false;
  const auto integrator = static_cast<Integrator>(m.opt.integrator);
  if (m.opt.solver != static_cast<int>(SolverKind::CG) || m.opt.cone != static_cast<int>(Cone::Pyramidal) ||
      m.opt.enabled(kEnableSleep) || (integrator != Integrator::Implicit && integrator != Integrator::ImplicitFast))
    return false;
  for (int f = 0; f < m.nflex; ++f)
    if (!m.flex_rigid[f] && (is_elastic(m, f) || m.flex_passive[f])) return true;
  return false;
}

void flex_metric(const Model& m, Data& d) {
  if (m.nflex == 0) return;
  d.efm_active = uses_flex_metric(m);
  d.nefmK = d.nefmdof = d.nefmL = 0;
  if (!d.efm_active) return;
  Scratch scratch(d.scratch());
  const Pattern pattern(m, d, scratch);
  lay_out(m, d, pattern);
  Assembly assembly(m, d, pattern);
  assembly.add_flexes();
  assembly.add_contacts();
  invert_blocks(m, d);
}

StiffnessMatrix stiffness_matrix(const Model& m, const Data& d) {
  StiffnessMatrix K;
  K.n = static_cast<int>(m.nv);
  K.rownnz = d.efm_K_rownnz.data();
  K.rowadr = d.efm_K_rowadr.data();
  K.colind = d.efm_K_colind.data();
  K.value = d.efm_K_val.data();
  K.block = std::span(d.efm_dofid).first(static_cast<std::size_t>(d.nefmdof));
  K.inverse = d.efm_L.data();
  if (m.nefm0dof > 0 && bends_only(m, d)) {
    K.factored = std::span(m.efm0_dofid.data(), static_cast<std::size_t>(m.nefm0dof));
    K.L_rownnz = m.efm0_L_rownnz.data();
    K.L_rowadr = m.efm0_L_rowadr.data();
    K.L_colind = m.efm0_L_colind.data();
    K.L = m.efm0_L.data();
  }
  return K;
}

void solve_flex_metric(const Model& m, Data& d, double* x) {
  const int n = static_cast<int>(m.nv);
  const StiffnessMatrix K = stiffness_matrix(m, d);
  Scratch scratch(d.scratch());
  double* r = scratch.take<double>(n);
  double* z = scratch.take<double>(n);
  double* p = scratch.take<double>(n);
  double* Ap = scratch.take<double>(n);
  double* room = scratch.take<double>(room_to_precondition(K));
  const auto find_z = [&] {
    std::copy_n(r, n, z);
    precondition(K, z, room, [&](double* y) { solve_inertia(m, d, y); });
  };
  std::copy_n(x, n, r);
  std::fill_n(x, n, 0.0);
  const double size = std::sqrt(inner(r, r, n)), goal = m.opt.tolerance * size;
  find_z();
  if (!std::isfinite(size)) {  // what is not finite has to show
    std::copy_n(z, n, x);
    return;
  }
  std::copy_n(z, n, p);
  double rz = inner(r, z, n);
  for (int i = 0; std::sqrt(inner(r, r, n)) > goal; ++i) {
    if (i >= m.opt.iterations) return count_unfinished(d, r, n);
    multiply(m, d, K, p, Ap);
    const double curvature = inner(p, Ap, n);
    if (curvature == 0) return;  // the residual has underflowed
    const double alpha = rz / curvature;
    for (int k = 0; k < n; ++k) {
      x[k] += alpha * p[k];
      r[k] -= alpha * Ap[k];
    }
    find_z();
    const double before = rz;
    rz = inner(r, z, n);
    if (rz == 0) return;
    for (int k = 0; k < n; ++k) p[k] = z[k] + rz / before * p[k];
  }
}

}  // namespace sinew
