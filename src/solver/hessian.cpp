#include "solver/hessian.h"

#include <algorithm>
#include <cmath>

#include "math/pack.h"
#include "solver/cost.h"

namespace sinew {
namespace {

/// Rows k … of U from the rows of H: U_k = (H_k - Σ_{t<k} U_tk U_t) / sqrt(pivot), four rows at a time. A nonpositive
/// pivot belongs to a direction without inertia: it is set to the smallest value, its row is cleared.
///
/// Works on whole packs, from the one that holds the diagonal to the end of the padded row: entries left of the
/// diagonal are garbage and never read.
SINEW_KERNEL void factor_panel(double* U, int stride, int width, double* diag_inv) {
  double coef[4];
  for (int k0 = 0; k0 < width; k0 += 4) {
    const int k1 = std::min(k0 + 4, width);
    for (int k = k0; k < k1; ++k) {
      double* row = U + k * stride;
      for (int t = k0; t < k; ++t) coef[t - k0] = U[t * stride + k];
      subtract_combination(row + k0, U + k0 * stride + k0, stride, coef, k - k0, stride - k0);
      const bool degenerate = row[k] < kMinVal;
      const double pivot = std::sqrt(degenerate ? kMinVal : row[k]), inv = 1 / pivot;
      const double factor = degenerate ? 0.0 : inv;
      for (int j = k0; j < stride; j += 4) store_pack(row + j, load_pack(row + j) * factor);
      row[k] = pivot;
      diag_inv[k] = inv;
    }
    for (int j = k1; j < width; ++j) {  // rows remain below only after four full ones
      const int first = j / 4 * 4;
      for (int t = 0; t < 4; ++t) coef[t] = U[(k0 + t) * stride + j];
      subtract_combination<4>(U + j * stride + first, U + k0 * stride + first, stride, coef, stride - first);
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

/// Uᵀ y' = y for the rows of one panel; y holds the numbers of its columns, with zeros behind them up to the stride.
void solve_transposed(const double* U, int stride, int width, const double* diag_inv, double* y) {
  for (int r = 0; r < width; ++r, U += stride) {
    y[r] *= diag_inv[r];
    for (int c = r + 1; c < stride; ++c) y[c] -= U[c] * y[r];
  }
}

/// U x = y, the other way. Columns behind the row's own four are summed in packs.
void solve_upper(const double* U, int stride, int width, const double* diag_inv, double* y) {
  for (int r = width - 1; r >= 0; --r) {
    const double* row = U + r * stride;
    const int behind = r / 4 * 4 + 4;
    double rest = dot(row + behind, y + behind, stride - behind);
    for (int c = r + 1; c < behind; ++c) rest += row[c] * y[c];
    y[r] = (y[r] - rest) * diag_inv[r];
  }
}

/// A row of J and the same row of W J, W J = Σ_j weight_j mixed_j, both padded with zeros.
SINEW_KERNEL void weigh_row(const double* own, const double* mixed, const double* weight, int count, int nnz, double* a,
                            double* z) {
  int k = 0;
  for (; k + 4 <= nnz; k += 4) {
    store_pack(a + k, load_pack(own + k));
    Pack v = weight[0] * load_pack(mixed + k);
    for (int j = 1; j < count; ++j) v += weight[j] * load_pack(mixed + j * nnz + k);
    store_pack(z + k, v);
  }
  for (const int end = padded(nnz); k < end; ++k) {
    a[k] = z[k] = 0;
    if (k >= nnz) continue;
    a[k] = own[k];
    for (int j = 0; j < count; ++j) z[k] += weight[j] * mixed[j * nnz + k];
  }
}

/// `packs` packs of line[…] = Σ_r coef[r * stride] J[r * stride + …].
template <int packs>
SINEW_INLINE void combine_packs(double* line, const double* J, const double* coef, int stride, int nrow) {
  Pack v[packs] = {};
  for (int r = 0; r < nrow; ++r, J += stride, coef += stride) {
    const double c = *coef;
    for (int k = 0; k < packs; ++k) v[k] += c * load_pack(J + 4 * k);
  }
  for (int k = 0; k < packs; ++k) store_pack(line + 4 * k, v[k]);
}

/// The same for n entries; up to three after the end are overwritten.
SINEW_INLINE void combine_rows(double* line, const double* J, const double* coef, int stride, int nrow, int n) {
  int i = 0;
  for (; n - i > 12; i += 16) combine_packs<4>(line + i, J + i, coef, stride, nrow);
  switch ((n - i + 3) / 4) {
    case 1: return combine_packs<1>(line + i, J + i, coef, stride, nrow);
    case 2: return combine_packs<2>(line + i, J + i, coef, stride, nrow);
    case 3: return combine_packs<3>(line + i, J + i, coef, stride, nrow);
  }
}

/// y += x
SINEW_INLINE void add(double* y, const double* x, int n) {
  int i = 0;
  for (; i + 4 <= n; i += 4) store_pack(y + i, load_pack(y + i) + load_pack(x + i));
  for (; i < n; ++i) y[i] += x[i];
}

/// Rows of H of the first run of columns: H_pq += Σ_r Z_rp J_rq for q >= p. `offset`: start of each run inside the rows
/// at H.
SINEW_KERNEL void add_product(double* H, int h_stride, const ColumnRun* run, int nrun, const int* offset,
                              const ProductRows& rows, double* line) {
  const int end = run[nrun - 1].at + run[nrun - 1].count;
  for (int i = 0; i < run[0].count; ++i, H += h_stride) {
    const int p = run[0].at + i;
    combine_rows(line, rows.J + p, rows.Z + p, rows.stride, rows.count, end - p);
    add(H + offset[0] + i, line, run[0].count - i);
    for (int q = 1; q < nrun; ++q) add(H + offset[q], line + run[q].at - p, run[q].count);
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
  gathered_ = scratch.take<double>(padded(plan_.n));
  std::size_t most = 0;
  int widest = 0;
  for (const RowBlock& b : p.blocks) {
    most = std::max(most, static_cast<std::size_t>(b.nrow) * padded(b.nnz));
    widest = std::max(widest, b.nnz);
  }
  weighted_ = scratch.take<double>(most + 4);
  active_ = scratch.take<double>(most + 4);
  line_ = scratch.take<double>(padded(widest) + 4);
  offset_ = scratch.take<int>(widest);
  blocks_ = scratch.take<Block>(p.blocks.size());
  for (std::size_t i = 0; i < p.blocks.size(); ++i) blocks_[i] = arranged(p.blocks[i], scratch);
}

/// The block with its columns in elimination order; if they already are, it refers to the same values.
Hessian::Block Hessian::arranged(const RowBlock& from, Scratch& scratch) const {
  Block block = {from.row, from.nrow, from.nnz, from.J, scratch.take<ColumnRun>(from.nnz), 0};
  bool sorted = true;
  for (int k = 0; k < from.nnz;) {
    const int place = plan_.identity ? from.col[k] : plan_.place[from.col[k]];
    const int node = plan_.identity ? 0 : plan_.node_of[place];
    int count = 1;
    while (k + count < from.nnz && from.col[k + count] == from.col[k] + count &&
           (plan_.identity || (place + count < plan_.n && plan_.node_of[place + count] == node &&
                               plan_.place[from.col[k + count]] == place + count)))
      ++count;
    // insertion sort into the runs so far: there are few, and most come in order
    int i = block.nrun++;
    for (; i > 0 && block.run[i - 1].place > place; --i) block.run[i] = block.run[i - 1];
    sorted &= i == block.nrun - 1;
    block.run[i] = {place, count, k, node};
    k += count;
  }
  if (sorted) return block;
  double* J = scratch.take<double>(static_cast<std::size_t>(from.nrow) * from.nnz);
  block.J = J;
  int at = 0;
  for (int i = 0; i < block.nrun; ++i) {
    ColumnRun& run = block.run[i];
    for (int r = 0; r < from.nrow; ++r)
      for (int k = 0; k < run.count; ++k) J[r * from.nnz + at + k] = from.J[r * from.nnz + run.at + k];
    run.at = at;
    at += run.count;
  }
  return block;
}

int Hessian::column_in_panel(int node, int other, int place) const {
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
    const int own_place = plan_.place[i], own_node = plan_.node_of[own_place];
    int last = -1;  // ancestors come node by node: most are in the same block as the previous one
    double* U = nullptr;
    int origin = 0, step = 0;
    for (int k = 0; k < M.rownnz[i]; ++k) {
      const int place = plan_.place[col[k]], node = plan_.node_of[place];
      if (node != last) {
        const int begin = plan_.node[node].begin;
        // down the column of dof i, or along its row, whichever node is eliminated first
        if (node <= own_node) {
          U = panel_[node].U;
          step = panel_[node].stride;
          origin = column_in_panel(node, own_node, own_place) - begin * step;
        } else {
          U = panel_[own_node].U + (own_place - plan_.node[own_node].begin) * panel_[own_node].stride;
          step = 1;
          origin = column_in_panel(own_node, node, begin) - begin;
        }
        last = node;
      }
      U[origin + place * step] += row[k];
    }
  }
}

void Hessian::add_rows(const Block& block, const int* state, const double* cone_hessian) {
  const int nnz = block.nnz, stride = padded(nnz);
  if (nnz == 1 && block.nrow == 1) {  // a limit or dry friction of one dof
    if (state[block.row] != kQuadratic) return;
    const Panel& panel = panel_[block.run->node];
    const int own = block.run->place - plan_.node[block.run->node].begin;
    panel.U[own * (panel.stride + 1)] += p_.D[block.row] * block.J[0] * block.J[0];
    return;
  }
  // the active rows of J and of W J
  int nactive = 0;
  for (int r = 0; r < block.nrow; ++r) {
    const int row = block.row + r, s = state[row];
    if (s != kQuadratic && s != kCone) continue;
    const RowWeights w = row_weights(p_, row, s, cone_hessian);
    weigh_row(block.J + r * nnz, block.J + (w.first - block.row) * nnz, w.weight, w.count, nnz,
              active_ + nactive * stride, weighted_ + nactive * stride);
    ++nactive;
  }
  if (nactive == 0) return;
  for (int i = 0; i < block.nrun; ++i) {
    const ColumnRun* run = block.run + i;
    for (int q = 0; q < block.nrun - i; ++q) offset_[q] = column_in_panel(run->node, run[q].node, run[q].place);
    const Panel& panel = panel_[run->node];
    double* H = panel.U + (run->place - plan_.node[run->node].begin) * panel.stride;
    add_product(H, panel.stride, run, block.nrun - i, offset_, {active_, weighted_, stride, nactive}, line_);
  }
}

/// Subtracts the contribution of node k's rows to the rows of the nodes they reach.
void Hessian::reduce_later_nodes(int k) {
  const Elimination::Node& node = plan_.node[k];
  const Panel& from = panel_[k];
  for (int i = 0; i < node.nreach; ++i) {
    const Elimination::Node& later = plan_.node[node.reach[i]];
    const Panel& to = panel_[node.reach[i]];
    // its own columns, together with the reached nodes that directly follow them in both panels
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
    factor_panel(panel_[k].U, panel_[k].stride, node.width, diag_inv_ + node.begin);
    reduce_later_nodes(k);
  }
}

void Hessian::solve(double* x) const {
  if (plan_.identity) {
    std::copy_n(x, plan_.n, gathered_);
    std::fill(gathered_ + plan_.n, gathered_ + panel_[0].stride, 0.0);
    solve_transposed(panel_[0].U, panel_[0].stride, plan_.n, diag_inv_, gathered_);
    solve_upper(panel_[0].U, panel_[0].stride, plan_.n, diag_inv_, gathered_);
    std::copy_n(gathered_, plan_.n, x);
    return;
  }
  double* y = permuted_;
  for (int i = 0; i < plan_.n; ++i) y[plan_.place[i]] = x[i];
  // the entries of a node's columns are gathered, so that its rows access them contiguously
  const auto gather = [&](const Elimination::Node& node, int stride) {
    std::copy_n(y + node.begin, node.width, gathered_);
    for (int i = 0; i < node.nreach; ++i) {
      const Elimination::Node& later = plan_.node[node.reach[i]];
      std::copy_n(y + later.begin, later.width, gathered_ + node.offset[i]);
    }
    std::fill(gathered_ + node.ncol, gathered_ + stride, 0.0);
  };
  for (int k = 0; k < plan_.nnode; ++k) {
    const Elimination::Node& node = plan_.node[k];
    gather(node, panel_[k].stride);
    solve_transposed(panel_[k].U, panel_[k].stride, node.width, diag_inv_ + node.begin, gathered_);
    std::copy_n(gathered_, node.width, y + node.begin);
    for (int i = 0; i < node.nreach; ++i) {
      const Elimination::Node& later = plan_.node[node.reach[i]];
      std::copy_n(gathered_ + node.offset[i], later.width, y + later.begin);
    }
  }
  for (int k = plan_.nnode - 1; k >= 0; --k) {
    const Elimination::Node& node = plan_.node[k];
    gather(node, panel_[k].stride);
    solve_upper(panel_[k].U, panel_[k].stride, node.width, diag_inv_ + node.begin, gathered_);
    std::copy_n(gathered_, node.width, y + node.begin);
  }
  for (int i = 0; i < plan_.n; ++i) x[i] = y[plan_.place[i]];
}

}  // namespace sinew
