#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "sinew/sinew.h"

namespace sinew::test {

/// A copy of d, moved by eps along one column: q (along the tangent), v, act or ctrl.
inline Data moved(const Model& m, const Data& d, int column, double eps) {
  Data x = d;
  const int nv = static_cast<int>(m.nv), na = static_cast<int>(m.na);
  if (column < nv) {
    std::vector<double> along(m.nv, 0.0);
    along[column] = 1;
    integrate_pos(m, x.qpos.data(), along.data(), eps);
  } else if (column < 2 * nv) {
    x.qvel[column - nv] += eps;
  } else if (column < 2 * nv + na) {
    x.act[column - 2 * nv] += eps;
  } else {
    x.ctrl[column - 2 * nv - na] += eps;
  }
  return x;
}

/// (q, v, act) of b relative to a, in the tangent space.
inline std::vector<double> difference(const Model& m, const Data& a, const Data& b) {
  std::vector<double> out(m.nv);
  differentiate_pos(m, out.data(), 1, a.qpos.data(), b.qpos.data());
  for (int i = 0; i < m.nv; ++i) out.push_back(b.qvel[i] - a.qvel[i]);
  for (int i = 0; i < m.na; ++i) out.push_back(b.act[i] - a.act[i]);
  return out;
}

/// Column of d(next state)/d(column) by centered differences with two step sizes, extrapolated (error O(eps⁴)).
inline std::vector<double> step_column(const Model& m, const Data& d, int column, double eps) {
  const auto centered = [&](double h) {
    Data plus = moved(m, d, column, h), minus = moved(m, d, column, -h);
    step(m, plus);
    step(m, minus);
    std::vector<double> change = difference(m, minus, plus);
    for (double& x : change) x /= 2 * h;
    return change;
  };
  std::vector<double> coarse = centered(2 * eps), fine = centered(eps);
  for (std::size_t i = 0; i < fine.size(); ++i) fine[i] += (fine[i] - coarse[i]) / 3;
  return fine;
}

}  // namespace sinew::test
