#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "derivative/difference.h"
#include "sinew/sinew.h"

// Helpers for the tests of derivatives.

namespace sinew::test {

/// The model of a valid MJCF text.
inline Model model_of(const std::string& text) {
  Result<Model> model = load_string(text);
  if (!model) {
    ADD_FAILURE() << model.error().text();
    return {};
  }
  return std::move(model).value();
}

inline Data world_of(const Model& m) {
  Data d(m);
  reset(m, d);
  return d;
}

inline void displace(const Model& m, Data& d, std::mt19937& random, double amount) {
  std::uniform_real_distribution<double> uniform(-amount, amount);
  std::vector<double> v(static_cast<std::size_t>(m.nv));
  for (double& x : v) x = uniform(random);
  integrate_pos(m, d.qpos.data(), v.data(), 1.0);
}

inline void random_velocity(Data& d, std::mt19937& random, double amount = 1) {
  std::uniform_real_distribution<double> uniform(-amount, amount);
  for (double& x : d.qvel) x = uniform(random);
}

/// Every number within `tolerance` of the golden one, relative to the largest golden number or 1.
inline void expect_close(const std::vector<double>& value, const std::vector<double>& golden, double tolerance) {
  ASSERT_EQ(value.size(), golden.size());
  double scale = 1;
  for (double x : golden) scale = std::max(scale, std::abs(x));
  for (std::size_t i = 0; i < value.size(); ++i) EXPECT_NEAR(value[i], golden[i], tolerance * scale) << i;
}

/// A and B by centered differences of complete steps, each on a copy; out has its sizes.
inline void naive_differences(const Model& m, const Data& d, double eps, Transition& out) {
  for (int k = 0; k < out.ndx + out.nu; ++k) {
    Data plus = moved(m, d, k, eps), minus = moved(m, d, k, -eps);
    step(m, plus);
    step(m, minus);
    const std::vector<double> column = difference(m, minus, plus);
    for (int i = 0; i < out.ndx; ++i) {
      double& entry = k < out.ndx ? out.A[i * out.ndx + k] : out.B[i * out.nu + k - out.ndx];
      entry = column[static_cast<std::size_t>(i)] / (2 * eps);
    }
  }
}

}  // namespace sinew::test
