#pragma once

#include "../plain_text.h"
#include "random_problem.h"
#include "solver/evaluate.h"
#include "solver/ordering.h"
#include "solver/ray_cost.h"
#include "solver/tree_matrix.h"

// The kernels of src/solver as plain scalar text, one formula at a time. The tests hold each kernel to the bits of its
// text; where a formula sums, the order of the sum is written out.

namespace sinew::test::plain {

using Vector = Eigen::VectorXd;
using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

// ---- rows.cpp

/// J v
inline Vector multiply_rows(std::span<const RowBlock> blocks, const double* v, int nefc) {
  Vector out(nefc);
  for (const RowBlock& b : blocks)
    for (int r = 0; r < b.nrow; ++r) {
      const double* J = b.J + r * b.nnz;
      out[b.row + r] = b.nnz == 1 ? J[0] * v[b.col[0]] : packed_sum(b.nnz, [&](int k) { return J[k] * v[b.col[k]]; });
    }
  return out;
}

/// Jᵀ f: block by block
inline Vector multiply_rows_transposed(std::span<const RowBlock> blocks, const double* f, int n) {
  Vector out = Vector::Zero(n);
  for (const RowBlock& b : blocks)
    for (int k = 0; k < b.nnz; ++k) {
      double sum = 0;
      for (int r = 0; r < b.nrow; ++r) sum += f[b.row + r] * b.J[r * b.nnz + k];
      out[b.col[k]] += sum;
    }
  return out;
}

// ---- cost.cpp

struct Rows {
  double cost = 0;
  Vector force;
  std::vector<int> state;
  std::vector<double> cone_hessian;
};

/// Huber cost of dry friction: D x²/2 while |x| < R loss, then loss (|x| - R loss / 2).
inline double friction_row(double D, double R, double loss, double x, double& force, int& state) {
  const double bound = R * loss, Dx = D * x;
  state = x <= -bound ? kLinearNeg : x >= bound ? kLinearPos : kQuadratic;
  force = state == kLinearNeg ? loss : state == kLinearPos ? -loss : -Dx;
  if (state == kLinearNeg) return loss * (-0.5 * bound - x);
  return state == kLinearPos ? loss * (x - 0.5 * bound) : 0.5 * Dx * x;
}

/// The dual-cone cost with U = m x, m = (mu, friction), N = U₀, T = |U₁…|: nothing where N >= mu T, D x²/2 where
/// mu N + T <= 0, between them ½ Dm (N - mu T)², Dm = D₀ / (mu² (1 + mu²)).
inline double cone_rows(const FrictionCone& cone, const double* D, const double* x, double* force, int& state,
                        double* H) {
  const double mu = cone.mu;
  double m[6] = {mu}, U[6] = {mu * x[0]}, TT = 0;
  for (int j = 1; j < cone.dim; ++j) {
    m[j] = cone.friction[j - 1];
    U[j] = m[j] * x[j];
    TT += U[j] * U[j];
  }
  const double N = U[0], T = std::sqrt(TT);
  if (N >= mu * T || (T <= 0 && N >= 0)) {
    state = kSatisfied;
    for (int j = 0; j < cone.dim; ++j) force[j] = 0;
    return 0;
  }
  if (mu * N + T <= 0 || (T <= 0 && N < 0)) {
    state = kQuadratic;
    double cost = 0;
    for (int j = 0; j < cone.dim; ++j) {
      cost += 0.5 * D[j] * x[j] * x[j];
      force[j] = -D[j] * x[j];
    }
    return cost;
  }
  state = kCone;
  const double Dm = D[0] / (mu * mu * (1 + mu * mu)), e = N - mu * T;
  force[0] = -Dm * e * mu;
  for (int j = 1; j < cone.dim; ++j) force[j] = -force[0] / T * U[j] * m[j];
  for (int j = 0; j < cone.dim; ++j)
    for (int k = 0; k < cone.dim; ++k) {
      double& h = H[j * cone.dim + k];
      if (j == 0 && k == 0)
        h = Dm * m[0] * m[0];
      else if (j == 0 || k == 0)
        h = -Dm * m[0] * m[j + k] * (mu / T) * U[j + k];
      else
        h = Dm * m[j] * m[k] * (mu * N / (T * T * T) * U[j] * U[k] + (j == k ? mu * mu - mu * N / T : 0.0));
    }
  return 0.5 * Dm * e * e;
}

inline Rows evaluate_rows(const ConstraintProblem& p, const double* jar) {
  Rows rows;
  rows.force.resize(p.nefc);
  rows.state.resize(p.nefc);
  rows.cone_hessian.assign(kConeHessian * p.cones.size(), 0);
  for (int i = 0; i < p.ne; ++i) {
    rows.cost += 0.5 * p.D[i] * jar[i] * jar[i];
    rows.force[i] = -p.D[i] * jar[i];
    rows.state[i] = kQuadratic;
  }
  if (p.nf > 0)
    rows.cost += packed_sum(p.nf, [&](int k) {
      const int i = p.ne + k;
      return friction_row(p.D[i], p.R[i], p.frictionloss[i], jar[i], rows.force[i], rows.state[i]);
    });
  // a run of half parabolas: D x²/2 where x < 0
  const auto half_parabolas = [&](int begin, int end) {
    if (begin == end) return;
    rows.cost += 0.5 * packed_sum(end - begin, [&](int k) {
                   const int i = begin + k;
                   const double x = jar[i] >= 0 ? 0.0 : jar[i];
                   rows.force[i] = -(p.D[i] * x);
                   rows.state[i] = jar[i] >= 0 ? kSatisfied : kQuadratic;
                   return p.D[i] * x * x;
                 });
  };
  int next = p.ne + p.nf;
  for (std::size_t c = 0; p.elliptic && c < p.cones.size(); ++c) {
    const FrictionCone& cone = p.cones[c];
    half_parabolas(next, cone.row);
    int state = 0;
    rows.cost += cone_rows(cone, p.D + cone.row, jar + cone.row, &rows.force[cone.row], state,
                           &rows.cone_hessian[kConeHessian * c]);
    for (int j = 0; j < cone.dim; ++j) rows.state[cone.row + j] = state;
    next = cone.row + cone.dim;
  }
  half_parabolas(next, p.nefc);
  return rows;
}

// ---- ray_cost.cpp

/// cost(α) - cost(0) and its first two derivatives, along jar + α Jv and acc + α search.
inline RayPoint ray_cost_at(const ConstraintProblem& p, const SearchRay& ray, double alpha) {
  double linear = packed_sum(p.M.n, [&](int i) { return ray.search[i] * (ray.Ma[i] - p.frc_smooth[i]); });
  double quadratic = 0.5 * packed_sum(p.M.n, [&](int i) { return ray.search[i] * ray.Mv[i]; });
  for (int i = 0; i < p.ne; ++i) {
    linear += p.D[i] * ray.Jv[i] * ray.jar[i];
    quadratic += 0.5 * p.D[i] * ray.Jv[i] * ray.Jv[i];
  }
  RayPoint x;
  x.alpha = alpha;
  x.phi = alpha * (linear + alpha * quadratic);
  x.d1 = linear + 2 * alpha * quadratic;
  x.d2 = 2 * quadratic;

  // dry friction: side -1, 0, 1 of the Huber cost, at 0 and at alpha
  struct Term {
    double phi, d1, d2;
  };
  const auto friction = [&](int k) -> Term {
    const int i = p.ne + k;
    const double D = p.D[i], f = p.frictionloss[i], bound = p.R[i] * f, j = ray.jar[i], v = ray.Jv[i],
                 y = j + alpha * v;
    const auto side_of = [&](double z) { return z <= -bound ? -1.0 : z < bound ? 0.0 : 1.0; };
    const auto cost_of = [&](double z, double side) {
      return side == 0 ? 0.5 * D * z * z : f * (side * z - 0.5 * bound);
    };
    const double side0 = side_of(j), side = side_of(y);
    const double phi = side != side0 ? cost_of(y, side) - cost_of(j, side0)
                       : side == 0   ? 0.5 * D * (y - j) * (y + j)
                                     : side * f * (y - j);
    return {phi, side == 0 ? D * y * v : side * f * v, side == 0 ? D * v * v : 0.0};
  };
  if (p.nf > 0) {
    x.phi += packed_sum(p.nf, [&](int k) { return friction(k).phi; });
    x.d1 += packed_sum(p.nf, [&](int k) { return friction(k).d1; });
    x.d2 += packed_sum(p.nf, [&](int k) { return friction(k).d2; });
  }

  // half parabolas, among which the rows of cones have no weight
  const int begin = p.ne + p.nf;
  Vector D(p.nefc);
  for (int i = begin; i < p.nefc; ++i) D[i] = p.D[i];
  int ninequality = p.nefc - begin;
  for (std::size_t c = 0; p.elliptic && c < p.cones.size(); ++c)
    for (int j = 0; j < p.cones[c].dim; ++j, --ninequality) D[p.cones[c].row + j] = 0;
  const auto inequality = [&](int k) -> Term {
    const int i = begin + k;
    const double j = ray.jar[i], v = ray.Jv[i], y = j + alpha * v;
    const double y1 = y < 0 ? y : 0.0, y0 = j < 0 ? j : 0.0, Dv = D[i] * v;
    return {D[i] * (y1 - y0) * (y1 + y0), Dv * y1, y < 0 ? Dv * v : 0.0};
  };
  if (ninequality > 0) {
    const int n = p.nefc - begin;
    x.phi += 0.5 * packed_sum(n, [&](int k) { return inequality(k).phi; });
    x.d1 += packed_sum(n, [&](int k) { return inequality(k).d1; });
    x.d2 += packed_sum(n, [&](int k) { return inequality(k).d2; });
  }

  // cones: N = U₀ + α V₀, T² = UU + α (2 UV + α VV)
  for (std::size_t c = 0; p.elliptic && c < p.cones.size(); ++c) {
    const FrictionCone& cone = p.cones[c];
    const double mu = cone.mu, Dm = p.D[cone.row] / (mu * mu * (1 + mu * mu));
    const double U0 = mu * ray.jar[cone.row], V0 = mu * ray.Jv[cone.row];
    double k0 = 0, k1 = 0, k2 = 0, UU = 0, UV = 0, VV = 0;
    for (int j = 0; j < cone.dim; ++j) {
      const double Dj = p.D[cone.row + j], a = ray.jar[cone.row + j], b = ray.Jv[cone.row + j];
      k0 += 0.5 * Dj * a * a;
      k1 += Dj * a * b;
      k2 += 0.5 * Dj * b * b;
      if (j == 0) continue;
      const double u = cone.friction[j - 1] * a, v = cone.friction[j - 1] * b;
      UU += u * u;
      UV += u * v;
      VV += v * v;
    }
    enum Zone { kTop, kMiddle, kBottom };
    const auto zone_of = [&](double N, double T) {
      if (T <= 0) return N < 0 ? kBottom : kTop;
      return N >= mu * T ? kTop : mu * N + T <= 0 ? kBottom : kMiddle;
    };
    const double TT = UU + alpha * (2 * UV + alpha * VV);
    const double N = U0 + alpha * V0, T = TT <= 0 ? 0.0 : std::sqrt(TT), T0 = UU <= 0 ? 0.0 : std::sqrt(UU);
    const Zone from = zone_of(U0, T0), to = zone_of(N, T);
    const double e0 = U0 - mu * T0, e = N - mu * T, q = alpha * (alpha * k2 + k1);
    const double de = alpha * V0 - mu * alpha * (2 * UV + alpha * VV) / (T + T0);
    // cost(to) - cost(from) of each pair of zones
    const double phi[3][3] = {
        {0, 0.5 * Dm * e * e, q + k0},
        {-0.5 * Dm * e0 * e0, 0.5 * Dm * de * (2 * e0 + de), q + 0.5 * Dm * (mu * U0 + T0) * (mu * U0 + T0)},
        {-k0, q - 0.5 * Dm * (mu * N + T) * (mu * N + T), q}};
    x.phi += phi[from][to];
    if (to == kBottom) {
      x.d1 += 2 * alpha * k2 + k1;
      x.d2 += 2 * k2;
    } else if (to == kMiddle) {
      const double T1 = (UV + alpha * VV) / T, T2 = VV / T - (UV + alpha * VV) * T1 / (T * T), e1 = V0 - mu * T1;
      x.d1 += Dm * e * e1;
      x.d2 += Dm * (e1 * e1 - e * mu * T2);
    }
  }
  if (x.d2 <= 0) x.d2 = kMinVal;
  return x;
}

// ---- the Hessian H = M + Jᵀ W J, on tiles and on panels

/// (W J)_r: W is D on rows in the quadratic state and the cone's own Hessian on contacts in their middle zone.
inline Vector weighted_row(const RandomProblem& r, int row, int state, const double* cone_hessian) {
  if (state == kQuadratic) return r.D[row] * r.J.row(row).transpose();
  std::size_t c = r.cones.size();
  while (r.cones[--c].row > row) {
  }
  const FrictionCone& cone = r.cones[c];
  const double* weight = cone_hessian + kConeHessian * c + (row - cone.row) * cone.dim;
  Vector z = weight[0] * r.J.row(cone.row).transpose();
  for (int j = 1; j < cone.dim; ++j)
    for (int k = 0; k < z.size(); ++k) z[k] += weight[j] * r.J(cone.row + j, k);
  return z;
}

inline bool is_unit(const RowBlock& b) { return b.nnz == 1 && b.nrow == 1; }

/// What TileSystem does, on dense matrices: dofs in the order of the tree, padded with ones on the diagonal to whole
/// tiles of four; H = Lᵀ D L, the last dof eliminated first.
class Tiles {
 public:
  explicit Tiles(const RandomProblem& r) : r_(r), n_(r.p.M.n), size_((n_ + 3) / 4 * 4), posed_(r.p) {
    M_ = Matrix::Identity(size_, size_);
    M_.topLeftCorner(n_, n_) = r.M;
    for (int i = 0; i < n_; ++i)
      for (int k = 0; k < r.rownnz[i]; ++k) {
        const int at = r.rowadr[i] + k;
        M_(i, r.colind[at]) = M_(r.colind[at], i) = r.value[at];
      }
    frc_ = pad(r.smooth_force);
    posed_.M = {};
    posed_.M.n = size_;
    posed_.frc_smooth = frc_.data();
  }

  const ConstraintProblem& problem() const { return posed_; }
  Vector pad(const Vector& x) const {
    Vector y = Vector::Zero(size_);
    y.head(n_) = x;
    return y;
  }

  /// M v: a row's numbers left of and in its own tile as a sum, then what the rows below give by symmetry
  void multiply_inertia(const double* v, double* out) const {
    for (int i = 0; i < size_; ++i) {
      const int tile = i / 4 * 4;
      out[i] = padded_sum(tile + 4, [&](int k) { return M_(i, k) * v[k]; });
      for (int k = 0; k < tile; ++k) out[k] += v[i] * M_(i, k);
    }
  }
  void multiply_rows(const double* v, double* out) const {
    for (const RowBlock& b : r_.blocks)
      for (int r = b.row; r < b.row + b.nrow; ++r)
        out[r] = is_unit(b) ? b.J[0] * v[b.col[0]] : padded_sum(n_, [&](int k) { return r_.J(r, k) * v[k]; });
  }
  /// Jᵀ f: rows with one number first
  void multiply_rows_transposed(const double* f, double* out) const {
    std::fill_n(out, size_, 0.0);
    for (const bool unit : {true, false})
      for (const RowBlock& b : r_.blocks)
        for (int r = b.row; is_unit(b) == unit && r < b.row + b.nrow; ++r)
          for (int k = 0; k < b.nnz; ++k) out[b.col[k]] += f[r] * r_.J(r, b.col[k]);
  }
  void solve_inertia(double* x) const { solve_tree(r_.p.M, x); }
  void prepare_factor(Scratch&) {}

  void factor(const int* state, const double* cone_hessian) {
    Matrix H = M_;
    for (const RowBlock& b : r_.blocks)
      if (is_unit(b) && state[b.row] == kQuadratic) H(b.col[0], b.col[0]) += r_.D[b.row] * b.J[0] * b.J[0];
    for (const RowBlock& b : r_.blocks)
      for (int r = b.row; !is_unit(b) && r < b.row + b.nrow; ++r) {
        if (state[r] != kQuadratic && state[r] != kCone) continue;
        const Vector J = r_.J.row(r);
        const bool cone = state[r] == kCone;
        const Vector Z = cone ? weighted_row(r_, r, kCone, cone_hessian) : J;
        for (int i = 0; i < n_; ++i)
          for (int k = 0; k <= i; ++k) H(i, k) += Z[i] * ((cone ? 1 : r_.D[r]) * J[k]);
      }
    // four dofs at a time: U_i = H_i - Σ_{t>i} L_ti U_t, L_i = U_i / U_ii, then H -= Uᵀ L for the dofs before them
    L_ = Matrix::Zero(size_, size_);
    Matrix U = L_;
    diag_inv_.resize(size_);
    for (int tile = size_ - 4; tile >= 0; tile -= 4) {
      for (int i = tile + 3; i >= tile; --i) {
        for (int k = 0; k <= i; ++k) {
          U(i, k) = H(i, k);
          for (int t = tile + 3; t > i; --t) U(i, k) -= L_(t, i) * U(t, k);
        }
        const bool degenerate = U(i, i) < kMinVal;
        diag_inv_[i] = 1 / (degenerate ? kMinVal : U(i, i));
        for (int k = 0; k < i; ++k) L_(i, k) = degenerate ? 0.0 : diag_inv_[i] * U(i, k);
      }
      for (int i = 0; i < tile; ++i)
        for (int k = 0; k <= i; ++k)
          for (int t = tile; t < tile + 4; ++t) H(i, k) -= U(t, i) * L_(t, k);
    }
  }

  /// Lᵀ y = x, then L x = D⁻¹ y
  void solve(double* x) const {
    for (int tile = size_ - 4; tile >= 0; tile -= 4) {
      for (int i = tile + 3; i >= tile; --i)
        for (int t = tile + 3; t > i; --t) x[i] -= L_(t, i) * x[t];
      for (int i = 0; i < tile; ++i)
        for (int t = tile; t < tile + 4; ++t) x[i] -= x[t] * L_(t, i);
    }
    for (int i = 0; i < size_; ++i) {
      const int tile = i / 4 * 4;
      x[i] = x[i] * diag_inv_[i] - padded_sum(tile, [&](int k) { return L_(i, k) * x[k]; });
      for (int k = tile; k < i; ++k) x[i] -= L_(i, k) * x[k];
    }
  }

 private:
  const RandomProblem& r_;
  int n_, size_;
  ConstraintProblem posed_;
  Matrix M_, L_;
  Vector frc_, diag_inv_;
};

/// What Hessian does, on dense matrices: H = Uᵀ U, dofs in the order that plan_elimination gives, four at a time.
class Panels {
 public:
  Panels(const RandomProblem& r, Scratch& scratch) : r_(r), plan_(plan_elimination(r.p, scratch)) {}

  void factor(const int* state, const double* cone_hessian) {
    const int n = plan_.n;
    Matrix H = Matrix::Zero(n, n);
    for (int i = 0; i < n; ++i)
      for (int k = 0; k < r_.rownnz[i]; ++k) upper(H, i, r_.colind[r_.rowadr[i] + k]) = r_.value[r_.rowadr[i] + k];
    for (const RowBlock& b : r_.blocks) {
      if (is_unit(b)) {
        if (state[b.row] == kQuadratic) upper(H, b.col[0], b.col[0]) += r_.D[b.row] * b.J[0] * b.J[0];
        continue;
      }
      Matrix sum = Matrix::Zero(n, n);
      for (int r = b.row; r < b.row + b.nrow; ++r) {
        if (state[r] != kQuadratic && state[r] != kCone) continue;
        const Vector Z = weighted_row(r_, r, state[r], cone_hessian);
        for (int i = 0; i < n; ++i)
          for (int k = 0; k < n; ++k)
            if (place(i) <= place(k)) sum(place(i), place(k)) += Z[i] * r_.J(r, k);
      }
      H += sum;
    }
    // U_i = (H_i - Σ_{t<i} U_ti U_t) / sqrt(pivot)
    U_ = Matrix::Zero(n, n);
    diag_inv_.resize(n);
    for (int i = 0; i < n; ++i) {
      for (int k = i; k < n; ++k) {
        U_(i, k) = H(i, k);
        for (int t = 0; t < i; ++t) U_(i, k) -= U_(t, i) * U_(t, k);
      }
      const bool degenerate = U_(i, i) < kMinVal;
      const double pivot = std::sqrt(degenerate ? kMinVal : U_(i, i)), inv = 1 / pivot;
      for (int k = i + 1; k < n; ++k) U_(i, k) *= degenerate ? 0.0 : inv;
      U_(i, i) = pivot;
      diag_inv_[i] = inv;
    }
  }

  void solve(double* x) const {
    const int n = plan_.n;
    Vector y(n);
    for (int i = 0; i < n; ++i) y[place(i)] = x[i];
    for (int i = 0; i < n; ++i) {  // Uᵀ y' = y
      y[i] *= diag_inv_[i];
      for (int k = i + 1; k < n; ++k) y[k] -= U_(i, k) * y[i];
    }
    for (int k = plan_.nnode - 1; k >= 0; --k) {  // U x = y', node by node
      const std::vector<int> column = columns(plan_.node[k]);
      const int ncol = static_cast<int>(column.size());
      for (int i = plan_.node[k].width - 1; i >= 0; --i) {
        // the columns behind the row's four, in packs; then those beside it
        const int begin = std::min(i / 4 * 4 + 4, ncol), row = column[i];
        const auto term = [&](int c) { return U_(row, column[c]) * y[column[c]]; };
        double rest = padded_sum(ncol - begin, [&](int c) { return term(begin + c); });
        for (int c = i + 1; c < begin; ++c) rest += term(c);
        y[row] = (y[row] - rest) * diag_inv_[row];
      }
    }
    for (int i = 0; i < n; ++i) x[i] = y[place(i)];
  }

 private:
  int place(int dof) const { return plan_.identity ? dof : plan_.place[dof]; }
  double& upper(Matrix& H, int i, int k) const { return H(std::min(place(i), place(k)), std::max(place(i), place(k))); }
  /// Places of a panel's columns: the node's own and those of the nodes it reaches.
  std::vector<int> columns(const Elimination::Node& node) const {
    std::vector<int> all;
    const auto add = [&](const Elimination::Node& from) {
      for (int c = 0; c < from.width; ++c) all.push_back(from.begin + c);
    };
    add(node);
    for (int i = 0; i < node.nreach; ++i) add(plan_.node[node.reach[i]]);
    return all;
  }

  const RandomProblem& r_;
  Elimination plan_;
  Matrix U_;
  Vector diag_inv_;
};

// ---- dual.cpp

/// A = J M⁻¹ Jᵀ as Yᵀ D⁻¹ Y, Y = L⁻ᵀ Jᵀ, M = Lᵀ D L; the last dof first.
inline Matrix dual_matrix(const RandomProblem& r) {
  const TreeMatrix& M = r.p.M;
  Matrix Y = r.J.transpose();
  for (int i = M.n - 1; i >= 0; --i)
    for (int k = 0; k < M.rownnz[i] - 1; ++k)
      for (int row = 0; row < r.p.nefc; ++row)
        Y(M.colind[M.rowadr[i] + k], row) += -M.factor[M.rowadr[i] + k] * Y(i, row);
  Matrix A = Matrix::Zero(r.p.nefc, r.p.nefc);
  for (int a = 0; a < r.p.nefc; ++a)
    for (int b = 0; b <= a; ++b) {
      for (int i = M.n - 1; i >= 0; --i) A(a, b) += M.diag_inv[i] * Y(i, a) * Y(i, b);
      A(b, a) = A(a, b);
    }
  return A;
}

/// DualOperator on that matrix.
class Dual {
 public:
  explicit Dual(const RandomProblem& r)
      : A_(dual_matrix(r)), b_(multiply_rows(r.p.blocks, r.p.acc_smooth, r.p.nefc) - r.aref), Af_(r.p.nefc) {}

  void set_forces(const double* f) {
    for (int i = 0; i < A_.rows(); ++i)
      Af_[i] = packed_sum(static_cast<int>(A_.rows()), [&](int k) { return A_(i, k) * f[k]; });
  }
  void change_force(int row, double change) {
    if (change == 0) return;
    for (int i = 0; i < A_.rows(); ++i) Af_[i] += change * A_(row, i);
  }
  double times_force(int row) const { return Af_[row]; }
  double diagonal(int row) const { return A_(row, row); }
  double entry(int i, int k) const { return A_(i, k); }
  const double* b() const { return b_.data(); }

 private:
  Matrix A_;
  Vector b_, Af_;
};

}  // namespace sinew::test::plain
