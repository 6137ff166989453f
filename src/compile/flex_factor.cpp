#include "compile/flex_factor.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "dynamics/flex_forces.h"

namespace sinew::compiling {
namespace {

/// A row of a sparse lower triangular matrix: columns ascending, the diagonal last.
struct Row {
  std::vector<int> col;
  std::vector<double> value;

  double& at(int column) {
    const auto place = std::lower_bound(col.begin(), col.end(), column) - col.begin();
    return value[static_cast<std::size_t>(place)];
  }
};

/// Bodies with three dofs that some flex bends, by first dof.
std::vector<int> bent_dofs(const Model& m) {
  std::vector<int> out;
  for (int f = 0; f < m.nflex; ++f) {
    if (!has_bending(m, f)) continue;
    for (int v = m.flex_vertadr[f]; v < m.flex_vertadr[f] + m.flex_vertnum[f]; ++v)
      if (const int dof = three_dofs(m, m.flex_vertbodyid[v]); dof >= 0) out.push_back(dof);
  }
  std::ranges::sort(out);
  out.erase(std::ranges::unique(out).begin(), out.end());
  return out;
}

/// visit(body i, body j, number) for each entry of the bending stiffness times h² + h damping; bodies are places in
/// `dofs`.
template <class Visit>
void for_each_bend(const Model& m, const std::vector<int>& dofs, Visit&& visit) {
  const double h = m.opt.timestep;
  for (int f = 0; f < m.nflex; ++f) {
    if (!has_bending(m, f)) continue;
    const double scale = h * h + h * m.flex_damping[f];
    const double* b = &m.flex_bending[m.flex_bendingadr[f]];
    for (int e = m.flex_edgeadr[f]; e < m.flex_edgeadr[f] + m.flex_edgenum[f]; ++e, b += kBendNumbers) {
      if (m.flex_edgeflap[2 * e + 1] < 0) continue;
      const int vertex[4] = {m.flex_edge[2 * e], m.flex_edge[2 * e + 1], m.flex_edgeflap[2 * e],
                             m.flex_edgeflap[2 * e + 1]};
      int place[4];
      for (int k = 0; k < 4; ++k) {
        const int dof = three_dofs(m, m.flex_vertbodyid[m.flex_vertadr[f] + vertex[k]]);
        place[k] = dof < 0 ? -1 : static_cast<int>(std::ranges::lower_bound(dofs, dof) - dofs.begin());
      }
      for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 4; ++j)
          if (place[i] >= 0 && place[j] >= 0) visit(place[i], place[j], scale * b[4 * i + j]);
    }
  }
}

/// The lower triangle of the matrix, one number per pair of bodies: it is the same for their three dofs. Rows have room
/// for the factor: eliminating row k, from the last to the first, couples all columns of that row, which the row of the
/// largest of them inherits.
std::vector<Row> lower_triangle(const Model& m, const std::vector<int>& dofs) {
  std::vector<Row> rows(dofs.size());
  for (std::size_t i = 0; i < dofs.size(); ++i) rows[i].col.push_back(static_cast<int>(i));
  for_each_bend(m, dofs, [&](int i, int j, double) {
    if (j < i) rows[static_cast<std::size_t>(i)].col.push_back(j);
  });
  for (std::size_t k = dofs.size(); k-- > 0;) {
    std::vector<int>& col = rows[k].col;
    std::ranges::sort(col);
    col.erase(std::ranges::unique(col).begin(), col.end());
    if (col.size() < 2) continue;
    std::vector<int>& heir = rows[static_cast<std::size_t>(col[col.size() - 2])].col;
    heir.insert(heir.end(), col.begin(), col.end() - 1);
  }
  for (std::size_t i = 0; i < dofs.size(); ++i) {
    rows[i].value.assign(rows[i].col.size(), 0.0);
    rows[i].value.back() = m.dof_M0[dofs[i]];
  }
  for_each_bend(m, dofs, [&](int i, int j, double value) {
    if (j <= i) rows[static_cast<std::size_t>(i)].at(j) += value;
  });
  return rows;
}

/// In place, from the last row to the first; false: not positive definite.
bool factor(std::vector<Row>& rows) {
  for (std::size_t k = rows.size(); k-- > 0;) {
    Row& row = rows[k];
    const double diagonal = row.value.back();
    if (!(diagonal > 0)) return false;
    const double root = std::sqrt(diagonal);
    for (double& x : row.value) x /= root;
    row.value.back() = root;
    for (std::size_t a = 0; a + 1 < row.col.size(); ++a) {
      Row& other = rows[static_cast<std::size_t>(row.col[a])];
      std::size_t at = 0;
      for (std::size_t b = 0; b <= a; ++b) {
        while (other.col[at] < row.col[b]) ++at;
        other.value[at] -= row.value[a] * row.value[b];
      }
    }
  }
  return true;
}

}  // namespace

void factor_bending(Model& m) {
  const std::vector<int> dofs = bent_dofs(m);
  std::vector<Row> rows = lower_triangle(m, dofs);
  const bool definite = factor(rows);
  std::vector<int> dofid, rownnz, rowadr, colind;
  std::vector<double> L;
  for (std::size_t i = 0; definite && i < rows.size(); ++i) {
    for (int axis = 0; axis < 3; ++axis) {
      dofid.push_back(dofs[i] + axis);
      rownnz.push_back(static_cast<int>(rows[i].col.size()));
      rowadr.push_back(static_cast<int>(L.size()));
      for (const int column : rows[i].col) colind.push_back(3 * column + axis);
      L.insert(L.end(), rows[i].value.begin(), rows[i].value.end());
    }
  }
  m.nefm0dof = static_cast<std::int64_t>(dofid.size());
  m.nefm0L = static_cast<std::int64_t>(L.size());
  m.efm0_dofid = dofid;
  m.efm0_L_rownnz = rownnz;
  m.efm0_L_rowadr = rowadr;
  m.efm0_L_colind = colind;
  m.efm0_L = L;
}

}  // namespace sinew::compiling
