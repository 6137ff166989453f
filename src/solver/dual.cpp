#include "solver/dual.h"

#include <algorithm>
#include <cmath>

#include "solver/rows.h"
#include "solver/tree_matrix.h"

namespace sinew {

DualOperator::DualOperator(const ConstraintProblem& p, Scratch& scratch, Arena& arena) : p_(p), arena_(arena) {
  diagonal_ = scratch.take<double>(p.nefc);
  b_ = scratch.take<double>(p.nefc);
  multiply_rows(p.blocks, p.acc_smooth, b_, arena);
  for (int i = 0; i < p.nefc; ++i) b_[i] -= p.aref[i];
  if (p.nefc <= kFormedRows)
    form_matrix(scratch);
  else
    solve_for_rows(scratch);
}

/// A = Yᵀ D⁻¹ Y with Y = L⁻ᵀ Jᵀ, M = Lᵀ D L. Y is stored dof by dof, so that all rows are solved at once.
SINEW_KERNEL void DualOperator::form_matrix(Scratch& scratch) {
  const TreeMatrix& M = p_.M;
  const int n = M.n, nefc = p_.nefc, stride = padded(nefc);
  stride_ = stride;
  A_ = scratch.take<double>(static_cast<std::size_t>(nefc) * stride);
  Af_ = scratch.zeros<double>(stride);
  double* Y = scratch.zeros<double>(static_cast<std::size_t>(n) * stride);
  bool* touched = scratch.zeros<bool>(n);  // the dof affects some row
  for (const RowBlock& block : p_.blocks) {
    for (int j = 0; j < block.nnz; ++j) {
      touched[block.col[j]] = true;
      double* y = Y + static_cast<std::size_t>(block.col[j]) * stride + block.row;
      for (int r = 0; r < block.nrow; ++r) y[r] = block.J[r * block.nnz + j];
    }
  }
  int ntouched = 0;
  int* dofs = scratch.take<int>(n);
  for (int i = n - 1; i >= 0; --i) {  // leaf to root
    if (!touched[i]) continue;
    dofs[ntouched++] = i;
    const double *row = M.factor + M.rowadr[i], *own = Y + static_cast<std::size_t>(i) * stride;
    const int* col = M.colind + M.rowadr[i];
    for (int k = 0; k < M.rownnz[i] - 1; ++k) {
      touched[col[k]] = true;
      add_scaled(Y + static_cast<std::size_t>(col[k]) * stride, own, -row[k], stride);
    }
  }
  double* scaled = scratch.take<double>(static_cast<std::size_t>(ntouched) * stride);
  for (int k = 0; k < ntouched; ++k)
    for (int r = 0; r < stride; r += 4)
      store_pack(scaled + k * stride + r,
                 M.diag_inv[dofs[k]] * load_pack(Y + static_cast<std::size_t>(dofs[k]) * stride + r));
  for (int r = 0; r < nefc; ++r) {
    for (int c = 0; c <= r; c += 4) {
      Pack sum = {};
      for (int k = 0; k < ntouched; ++k)
        sum += scaled[k * stride + r] * load_pack(Y + static_cast<std::size_t>(dofs[k]) * stride + c);
      store_pack(A_ + r * stride + c, sum);
    }
    diagonal_[r] = A_[r * stride + r];
  }
  for (int r = 0; r < nefc; ++r) {  // the other half
    for (int c = r + 1; c < nefc; ++c) A_[r * stride + c] = A_[c * stride + r];
    for (int c = nefc; c < stride; ++c) A_[r * stride + c] = 0;
  }
}

/// M⁻¹ Jᵀ, each row on the dofs of its trees.
void DualOperator::solve_for_rows(Scratch& scratch) {
  const ConstraintProblem& p = p_;
  const int n = p.M.n;
  block_of_ = scratch.take<int>(p.nefc);
  support_ = scratch.take<Support>(p.blocks.size());
  w_ = scratch.take<double>(n);
  int* root = scratch.take<int>(n);  // first dof of a dof's tree
  for (int begin = 0; begin < n;) {
    const int end = tree_end(p.M, begin);
    std::fill(root + begin, root + end, begin);
    begin = end;
  }
  double* x = scratch.zeros<double>(n);
  int* trees = scratch.take<int>(n);
  for (std::size_t k = 0; k < p.blocks.size(); ++k) {
    const RowBlock& block = p.blocks[k];
    Support& s = support_[k];
    s.ntree = 0;
    s.width = 0;
    int* position = scratch.take<int>(block.nnz);
    for (int j = 0; j < block.nnz; ++j) {
      const int first = root[block.col[j]];
      if (s.ntree == 0 || trees[s.ntree - 1] != first) {
        if (s.ntree > 0) s.width += tree_end(p.M, trees[s.ntree - 1]) - trees[s.ntree - 1];
        trees[s.ntree++] = first;
      }
      position[j] = s.width + block.col[j] - first;
    }
    if (s.ntree > 0) s.width += tree_end(p.M, trees[s.ntree - 1]) - trees[s.ntree - 1];
    int* begin = scratch.take<int>(s.ntree);
    int* end = scratch.take<int>(s.ntree);
    for (int t = 0; t < s.ntree; ++t) {
      begin[t] = trees[t];
      end[t] = tree_end(p.M, trees[t]);
    }
    double* B = scratch.take<double>(static_cast<std::size_t>(block.nrow) * s.width);
    for (int r = 0; r < block.nrow; ++r) {
      block_of_[block.row + r] = static_cast<int>(k);
      for (int j = 0; j < block.nnz; ++j) x[block.col[j]] = block.J[r * block.nnz + j];
      double* out = B + static_cast<std::size_t>(r) * s.width;
      for (int t = 0; t < s.ntree; ++t) {
        solve_tree(p.M, x, begin[t], end[t]);
        out = std::copy(x + begin[t], x + end[t], out);
        std::fill(x + begin[t], x + end[t], 0.0);
      }
    }
    s.begin = begin;
    s.end = end;
    s.B = B;
    s.position = position;
    for (int r = 0; r < block.nrow; ++r) diagonal_[block.row + r] = entry(block.row + r, block.row + r);
  }
}

SINEW_KERNEL void DualOperator::set_forces(const double* force) {
  if (A_) {
    for (int i = 0; i < p_.nefc; ++i) Af_[i] = dot(A_ + static_cast<std::size_t>(i) * stride_, force, p_.nefc);
    return;
  }
  multiply_rows_transposed(p_.blocks, force, w_, p_.M.n, arena_);
  solve_tree(p_.M, w_);
}

void DualOperator::add_column(int row, double change) {
  const int k = block_of_[row];
  const Support& s = support_[k];
  const double* B = s.B + static_cast<std::size_t>(row - p_.blocks[k].row) * s.width;
  for (int t = 0; t < s.ntree; ++t) {
    const int width = s.end[t] - s.begin[t];
    add_scaled(w_ + s.begin[t], B, change, width);
    B += width;
  }
}

double DualOperator::row_times_w(int row) const {
  const RowBlock& block = p_.blocks[block_of_[row]];
  const double* J = block.J + static_cast<std::size_t>(row - block.row) * block.nnz;
  double sum = 0;
  for (int j = 0; j < block.nnz; ++j) sum += J[j] * w_[block.col[j]];
  return sum;
}

double DualOperator::entry(int i, int j) const {
  if (A_) return A_[i * stride_ + j];
  const int k = block_of_[i];
  const RowBlock& block = p_.blocks[k];
  const Support& s = support_[k];
  const double* J = block.J + static_cast<std::size_t>(i - block.row) * block.nnz;
  const double* B = s.B + static_cast<std::size_t>(j - block.row) * s.width;
  double sum = 0;
  for (int c = 0; c < block.nnz; ++c) sum += J[c] * B[s.position[c]];
  return sum;
}

double dual_cost(const ConstraintProblem& p, const double* force, Arena& arena) {
  Scratch scratch(arena);
  double* b = scratch.take<double>(p.nefc);
  double* f = scratch.take<double>(p.M.n);
  double* w = scratch.take<double>(p.M.n);
  multiply_rows(p.blocks, p.acc_smooth, b, arena);
  multiply_rows_transposed(p.blocks, force, f, p.M.n, arena);
  std::copy(f, f + p.M.n, w);
  solve_tree(p.M, w);
  // two sums: with an infinite warm start both are infinite and cancel to NaN, as in MuJoCo
  double quadratic = 0.5 * dot(f, w, p.M.n), linear = 0;
  for (int i = 0; i < p.nefc; ++i) {
    quadratic += 0.5 * p.R[i] * force[i] * force[i];
    linear += force[i] * (b[i] - p.aref[i]);
  }
  return quadratic + linear;
}

double dual_cost_change(const double* A, const double* residual, const double* d, int n) {
  double change = 0;
  for (int i = 0; i < n; ++i) {
    double Ad = 0;
    for (int j = 0; j < n; ++j) Ad += A[i * n + j] * d[j];
    change += d[i] * (residual[i] + 0.5 * Ad);
  }
  return change;
}

void record_dual_iteration(const ConstraintProblem& p, double improvement, Solution& x) {
  int nactive = 0, nchange = 0;
  const auto set = [&](int i, int s) {
    nactive += s != kSatisfied;
    nchange += s != x.state[i];
    x.state[i] = s;
  };
  for (int i = 0; i < p.ne; ++i) set(i, kQuadratic);
  for (int i = p.ne; i < p.ne + p.nf; ++i) {
    const double f = p.frictionloss[i];
    set(i, x.force[i] <= -f ? kLinearPos : x.force[i] >= f ? kLinearNeg : kQuadratic);
  }
  int row = p.ne + p.nf;
  if (p.elliptic) {
    for (const FrictionCone& cone : p.cones) {
      for (; row < cone.row; ++row) set(row, x.force[row] <= 0 ? kSatisfied : kQuadratic);
      const double N = x.force[row] / cone.mu;
      double TT = 0;
      for (int j = 1; j < cone.dim; ++j) {
        const double t = x.force[row + j] / cone.friction[j - 1];
        TT += t * t;
      }
      const double T = std::sqrt(TT);
      const int s = cone.mu * N >= T ? kSatisfied : N + cone.mu * T <= 0 ? kQuadratic : kCone;
      for (int j = 0; j < cone.dim; ++j) set(row++, s);
    }
  }
  for (; row < p.nefc; ++row) set(row, x.force[row] <= 0 ? kSatisfied : kQuadratic);
  if (x.niter < static_cast<int>(x.stat.size())) {
    x.stat[x.niter] = {};
    x.stat[x.niter].improvement = improvement;
    x.stat[x.niter].nactive = nactive;
    x.stat[x.niter].nchange = nchange;
  }
  ++x.niter;
}

}  // namespace sinew
