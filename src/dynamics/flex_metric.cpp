#include "dynamics/flex_metric.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/checked.h"
#include "dynamics/flex_cell.h"
#include "dynamics/flex_forces.h"
#include "dynamics/inertia.h"

namespace sinew {
namespace {

using Vector = Vec3<double>;
using Matrix = Mat3<double>;

bool is_elastic(const Model& m, int f) { return has_elastic_cells(m, f) || has_bending(m, f) || has_stretch(m, f); }

/// A group of bodies that an elastic element couples; those without exactly three dofs do not take part.
template <class Visit>
void for_each_element(const Model& m, int f, Visit&& visit) {
  int body[FlexCell::kMostNodes];
  const auto vertex_body = [&](int v) { return m.flex_vertbodyid[m.flex_vertadr[f] + v]; };
  if (has_stretch(m, f)) {
    const int corners = m.flex_dim[f] + 1;
    const int* elem = &m.flex_elem[m.flex_elemdataadr[f]];
    for (int e = 0; e < m.flex_elemnum[f]; ++e, elem += corners) {
      for (int k = 0; k < corners; ++k) body[k] = vertex_body(elem[k]);
      visit(body, corners);
    }
  }
  if (has_bending(m, f)) {
    for (int e = m.flex_edgeadr[f]; e < m.flex_edgeadr[f] + m.flex_edgenum[f]; ++e) {
      if (m.flex_edgeflap[2 * e + 1] < 0) continue;
      for (int k = 0; k < 2; ++k) {
        body[k] = vertex_body(m.flex_edge[2 * e + k]);
        body[2 + k] = vertex_body(m.flex_edgeflap[2 * e + k]);
      }
      visit(body, 4);
    }
  }
  if (has_elastic_cells(m, f)) {
    const FlexGrid grid(m, f);
    const int count = cell_count(grid);
    for (int e = 0; e < count; ++e) {
      const FlexCell cell = cell_at(grid, e);
      for (int k = 0; k < cell.n; ++k) body[k] = m.flex_nodebodyid[grid.first + cell.node[k]];
      visit(body, cell.n);
    }
  }
}

/// Which bodies K couples. A unit is a body with three dofs.
struct Pattern {
  int nunit = 0;
  int* unit_of_dof;  // by first dof; -1: none
  int* dof;          // first dof of each unit, ascending
  int* rowadr;       // nunit + 1: units coupled to each unit, ascending
  int* col;

  Pattern(const Model& m, Scratch& scratch) {
    unit_of_dof = scratch.take<int>(m.nv);
    std::fill_n(unit_of_dof, m.nv, -1);
    int places = 0, nelement = 0;
    for_each(m, [&](const int* body, int n) {
      for (int k = 0; k < n; ++k)
        if (const int dof = three_dofs(m, body[k]); dof >= 0) unit_of_dof[dof] = 0, ++places;
      ++nelement;
    });
    dof = scratch.take<int>(m.nv / 3 + 1);
    for (int i = 0; i < m.nv; ++i) {
      if (unit_of_dof[i] < 0) continue;
      unit_of_dof[i] = nunit;
      dof[nunit++] = i;
    }
    rowadr = scratch.take<int>(nunit + 1);

    // elements, and the elements of each unit
    int* begin = scratch.take<int>(nelement + 1);
    int* member = scratch.take<int>(places);
    int* count = scratch.zeros<int>(nunit + 1);
    begin[0] = nelement = 0;
    for_each(m, [&](const int* body, int n) {
      int end = begin[nelement];
      for (int k = 0; k < n; ++k) {
        if (const int first = three_dofs(m, body[k]); first >= 0) {
          member[end] = unit_of_dof[first];
          ++count[member[end++] + 1];
        }
      }
      begin[++nelement] = end;
    });
    std::partial_sum(count, count + nunit + 1, count);
    int* element = scratch.take<int>(places);
    int* next = scratch.take<int>(nunit);
    std::copy_n(count, nunit, next);
    for (int e = 0; e < nelement; ++e)
      for (int k = begin[e]; k < begin[e + 1]; ++k) element[next[member[k]]++] = e;

    // two passes over the neighbors of each unit: count them, then list them
    int* seen = scratch.take<int>(nunit);
    std::fill_n(seen, nunit, -1);
    const auto for_each_neighbor = [&](int unit, int stamp, auto&& visit) {
      for (int k = count[unit]; k < count[unit + 1]; ++k) {
        for (int j = begin[element[k]]; j < begin[element[k] + 1]; ++j) {
          if (seen[member[j]] == stamp) continue;
          seen[member[j]] = stamp;
          visit(member[j]);
        }
      }
    };
    rowadr[0] = 0;
    for (int u = 0; u < nunit; ++u) {
      int n = 0;
      for_each_neighbor(u, u, [&](int) { ++n; });
      rowadr[u + 1] = rowadr[u] + n;
    }
    col = scratch.take<int>(rowadr[nunit]);
    for (int u = 0; u < nunit; ++u) {
      int* out = col + rowadr[u];
      for_each_neighbor(u, nunit + u, [&](int neighbor) { *out++ = neighbor; });
      std::sort(col + rowadr[u], out);
    }
  }

  template <class Visit>
  static void for_each(const Model& m, Visit&& visit) {
    for (int f = 0; f < m.nflex; ++f) for_each_element(m, f, visit);
  }
};

/// Adds the elements of the flexes to K and c. Blocks of an element are given in world axes; the three dofs of a body
/// count as the axes of its frame.
class Assembly {
 public:
  Assembly(const Model& m, Data& d, const Pattern& pattern) : m_(m), d_(d), p_(pattern) {}

  void add_flexes() {
    for (int f = 0; f < m_.nflex; ++f) {
      const double h = m_.opt.timestep;
      scale_ = h * h + h * m_.flex_damping[f];
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

 private:
  /// A body of an element: its unit (-1: none), frame and velocity.
  struct Member {
    int unit = -1;
    Matrix R;
    Vector v;
    Vector push;  // K v
  };

  Member member(int body) const {
    Member x;
    const int dof = three_dofs(m_, body);
    if (dof < 0) return x;
    x.unit = p_.unit_of_dof[dof];
    x.R = Matrix::load(&d_.xmat[9 * body]);
    x.v = x.R * Vector::load(&d_.qvel[dof]);
    return x;
  }

  /// Block (a, b) of an element, in world axes.
  void add(Member& a, const Member& b, const Matrix& block) {
    if (a.unit < 0 || b.unit < 0) return;
    a.push += block * b.v;
    const Matrix turned = transpose(a.R) * block * b.R;
    const int *begin = p_.col + p_.rowadr[a.unit], *end = p_.col + p_.rowadr[a.unit + 1];
    const int place = 3 * static_cast<int>(std::lower_bound(begin, end, b.unit) - begin);
    const int dof = p_.dof[a.unit];
    for (int r = 0; r < 3; ++r) {
      double* out = d_.efm_K_val.data() + d_.efm_K_rowadr[dof + r] + place;
      for (int c = 0; c < 3; ++c) out[c] += scale_ * turned(r, c);
    }
  }

  /// c = -h K v
  void finish(const Member& a) {
    if (a.unit < 0) return;
    const Vector force = mul_transposed(a.R, a.push) * -m_.opt.timestep;
    force.add_to(&d_.efm_c[p_.dof[a.unit]]);
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
      for (int k = 0; k < kCorners; ++k) x[k] = member(m_.flex_vertbodyid[first + elem[k]]);
      double k[kEdges][kEdges], E[kEdges], T[kEdges];
      Vector D[kEdges];
      const double* number = packed;
      for (int i = 0; i < kEdges; ++i) {
        for (int j = i; j < kEdges; ++j) k[i][j] = k[j][i] = *number++;
        const int at = m_.flex_edgeadr[f] + edge[i];
        const double l = d_.flexedge_length[at], l0 = m_.flexedge_length0[at];
        E[i] = l * l - l0 * l0;
        D[i] = Vector::load(&d_.flexvert_xpos[3 * (first + elem[corners[i][0]])]) -
               Vector::load(&d_.flexvert_xpos[3 * (first + elem[corners[i][1]])]);
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
      for (int i = 0; i < 4; ++i) x[i] = member(m_.flex_vertbodyid[m_.flex_vertadr[f] + vertex[i]]);
      for (int i = 0; i < 4; ++i) {
        for (int j = 0; j < 4; ++j) add(x[i], x[j], Matrix::identity() * b[4 * i + j]);
        finish(x[i]);
      }
    }
  }

  void add_cells(int f) {
    const FlexGrid grid(m_, f);
    Scratch scratch(d_.scratch());
    Vector* nodes = scratch.take<Vector>(grid.size());
    for (int n = 0; n < grid.size(); ++n) nodes[n] = node_position(m_, d_, grid.first + n);
    grid.fill_inside(nodes);
    const int count = cell_count(grid), per_cell = nodes_per_cell(grid);
    const double* K = &m_.flex_stiffness[m_.flex_stiffnessadr[f]];
    for (int e = 0; e < count; ++e, K += 9 * per_cell * per_cell) {
      if (K[0] == 0) continue;
      const FlexCell cell = cell_at(grid, e);
      const Matrix Q = to_matrix(cell_rotation(cell, nodes)), Qt = transpose(Q);
      Member x[FlexCell::kMostNodes];
      for (int i = 0; i < cell.n; ++i) x[i] = member(m_.flex_nodebodyid[grid.first + cell.node[i]]);
      for (int i = 0; i < cell.n; ++i) {
        for (int j = 0; j < cell.n; ++j) {
          Matrix own;  // the stored matrix is the negative of the stiffness
          for (int r = 0; r < 3; ++r)
            for (int c = 0; c < 3; ++c) own(r, c) = -K[(3 * i + r) * 3 * cell.n + 3 * j + c];
          add(x[i], x[j], Q * own * Qt);
        }
        finish(x[i]);
      }
    }
  }

  const Model& m_;
  Data& d_;
  const Pattern& p_;
  double scale_ = 0;
};

/// Writes the pattern as sparse rows over all dofs, with zeros.
void lay_out(const Model& m, Data& d, const Pattern& p) {
  d.nefmdof = p.nunit;
  d.nefmL = 9 * p.nunit;
  d.nefmK = 9 * p.rowadr[p.nunit];
  if (kAddressSanitizer || d.efm_K_val.size() < static_cast<std::size_t>(d.nefmK) ||
      d.efm_dofid.size() < static_cast<std::size_t>(d.nefmdof))
    d.grow_rows();
  std::copy_n(p.dof, p.nunit, d.efm_dofid.data());
  std::fill_n(d.efm_K_val.data(), d.nefmK, 0.0);
  std::ranges::fill(d.efm_K_rownnz, 0);
  std::ranges::fill(d.efm_c, 0.0);
  int at = 0, unit = 0;
  for (int i = 0; i < m.nv; ++i) {
    d.efm_K_rowadr[i] = at;
    while (unit < p.nunit && p.dof[unit] + 3 <= i) ++unit;
    if (unit == p.nunit || p.dof[unit] > i) continue;
    for (int k = p.rowadr[unit]; k < p.rowadr[unit + 1]; ++k)
      for (int c = 0; c < 3; ++c) d.efm_K_colind[at++] = p.dof[p.col[k]] + c;
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
      const int diagonal = m.M_rowadr[row] + m.M_rownnz[row] - 1;
      for (int c = 0; c <= r; ++c) {
        const double value = d.M[diagonal - r + c];
        block(r, c) += value;
        if (c < r) block(c, r) += value;
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
  const Pattern pattern(m, scratch);
  lay_out(m, d, pattern);
  Assembly(m, d, pattern).add_flexes();
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
  const double goal = m.opt.tolerance * std::sqrt(inner(r, r, n));
  find_z();
  std::copy_n(z, n, p);
  double rz = inner(r, z, n);
  for (int i = 0; i < m.opt.iterations && std::sqrt(inner(r, r, n)) > goal; ++i) {
    multiply(m, d, K, p, Ap);
    const double alpha = rz / inner(p, Ap, n);
    for (int k = 0; k < n; ++k) {
      x[k] += alpha * p[k];
      r[k] -= alpha * Ap[k];
    }
    find_z();
    const double before = rz;
    rz = inner(r, z, n);
    for (int k = 0; k < n; ++k) p[k] = z[k] + rz / before * p[k];
  }
}

}  // namespace sinew
