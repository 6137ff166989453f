#include <algorithm>

#include "compile/assemble.h"
#include "dynamics/flex.h"
#include "model/equality_kinds.h"
#include "model/joint_kinds.h"

// Structure derived from the arrays of the tree: dof parents, kinematic trees, sparsity patterns.

namespace sinew::compiling {
namespace {

/// The last dof of the body or of its nearest ancestor with dofs, -1: none.
int last_dof_above(const Model& m, int body) {
  while (body > 0 && m.body_dofnum[body] == 0) body = m.body_parentid[body];
  return body > 0 ? m.body_dofadr[body] + m.body_dofnum[body] - 1 : -1;
}

/// Collects the rows of a compressed pattern one by one.
struct Pattern {
  std::vector<int> rownnz, rowadr, colind;

  void add_row(const std::vector<int>& columns) {
    rowadr.push_back(static_cast<int>(colind.size()));
    rownnz.push_back(static_cast<int>(columns.size()));
    colind.insert(colind.end(), columns.begin(), columns.end());
  }
};

/// Rows of the flexes. There is room for those of every flex that moves, used or not. As in MuJoCo 3.12.0 a row follows
/// the one before it, and rows that are not used are at 0: where a flex that measures nothing stands between two that
/// do, the later one's rows replace the earlier one's.
struct FlexPattern : Pattern {
  std::int64_t room = 0;

  void add_rows(int count, const std::vector<int>& columns, bool used) {
    room += count * static_cast<std::int64_t>(columns.size());
    for (int k = 0; k < count; ++k) {
      const int begin = rownnz.empty() || !used ? 0 : rowadr.back() + rownnz.back();
      rowadr.push_back(begin);
      rownnz.push_back(used ? static_cast<int>(columns.size()) : 0);
      if (!used) continue;
      colind.resize(std::max(colind.size(), begin + columns.size()));
      std::copy(columns.begin(), columns.end(), colind.begin() + begin);
    }
  }

  /// The number of entries there is room for.
  std::int64_t finish() {
    colind.resize(room);
    return room;
  }
};

/// The dof and its ancestors, ascending.
std::vector<int> chain(const Model& m, int dof) {
  std::vector<int> out;
  for (; dof >= 0; dof = m.dof_parentid[dof]) out.push_back(dof);
  std::reverse(out.begin(), out.end());
  return out;
}

/// M: lower triangle, diagonal last; the row of a simple dof has only the diagonal. dof_Madr and nM describe the same
/// triangle with full rows, each from the diagonal up to the root.
void set_inertia_pattern(Model& m) {
  Pattern pattern;
  m.nM = 0;
  m.mapM2M.clear();
  for (int i = 0; i < m.nv; ++i) {
    const std::vector<int> row = chain(m, i);
    m.dof_Madr[i] = static_cast<int>(m.nM);
    m.nM += static_cast<std::int64_t>(row.size());
    pattern.add_row(m.dof_simplenum[i] > 0 ? std::vector<int>{i} : row);
    for (int k = pattern.rownnz[i] - 1; k >= 0; --k) m.mapM2M.push_back(m.dof_Madr[i] + k);
  }
  m.nC = static_cast<std::int64_t>(pattern.colind.size());
  m.M_rownnz = std::move(pattern.rownnz);
  m.M_rowadr = std::move(pattern.rowadr);
  m.M_colind = std::move(pattern.colind);
}

/// Address of (row, column) with column <= row in M, or -1.
int find_in_inertia(const Model& m, int row, int column) {
  const auto begin = m.M_colind.begin() + m.M_rowadr[row], end = begin + m.M_rownnz[row];
  const auto it = std::lower_bound(begin, end, column);
  return it != end && *it == column ? static_cast<int>(it - m.M_colind.begin()) : -1;
}

/// D: both triangles of M, with full rows also for simple dofs.
void set_square_pattern(Model& m) {
  std::vector<std::vector<int>> rows(m.nv);
  for (int i = 0; i < m.nv; ++i) {  // descendants come later, so every row ends up ascending
    for (const int j : chain(m, i)) {
      rows[i].push_back(j);
      if (j != i) rows[j].push_back(i);
    }
  }
  Pattern pattern;
  m.mapM2D.clear();
  m.mapD2M.assign(m.nC, 0);
  for (int i = 0; i < m.nv; ++i) {
    const auto diagonal = std::lower_bound(rows[i].begin(), rows[i].end(), i);
    m.D_diag[i] = static_cast<int>(diagonal - rows[i].begin());
    for (const int j : rows[i]) {
      const int at = find_in_inertia(m, std::max(i, j), std::min(i, j));
      if (j <= i && at >= 0) m.mapD2M[at] = static_cast<int>(m.mapM2D.size());
      m.mapM2D.push_back(at);
    }
    pattern.add_row(rows[i]);
  }
  m.nD = static_cast<std::int64_t>(pattern.colind.size());
  m.D_rownnz = std::move(pattern.rownnz);
  m.D_rowadr = std::move(pattern.rowadr);
  m.D_colind = std::move(pattern.colind);
}

/// B: for each body the dofs that move it, and those of its descendants.
void set_body_pattern(Model& m) {
  std::vector<int> end(m.nbody);  // one past the last body of the subtree
  for (int b = static_cast<int>(m.nbody) - 1; b >= 0; --b) {
    end[b] = std::max(end[b], b + 1);
    if (b > 0) end[m.body_parentid[b]] = std::max(end[m.body_parentid[b]], end[b]);
  }
  Pattern pattern;
  for (int b = 0; b < m.nbody; ++b) {
    std::vector<int> row = b > 0 ? chain(m, last_dof_above(m, m.body_parentid[b])) : std::vector<int>();
    for (int k = b; k < end[b]; ++k)
      for (int dof = 0; dof < m.body_dofnum[k]; ++dof) row.push_back(m.body_dofadr[k] + dof);
    pattern.add_row(row);
  }
  m.nB = static_cast<std::int64_t>(pattern.colind.size());
  m.B_rownnz = std::move(pattern.rownnz);
  m.B_rowadr = std::move(pattern.rowadr);
  m.B_colind = std::move(pattern.colind);
}

void add_chain(const Model& m, int body, std::vector<int>& columns) {
  for (int dof = last_dof_above(m, body); dof >= 0; dof = m.dof_parentid[dof]) columns.push_back(dof);
}

std::vector<int> sorted_unique(std::vector<int> v) {
  std::sort(v.begin(), v.end());
  v.erase(std::unique(v.begin(), v.end()), v.end());
  return v;
}

/// ten_J: the joints of a fixed tendon, or all dofs that move a body on the path.
void set_tendon_pattern(Model& m) {
  Pattern pattern;
  for (int t = 0; t < m.ntendon; ++t) {
    std::vector<int> columns;
    for (int w = m.tendon_adr[t]; w < m.tendon_adr[t] + m.tendon_num[t]; ++w) {
      if (static_cast<WrapType>(m.wrap_type[w]) == WrapType::Joint)
        columns.push_back(m.jnt_dofadr[m.wrap_objid[w]]);
      else if (const int body = wrapped_body(m, w); body >= 0)
        add_chain(m, body, columns);
    }
    pattern.add_row(sorted_unique(std::move(columns)));
  }
  m.nJten = static_cast<std::int64_t>(pattern.colind.size());
  m.ten_J_rownnz = std::move(pattern.rownnz);
  m.ten_J_rowadr = std::move(pattern.rowadr);
  m.ten_J_colind = std::move(pattern.colind);
}

/// Upper bound of the nonzeros in the moment rows of an actuator.
std::int64_t moment_bound(const Model& m, int a) {
  const int id = m.actuator_trnid[2 * a], second = m.actuator_trnid[2 * a + 1];
  std::vector<int> columns, other;
  const auto add_sites = [&] {
    add_chain(m, m.site_bodyid[id], columns);
    if (second >= 0) add_chain(m, m.site_bodyid[second], other);
    const auto both = static_cast<std::int64_t>(columns.size() + other.size());
    columns.insert(columns.end(), other.begin(), other.end());
    const auto either = static_cast<std::int64_t>(sorted_unique(columns).size());
    return std::pair(either, both - either);
  };
  switch (static_cast<TrnType>(m.actuator_trntype[a])) {
    case TrnType::Joint:
    case TrnType::JointInParent: return joint_kind(m, id).nv;
    case TrnType::Tendon: return m.ten_J_rownnz[id];
    case TrnType::SliderCrank: return add_sites().first;
    case TrnType::Site: {  // common dofs of the two sites cancel
      const auto [either, common] = add_sites();
      return either - common;
    }
    case TrnType::So3: return second >= 0 ? 3 * m.nv : 3;
    default: return m.nv;
  }
}

}  // namespace

void link_tree(Model& m) {
  m.ntree = 0;
  for (int i = 0; i < m.nv; ++i) {
    const int body = m.dof_bodyid[i];
    m.dof_parentid[i] = i > m.body_dofadr[body] ? i - 1 : last_dof_above(m, m.body_parentid[body]);
    m.dof_treeid[i] = m.dof_parentid[i] < 0 ? static_cast<int>(m.ntree++) : m.dof_treeid[m.dof_parentid[i]];
  }
  m.tree_bodyadr.assign(m.ntree, -1);
  m.tree_bodynum.assign(m.ntree, 0);
  m.tree_dofadr.assign(m.ntree, -1);
  m.tree_dofnum.assign(m.ntree, 0);
  m.tree_sleep_policy.assign(m.ntree, 0);
  for (int b = 0; b < m.nbody; ++b) {
    const int weld = m.body_weldid[b];
    const int tree = m.body_dofnum[weld] > 0 ? m.dof_treeid[m.body_dofadr[weld]] : -1;
    m.body_treeid[b] = tree;
    if (tree < 0) continue;
    if (m.tree_bodyadr[tree] < 0) m.tree_bodyadr[tree] = b;
    ++m.tree_bodynum[tree];
  }
  for (int i = 0; i < m.nv; ++i) {
    const int tree = m.dof_treeid[i];
    if (m.tree_dofadr[tree] < 0) m.tree_dofadr[tree] = i;
    ++m.tree_dofnum[tree];
  }
}

void set_sparsity(Model& m) {
  set_inertia_pattern(m);
  set_square_pattern(m);
  set_body_pattern(m);
  set_tendon_pattern(m);
  m.nJmom = 0;
  for (int a = 0; a < m.nactuator; ++a) m.nJmom += moment_bound(m, a);
  count_equality_rows(m);
}

void set_flex_patterns(Model& m) {
  FlexPattern edges, vertices;
  for (int f = 0; f < m.nflex; ++f) {
    const bool moves = !m.flex_rigid[f] && m.flex_interp[f] == 0;
    const auto add_edge = [&](int e, std::vector<int>& columns) {
      for (int k = 0; k < 2; ++k) add_chain(m, m.flex_vertbodyid[m.flex_vertadr[f] + m.flex_edge[2 * e + k]], columns);
    };
    const bool measures_edges = uses_edges(m, f) || m.flex_edgeequality[f] != 0;
    for (int e = m.flex_edgeadr[f]; e < m.flex_edgeadr[f] + m.flex_edgenum[f]; ++e) {
      std::vector<int> columns;
      if (moves) add_edge(e, columns);
      edges.add_rows(1, sorted_unique(std::move(columns)), moves && measures_edges);
    }
    const bool measures_strain = m.flex_edgeequality[f] == 2 && m.flex_dim[f] == 2;
    std::vector<std::vector<int>> columns_at(static_cast<std::size_t>(m.flex_vertnum[f]));
    for (int e = m.flex_edgeadr[f]; moves && e < m.flex_edgeadr[f] + m.flex_edgenum[f]; ++e)
      for (int end = 0; end < 2; ++end) add_edge(e, columns_at[static_cast<std::size_t>(m.flex_edge[2 * e + end])]);
    for (std::vector<int>& columns : columns_at)
      vertices.add_rows(2, sorted_unique(std::move(columns)), moves && measures_strain);
  }
  m.nJfe = edges.finish();
  m.flexedge_J_rownnz = std::move(edges.rownnz);
  m.flexedge_J_rowadr = std::move(edges.rowadr);
  m.flexedge_J_colind = std::move(edges.colind);
  m.nJfv = vertices.finish() / 2;
  m.flexvert_J_rownnz = std::move(vertices.rownnz);
  m.flexvert_J_rowadr = std::move(vertices.rowadr);
  m.flexvert_J_colind = std::move(vertices.colind);
}

void count_equality_rows(Model& m) {
  std::int64_t rows = 0;
  for (int eq = 0; eq < m.neq; ++eq) rows += equality_kind(m, eq).reserved;
  m.nemax = rows;
}

void scale_total_mass(Model& m, double total) {
  double sum = 0;
  for (int b = 1; b < m.nbody; ++b) sum += m.body_mass[b];
  const double scale = std::max(kMinVal, total / std::max(kMinVal, sum));
  for (double& mass : m.body_mass) mass *= scale;
  for (double& inertia : m.body_inertia) inertia *= scale;
}

}  // namespace sinew::compiling
