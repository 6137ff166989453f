#pragma once

#include <cmath>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "dynamics/actuation.h"
#include "dynamics/bias.h"
#include "dynamics/body_accelerations.h"
#include "dynamics/energy.h"
#include "dynamics/history.h"
#include "dynamics/passive.h"
#include "dynamics/position_level.h"
#include "dynamics/qderiv.h"
#include "dynamics/subtree.h"
#include "dynamics/velocity.h"

// Helpers for the tests of the velocity level, the forces and their derivatives.

namespace sinew::test {

/// The velocity level and all smooth forces of a world whose position level is computed.
inline void smooth_forces(const Model& m, Data& d) {
  tendon_velocity(m, d);
  actuator_velocity(m, d);
  com_velocity(m, d);
  passive_forces(m, d);
  bias_forces(m, d);
  actuation(m, d);
}

inline void random_velocity(Data& d, std::mt19937& random, double amount = 1) {
  std::uniform_real_distribution<double> uniform(-amount, amount);
  for (double& x : d.qvel) x = uniform(random);
}

/// An array of Data by its name.
inline std::vector<double> field(Data& d, const std::string& name) {
  if (name == "energy") return {d.energy[0], d.energy[1]};
  std::vector<double> values;
  d.for_each_field([&](auto key, auto& array, auto...) {
    if (key == name) values.assign(array.begin(), array.end());
  });
  return values;
}

inline void set_field(Data& d, const std::string& name, const std::vector<double>& values) {
  if (name == "time") {
    d.time = values.at(0);
    return;
  }
  d.for_each_field([&](auto key, auto& array, auto...) {
    if (key != name) return;
    ASSERT_EQ(array.size(), values.size()) << name;
    std::copy(values.begin(), values.end(), array.begin());
  });
}

using Fields = std::vector<std::pair<std::string, std::vector<double>>>;

/// A world with the results of MuJoCo 3.12.0.
struct Golden {
  std::string name;
  std::string model;
  Fields in, out;
};

inline void PrintTo(const Golden& golden, std::ostream* out) { *out << golden.name; }

inline std::string golden_name(const testing::TestParamInfo<Golden>& info) { return info.param.name; }

/// Every number within 1e-13 of the golden one, relative to the largest of its array or 1.
inline void expect_golden(const std::string& name, const std::vector<double>& value,
                          const std::vector<double>& golden) {
  ASSERT_EQ(value.size(), golden.size()) << name;
  double scale = 1;
  for (double x : golden) scale = std::max(scale, std::abs(x));
  for (std::size_t i = 0; i < value.size(); ++i)
    EXPECT_NEAR(value[i], golden[i], 1e-13 * scale) << name << "[" << i << "]";
}

inline Data golden_world(const Model& m, const Golden& golden) {
  Data d(m);
  reset(m, d);
  for (const auto& [name, values] : golden.in) set_field(d, name, values);
  positions(m, d);
  smooth_forces(m, d);
  return d;
}

}  // namespace sinew::test
