#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/load.h"

namespace sinew::testing_compile {

/// The model of an MJCF text; fails the test if it is refused.
inline Model compiled(std::string_view mjcf) {
  Result<Model> model = load_string(mjcf);
  if (model) return std::move(*model);
  ADD_FAILURE() << model.error().text();
  return Model();
}

/// The first problem of an MJCF text; fails the test if it is accepted.
inline Problem refused(std::string_view mjcf) {
  const Result<Model> model = load_string(mjcf);
  if (!model) return model.error().first();
  ADD_FAILURE() << "accepted: " << mjcf;
  return {};
}

template <class Values>
void expect_near(const Values& found, const std::vector<double>& expected, double tolerance = 1e-15) {
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i < found.size(); ++i)
    EXPECT_NEAR(found[i], expected[i], tolerance * std::max(1.0, std::abs(expected[i]))) << "entry " << i;
}

template <class Values>
void expect_equal(const Values& found, const std::vector<int>& expected) {
  EXPECT_EQ(std::vector<int>(found.begin(), found.end()), expected);
}

}  // namespace sinew::testing_compile
