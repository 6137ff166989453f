#include "compile/articulated_weights.h"

#include <algorithm>
#include <array>

#include "dynamics/reflected.h"

namespace sinew {
namespace {

using Six = std::array<double, 6>;

double product(const Six& x, const Six& y) {
  double sum = 0;
  for (std::size_t i = 0; i < 6; ++i) sum += x[i] * y[i];
  return sum;
}
Six times(const double (&a)[6][6], const Six& x) {
  Six out = {};
  for (std::size_t i = 0; i < 6; ++i)
    for (std::size_t k = 0; k < 6; ++k) out[i] += a[i][k] * x[k];
  return out;
}
/// a += s (x yᵀ + y xᵀ)
void add_symmetric(double (&a)[6][6], double s, const Six& x, const Six& y) {
  for (std::size_t i = 0; i < 6; ++i)
    for (std::size_t k = 0; k < 6; ++k) a[i][k] += s * (x[i] * y[k] + y[i] * x[k]);
}

Six axis_of(const Data& d, int dof) {
  Six s;
  std::copy_n(&d.cdof[6 * dof], 6, s.begin());
  return s;
}

}  // namespace

ArticulatedWeights::ArticulatedWeights(const Model& m, const Data& d)
    : inverse_(static_cast<std::size_t>(m.nbody)), of_dof_(static_cast<std::size_t>(m.nv)) {
  std::vector<Block> inertia(inverse_.size());
  std::vector<Six> g(of_dof_.size());
  std::vector<double> D(of_dof_.size());
  for (int body = static_cast<int>(m.nbody) - 1; body > 0; --body) {
    auto& I = inertia[body].a;
    for (int k = 0; k < 6; ++k) {
      double unit[6] = {};
      unit[k] = 1;
      double column[6];
      mul_inertia(&d.cinert[10 * body], Motion<double>::load(unit)).store(column);
      for (int i = 0; i < 6; ++i) I[i][k] += column[i];
    }
    const int first = m.body_dofadr[body];
    for (int dof = first + m.body_dofnum[body] - 1; m.body_dofnum[body] > 0 && dof >= first; --dof) {
      const Six S = axis_of(d, dof), U = times(I, S);
      D[dof] = product(S, U) + m.dof_armature[dof] + reflected_armature(m, m.dof_jntid[dof]);
      for (std::size_t i = 0; i < 6; ++i) g[dof][i] = U[i] / D[dof];
      add_symmetric(I, -0.5 * D[dof], g[dof], g[dof]);
    }
    const int parent = m.body_parentid[body];
    if (parent == 0) continue;
    for (int i = 0; i < 6; ++i)
      for (int k = 0; k < 6; ++k) inertia[parent].a[i][k] += I[i][k];
  }
  for (int body = 1; body < m.nbody; ++body) {
    auto& P = inverse_[body].a;
    inverse_[body] = inverse_[m.body_parentid[body]];
    for (int dof = m.body_dofadr[body], n = m.body_dofnum[body]; n > 0; --n, ++dof) {
      const Six S = axis_of(d, dof), Pg = times(P, g[dof]);
      of_dof_[dof] = 1 / D[dof] + product(g[dof], Pg);
      add_symmetric(P, -1, S, Pg);
      add_symmetric(P, 0.5 * of_dof_[dof], S, S);
    }
  }
}

double ArticulatedWeights::of_body(int body, const Force<double>& r) const {
  Six x;
  r.store(x.data());
  return product(x, times(inverse_[static_cast<std::size_t>(body)].a, x));
}

}  // namespace sinew
