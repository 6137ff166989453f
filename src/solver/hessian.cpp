#include "solver/hessian.h"

#include <algorithm>
#include <cmath>

#include "solver/pack.h"

namespace sinew {
namespace {

constexpr int padded(int n) { return (n + 3) / 4 * 4; }

/// Rows k … of U from the rows of H: U_k = (H_k - Σ_{t<k} U_tk U_t) / sqrt(pivot), four rows at a time. A pivot that is
/// not positive belongs to a direction without inertia: it becomes the smallest value, its row is cleared.
SINEW_KERNEL void factor_panel(double* U, int stride, int width, int ncol, double* diag_inv) {
  double coef[4];
  for (int k0 = 0; k0 < width; k0 += 4) {
    const int k1 = std::min(k0 + 4, width);
    for (int k = k0; k < k1; ++k) {
      double* row = U + k * stride;
      for (int t = k0; t < k; ++t) coef[t - k0] = U[t * stride + k];
      subtract_combination(row + k, U + k0 * stride + k, stride, coef, k - k0, ncol - k);
      const bool degenerate = row[k] < kMinVal;
      const double pivot = std::sqrt(degenerate ? kMinVal : row[k]), inv = 1 / pivot;
      row[k] = pivot;
      diag_inv[k] = inv;
      const double factor = degenerate ? 0.0 : inv;
      for (int j = k + 1; j < ncol; ++j) row[j] *= factor;
    }
    for (int j = k1; j < width; ++j) {
      for (int t = k0; t < k1; ++t) coef[t - k0] = U[t * stride + j];
      subtract_combination(U + j * stride + j, U + k0 * stride + j, stride, coef, k1 - k0, ncol - j);
    }
  }
}

/// Rows of a later node: target[r][c] -= Σ_k P[k][r] Q[k][c]; triangular: only c >= r.
SINEW_KERNEL void reduce_block(double* target, int target_stride, const double* P, const double* Q, int stride,
                               int rank, int nrow, int ncol, bool triangular) {
  double coef[4];
  for (int k0 = 0; k0 < rank; k0 += 4) {
    const int nk = std::min(4, rank - k0);
    for (int r = 0; r < nrow; ++r) {
      for (int t = 0; t < nk; ++t) coef[t] = P[(k0 + t) * stride + r];
      const int c = triangular ? r : 0;
      subtract_combination(target + r * target_stride + c, Q + k0 * stride + c, stride, coef, nk, ncol - c);
    }
  }
}

/// Uᵀ y' = y for the rows of one panel; y holds the numbers of its columns.
SINEW_KERNEL void solve_transposed(const double* U, int stride, int width, int ncol, const double* diag_inv,
                                   double* y) {
  for (int r = 0; r < width; ++r) {
    y[r] *= diag_inv[r];
    subtract_combination<1>(y + r + 1, U + r * stride + r + 1, stride, y + r, ncol - r - 1);
  }
}

/// U x = y, the other way.
SINEW_KERNEL void solve_upper(const double* U, int stride, int width, int ncol, const double* diag_inv, double* y) {
  for (int r = width - 1; r >= 0; --r)
    y[r] = (y[r] - dot(U + r * stride + r + 1, y + r + 1, ncol - r - 1)) * diag_inv[r];
}

/// line[0..n) = Σ_r coef[r * stride] J[r * stride + 0..n); up to three numbers behind the line are overwritten.
SINEW_INLINE void combine_rows(double* line, const double* J, const double* coef, int stride, int nrow, int n) {
  for (int i = 0; i < n; i += 4) {
    Pack v = {};
    for (int r = 0; r < nrow; ++r) v += splat(coef[r * stride]) * load(J + r * stride + i);
    store(line + i, v);
  }
}

/// The upper triangle of Jᵀ Z: line p holds columns p … nnz-1, `stride` numbers apart.
SINEW_KERNEL void product_lines(double* lines, const double* J, const double* Z, int stride, int nrow, int nnz) {
  for (int p = 0; p < nnz; ++p) combine_rows(lines + p * stride, J + p, Z + p, stride, nrow, nnz - p);
}

/// The dense case: H[c_p][c_q] += Σ_r Z_rp J_rq for q >= p.
SINEW_KERNEL void add_product(double* H, int h_stride, const int* col, int nnz, const double* J, const double* Z,
                              int stride, int nrow, double* line) {
  for (int p = 0; p < nnz; ++p) {
    combine_rows(line, J + p, Z + p, stride, nrow, nnz - p);
    double* row = H + col[p] * h_stride;
    for (int q = p; q < nnz; ++q) row[col[q]] += line[q - p];
  }
}

}  // namespace

Hessian::Hessian(const ConstraintProblem& p, Scratch& scratch) : p_(p), plan_(plan_elimination(p, scratch)) {
  panel_ = scratch.take<Panel>(plan_.nnode);
  for (int k = 0; k < plan_.nnode; ++k) {
    panel_[k].stride = padded(plan_.node[k].ncol);
    panel_[k].U = scratch.take<double>(static_cast<std::size_t>(plan_.node[k].width) * panel_[k].stride);
  }
  diag_inv_ = scratch.take<double>(plan_.n);
  permuted_ = scratch.take<double>(plan_.n);
  gathered_ = scratch.take<double>(plan_.n);
  std::size_t most = 0;
  int widest = 0;
  for (const RowBlock& b : p.blocks) {
    most = std::max(most, static_cast<std::size_t>(b.nrow) * padded(b.nnz));
    widest = std::max(widest, b.nnz);
  }
  weighted_ = scratch.take<double>(most + 4);
  active_ = scratch.take<double>(most + 4);
  line_ = scratch.take<double>(static_cast<std::size_t>(plan_.identity ? 1 : widest) * padded(widest) + 4);
  copy_blocks(scratch);
}

/// Blocks with their columns in the order of elimination; where that is the natural order, the blocks as they are.
void Hessian::copy_blocks(Scratch& scratch) {
  blocks_ = scratch.take<RowBlock>(p_.blocks.size());
  std::copy(p_.blocks.begin(), p_.blocks.end(), blocks_);
  if (plan_.identity) return;
  for (std::size_t i = 0; i < p_.blocks.size(); ++i) {
    const RowBlock& from = p_.blocks[i];
    int* source = scratch.take<int>(from.nnz);
    for (int k = 0; k < from.nnz; ++k) source[k] = k;
    std::sort(source, source + from.nnz,
              [&](int a, int b) { return plan_.place[from.col[a]] < plan_.place[from.col[b]]; });
    int* col = scratch.take<int>(from.nnz);
    double* J = scratch.take<double>(static_cast<std::size_t>(from.nrow) * from.nnz);
    for (int k = 0; k < from.nnz; ++k) col[k] = plan_.place[from.col[source[k]]];
    for (int r = 0; r < from.nrow; ++r)
      for (int k = 0; k < from.nnz; ++k) J[r * from.nnz + k] = from.J[r * from.nnz + source[k]];
    blocks_[i].col = col;
    blocks_[i].J = J;
  }
}

int Hessian::column_in_panel(int node, int place) const {
  const int other = plan_.identity ? 0 : plan_.node_of[place];
  const Elimination::Node& a = plan_.node[node];
  if (other == node) return place - a.begin;
  const int* found = std::lower_bound(a.reach, a.reach + a.nreach, other);
  return a.offset[found - a.reach] + place - plan_.node[other].begin;
}

void Hessian::add_inertia() {
  const TreeMatrix& M = p_.M;
  for (int i = 0; i < M.n; ++i) {
    const double* row = M.value + M.rowadr[i];
    const int* col = M.colind + M.rowadr[i];
    if (plan_.identity) {
      for (int k = 0; k < M.rownnz[i]; ++k) panel_[0].U[col[k] * panel_[0].stride + i] += row[k];
      continue;
    }
    for (int k = 0; k < M.rownnz[i]; ++k) {
      const int a = std::min(plan_.place[i], plan_.place[col[k]]), b = std::max(plan_.place[i], plan_.place[col[k]]);
      const int node = plan_.node_of[a];
      panel_[node].U[(a - plan_.node[node].begin) * panel_[node].stride + column_in_panel(node, b)] += row[k];
    }
  }
}

/// Adds a line of Jᵀ W J, columns from `column` on, to the row of that column.
void Hessian::scatter(const RowBlock& block, int column, const double* values) {
  const int place = block.col[column], node = plan_.node_of[place];
  double* row = panel_[node].U + (place - plan_.node[node].begin) * panel_[node].stride;
  int q = column;
  while (q < block.nnz) {
    // the columns of one node stand together in the panel as well
    const int other = plan_.node_of[block.col[q]];
    const int first = block.col[q];
    double* target = row + column_in_panel(node, first);
    for (; q < block.nnz && plan_.node_of[block.col[q]] == other; ++q)
      target[block.col[q] - first] += values[q - column];
  }
}

void Hessian::add_rows(const RowBlock& block, const int* state, const double* cone_hessian) {
  const int nnz = block.nnz, stride = padded(nnz);
  // the active rows of J, and the same times W
  int nactive = 0;
  const FrictionCone* cone = nullptr;
  for (int r = 0; r < block.nrow; ++r) {
    const int row = block.row + r, s = state[row];
    if (s != kQuadratic && s != kCone) continue;
    const double* J = block.J + r * nnz;
    double* a = active_ + nactive * stride;
    double* z = weighted_ + nactive * stride;
    ++nactive;
    std::copy(J, J + nnz, a);
    std::fill(a + nnz, a + stride, 0.0);
    if (s == kQuadratic) {
      for (int k = 0; k < nnz; ++k) z[k] = p_.D[row] * J[k];
      continue;
    }
    if (!cone || row >= cone->row + cone->nrow)
      cone = &*std::prev(std::upper_bound(p_.cones.begin(), p_.cones.end(), row,
                                          [](int i, const FrictionCone& c) { return i < c.row; }));
    const double* H = cone_hessian + 36 * (cone - p_.cones.data()) + (row - cone->row) * cone->dim;
    const double* J0 = block.J + (cone->row - block.row) * nnz;
    for (int k = 0; k < nnz; ++k) z[k] = 0;
    for (int j = 0; j < cone->dim; ++j) add_scaled(z, J0 + j * nnz, H[j], nnz);
  }
  if (nactive == 0) return;
  if (plan_.identity) {
    add_product(panel_[0].U, panel_[0].stride, block.col, nnz, active_, weighted_, stride, nactive, line_);
    return;
  }
  product_lines(line_, active_, weighted_, stride, nactive, nnz);
  for (int p = 0; p < nnz; ++p) scatter(block, p, line_ + p * stride);
}

/// Subtracts the part that node k's rows contribute to the rows of the nodes they reach.
void Hessian::reduce_later_nodes(int k) {
  const Elimination::Node& node = plan_.node[k];
  const Panel& from = panel_[k];
  for (int i = 0; i < node.nreach; ++i) {
    const Elimination::Node& later = plan_.node[node.reach[i]];
    const Panel& to = panel_[node.reach[i]];
    // its own columns, together with the reached nodes that stand directly behind them there as well
    const double* P = from.U + node.offset[i];
    int j = i + 1, at = 0;
    while (j < node.nreach && at < later.nreach && later.reach[at] == node.reach[j]) ++j, ++at;
    const auto end_of = [&](int k) { return k < node.nreach ? node.offset[k] : node.ncol; };
    reduce_block(to.U, to.stride, P, P, from.stride, node.width, later.width, end_of(j) - node.offset[i], true);
    while (j < node.nreach) {
      while (later.reach[at] != node.reach[j]) ++at;
      const int first = j, column = later.offset[at];
      while (j < node.nreach && at < later.nreach && later.reach[at] == node.reach[j]) ++j, ++at;
      reduce_block(to.U + column, to.stride, P, from.U + node.offset[first], from.stride, node.width, later.width,
                   end_of(j) - node.offset[first], false);
    }
  }
}

void Hessian::factor(const int* state, const double* cone_hessian) {
  for (int k = 0; k < plan_.nnode; ++k)
    std::fill_n(panel_[k].U, static_cast<std::size_t>(plan_.node[k].width) * panel_[k].stride, 0.0);
  add_inertia();
  for (std::size_t i = 0; i < p_.blocks.size(); ++i) add_rows(blocks_[i], state, cone_hessian);
  for (int k = 0; k < plan_.nnode; ++k) {
    const Elimination::Node& node = plan_.node[k];
    factor_panel(panel_[k].U, panel_[k].stride, node.width, node.ncol, diag_inv_ + node.begin);
    reduce_later_nodes(k);
  }
}

void Hessian::solve(double* x) const {
  if (plan_.identity) {
    solve_transposed(panel_[0].U, panel_[0].stride, plan_.n, plan_.n, diag_inv_, x);
    solve_upper(panel_[0].U, panel_[0].stride, plan_.n, plan_.n, diag_inv_, x);
    return;
  }
  double* y = permuted_;
  for (int i = 0; i < plan_.n; ++i) y[plan_.place[i]] = x[i];
  // the numbers of a node's columns are gathered, so that its rows meet them side by side
  const auto gather = [&](const Elimination::Node& node) {
    std::copy_n(y + node.begin, node.width, gathered_);
    for (int i = 0; i < node.nreach; ++i) {
      const Elimination::Node& later = plan_.node[node.reach[i]];
      std::copy_n(y + later.begin, later.width, gathered_ + node.offset[i]);
    }
  };
  for (int k = 0; k < plan_.nnode; ++k) {
    const Elimination::Node& node = plan_.node[k];
    gather(node);
    solve_transposed(panel_[k].U, panel_[k].stride, node.width, node.ncol, diag_inv_ + node.begin, gathered_);
    std::copy_n(gathered_, node.width, y + node.begin);
    for (int i = 0; i < node.nreach; ++i) {
      const Elimination::Node& later = plan_.node[node.reach[i]];
      std::copy_n(gathered_ + node.offset[i], later.width, y + later.begin);
    }
  }
  for (int k = plan_.nnode - 1; k >= 0; --k) {
    const Elimination::Node& node = plan_.node[k];
    gather(node);
    solve_upper(panel_[k].U, panel_[k].stride, node.width, node.ncol, diag_inv_ + node.begin, gathered_);
    std::copy_n(gathered_, node.width, y + node.begin);
  }
  for (int i = 0; i < plan_.n; ++i) x[i] = y[plan_.place[i]];
}

}  // namespace sinew
