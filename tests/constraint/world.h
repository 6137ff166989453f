#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <string>

#include "sinew/load.h"
#include "sinew/step.h"

namespace sinew::test {

inline Model model_of(const std::string& text) {
  Result<Model> model = load_string(text);
  if (!model) {
    ADD_FAILURE() << model.error().text();
    return {};
  }
  return std::move(model).value();
}

/// A model and its data, in the reset state.
struct World {
  Model m;
  Data d;

  explicit World(const std::string& text) : m(model_of(text)), d(m) { reset(m, d); }
  void set_qpos(std::initializer_list<double> x) { std::ranges::copy(x, d.qpos.begin()); }
  void set_qvel(std::initializer_list<double> x) { std::ranges::copy(x, d.qvel.begin()); }
  void steps(int n) {
    for (int i = 0; i < n; ++i) step(m, d);
  }
};

inline void expect_near(std::span<const double> got, std::initializer_list<double> want, double tolerance) {
  ASSERT_GE(got.size(), want.size());
  std::size_t i = 0;
  double scale = 1;
  for (double w : want) scale = std::max(scale, std::abs(w));
  for (double w : want) {
    EXPECT_NEAR(got[i], w, tolerance * scale) << "number " << i;
    ++i;
  }
}

}  // namespace sinew::test
