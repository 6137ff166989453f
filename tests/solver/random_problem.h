#pragma once

#include <Eigen/Dense>
#include <cmath>
#include <memory>
#include <random>
#include <vector>

#include "solver/problem.h"

namespace sinew::test {

struct Shape {
  std::vector<int> trees;  // dofs of each tree
  int equality = 2;
  int friction = 3;
  int limit = 4;
  int contact = 5;
  bool elliptic = false;
  bool pressed = false;  // contacts with a large normal force
  double branch = 0.3;   // probability that a dof's parent is not the previous one
  double empty = 0;      // probability that a constraint has no columns
};

/// A random constraint problem that owns its arrays; also has M and J as dense matrices.
struct RandomProblem {
  ConstraintProblem p;
  Eigen::MatrixXd M, J;
  Eigen::VectorXd D, R, aref, loss, smooth_force, smooth_acc;
  std::vector<int> rownnz, rowadr, colind;
  std::vector<double> value, factor, diag_inv;
  std::vector<RowBlock> blocks;
  std::vector<FrictionCone> cones;
  std::vector<std::vector<int>> columns;
  std::vector<std::vector<double>> values;
  std::vector<std::unique_ptr<std::array<double, 5>>> friction;

  RandomProblem(const Shape& shape, unsigned seed) : random_(seed), empty_(shape.empty) {
    make_inertia(shape);
    const int n = static_cast<int>(parent_.size());
    for (int i = 0; i < shape.equality; ++i) add_rows(1, 2);
    p.ne = nrow_;
    for (int i = 0; i < shape.friction; ++i) add_rows(1, 1);
    p.nf = nrow_ - p.ne;
    for (int i = 0; i < shape.limit; ++i) add_rows(1, 1);
    for (int i = 0; i < shape.contact; ++i) add_contact(shape.elliptic, std::array{3, 4, 6, 1}[i % 4]);
    p.nefc = nrow_;
    p.elliptic = shape.elliptic;
    fill_rows(shape);
    smooth_force = Eigen::VectorXd::NullaryExpr(n, [&] { return 3 * normal(); });
    smooth_acc = n > 0 ? Eigen::VectorXd(M.llt().solve(smooth_force)) : Eigen::VectorXd();
    p.blocks = blocks;
    p.cones = cones;
    p.D = D.data();
    p.R = R.data();
    p.aref = aref.data();
    p.frictionloss = loss.data();
    p.frc_smooth = smooth_force.data();
    p.acc_smooth = smooth_acc.data();
    p.scale = p.dual_scale = n > 0 ? 1 / M.trace() : 1.0;
  }

 private:
  double normal() { return std::normal_distribution<double>()(random_); }
  double uniform(double lo, double hi) { return std::uniform_real_distribution<double>(lo, hi)(random_); }

  void make_inertia(const Shape& shape) {
    for (int size : shape.trees) {
      const int begin = static_cast<int>(parent_.size());
      for (int i = 0; i < size; ++i) {
        int up = i == 0 ? -1 : begin + i - 1;
        if (i > 1 && uniform(0, 1) < shape.branch) up = begin + static_cast<int>(uniform(0, i - 0.001));
        parent_.push_back(up);
      }
    }
    const int n = static_cast<int>(parent_.size());
    // M = Lᵀ D L with the tree's sparsity, so that the factor is known exactly
    Eigen::MatrixXd L = Eigen::MatrixXd::Identity(n, n);
    Eigen::VectorXd d(n);
    for (int i = 0; i < n; ++i) {
      d[i] = uniform(0.5, 2);
      for (int j = parent_[i]; j >= 0; j = parent_[j]) L(i, j) = 0.4 * normal();
    }
    M = L.transpose() * d.asDiagonal() * L;
    for (int i = 0; i < n; ++i) {
      std::vector<int> chain;
      for (int j = i; j >= 0; j = parent_[j]) chain.insert(chain.begin(), j);
      rowadr.push_back(static_cast<int>(colind.size()));
      rownnz.push_back(static_cast<int>(chain.size()));
      for (int j : chain) {
        colind.push_back(j);
        value.push_back(M(i, j));
        factor.push_back(i == j ? d[i] : L(i, j));
      }
      diag_inv.push_back(1 / d[i]);
    }
    p.M = {n, rownnz.data(), rowadr.data(), colind.data(), value.data(), factor.data(), diag_inv.data()};
  }

  /// nrow rows that move `ends` random chains.
  void add_rows(int nrow, int ends) {
    const int n = static_cast<int>(parent_.size());
    std::vector<bool> used(n);
    if (n == 0 || (empty_ > 0 && uniform(0, 1) < empty_)) ends = 0;
    for (int e = 0; e < ends; ++e)
      for (int j = static_cast<int>(uniform(0, n - 0.001)); j >= 0; j = parent_[j]) used[j] = true;
    std::vector<int> col;
    for (int j = 0; j < n; ++j)
      if (used[j]) col.push_back(j);
    std::vector<double> J(nrow * col.size() + 4);
    for (double& x : J) x = normal();
    columns.push_back(col);
    values.push_back(J);
    blocks.push_back({nrow_, nrow, static_cast<int>(col.size()), columns.back().data(), values.back().data()});
    nrow_ += nrow;
  }

  void add_contact(bool elliptic, int dim) {
    const int nrow = dim == 1 ? 1 : elliptic ? dim : 2 * (dim - 1);
    const int row = nrow_;
    add_rows(nrow, 2);
    if (dim == 1) return;
    friction.push_back(std::make_unique<std::array<double, 5>>());
    for (double& f : *friction.back()) f = uniform(0.2, 1.2);
    cones.push_back({row, nrow, dim, 0.0, friction.back()->data()});
  }

  void fill_rows(const Shape& shape) {
    const int n = static_cast<int>(parent_.size());
    for (std::size_t i = 0; i < blocks.size(); ++i) {
      blocks[i].col = columns[i].data();
      blocks[i].J = values[i].data();
    }
    J = Eigen::MatrixXd::Zero(nrow_, n);
    for (const RowBlock& b : blocks)
      for (int r = 0; r < b.nrow; ++r)
        for (int k = 0; k < b.nnz; ++k) J(b.row + r, b.col[k]) = b.J[r * b.nnz + k];
    R.resize(nrow_);
    aref.resize(nrow_);
    loss = Eigen::VectorXd::Zero(nrow_);
    for (int i = 0; i < nrow_; ++i) {
      R[i] = uniform(0.05, 0.5);
      aref[i] = 2 * normal();
    }
    for (int i = p.ne; i < p.ne + p.nf; ++i) loss[i] = uniform(0.1, 1);
    // the regularizers of a cone follow from the first: R_j mu_j² is the same for all friction rows
    for (FrictionCone& c : cones) {
      const double ratio = shape.elliptic ? uniform(0.3, 3) : 1.0;
      if (shape.pressed) aref[c.row] = uniform(15, 25);
      c.mu = c.friction[0] / std::sqrt(ratio);
      if (!shape.elliptic) continue;
      R[c.row + 1] = R[c.row] / ratio;
      for (int j = 2; j < c.dim; ++j) R[c.row + j] = R[c.row + 1] * std::pow(c.friction[0] / c.friction[j - 1], 2);
    }
    D = R.cwiseInverse();
  }

  std::mt19937 random_;
  double empty_ = 0;
  std::vector<int> parent_;
  int nrow_ = 0;
};

/// Forces by the definition of the cost, written independently of the solvers.
inline Eigen::VectorXd forces_at(const RandomProblem& r, const Eigen::VectorXd& acc) {
  const Eigen::VectorXd jar = r.J * acc - r.aref;
  Eigen::VectorXd force(jar.size());
  for (int i = 0; i < jar.size(); ++i) {
    const double unbounded = -jar[i] / r.R[i];
    if (i < r.p.ne)
      force[i] = unbounded;
    else if (i < r.p.ne + r.p.nf)
      force[i] = std::clamp(unbounded, -r.loss[i], r.loss[i]);
    else
      force[i] = std::max(0.0, unbounded);
  }
  if (!r.p.elliptic) return force;
  for (const FrictionCone& c : r.cones) {
    // the force minimizes ½ f·R f + f·jar over the cone |f_j / friction_j| <= f_0: scaled, a projection
    Eigen::VectorXd unbounded(c.dim), s(c.dim);
    for (int j = 0; j < c.dim; ++j) {
      unbounded[j] = -jar[c.row + j] / r.R[c.row + j];
      s[j] = j == 0 ? 1 : 1 / c.friction[j - 1];
    }
    const double N = unbounded[0];
    const double T = (unbounded.tail(c.dim - 1).cwiseProduct(s.tail(c.dim - 1))).norm();
    // R_0 (N' - N)² + R_1 friction_0² (T' - T)² with T' <= N'
    const double w0 = r.R[c.row], w1 = r.R[c.row + 1] * c.friction[0] * c.friction[0];
    double N1 = N, T1 = T;
    if (T > N) {
      const double t = (w0 * N + w1 * T) / (w0 + w1);
      N1 = T1 = std::max(0.0, t);
    }
    force[c.row] = N1;
    for (int j = 1; j < c.dim; ++j) force[c.row + j] = T > 0 ? unbounded[j] * T1 / T : 0.0;
  }
  return force;
}

}  // namespace sinew::test
