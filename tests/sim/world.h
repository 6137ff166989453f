#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/sinew.h"

namespace sinew::test {

/// A model from MJCF text and its data, reset.
struct World {
  Model m;
  Data d;

  explicit World(std::string_view mjcf) : m(load_string(mjcf).value_or_throw()), d(m) { reset(m, d); }
  World(const World&) = delete;

  void set(std::span<double> field, const std::vector<double>& values) {
    ASSERT_EQ(field.size(), values.size());
    std::ranges::copy(values, field.begin());
  }
};

/// The text with "$" replaced, for models that differ in one word.
inline std::string with(std::string text, const std::string& word) {
  for (std::size_t at = 0; (at = text.find('$', at)) != std::string::npos; at += word.size()) text.replace(at, 1, word);
  return text;
}

/// A swinging chain (ball, hinge, slide) with springs, dampers and actuators, and a tumbling free body; no contacts.
/// "$" is the integrator.
inline const std::string kChain = R"(
<mujoco>
  <option timestep="0.01" integrator="$"/>
  <default><geom contype="0" conaffinity="0"/></default>
  <worldbody>
    <body pos="0 0 1">
      <joint type="ball" damping="0.05"/>
      <geom type="box" size="0.1 0.05 0.2" pos="0.1 0 -0.2"/>
      <body pos="0 0 -0.4">
        <joint name="hinge" axis="0 1 0" damping="0.1" stiffness="2" springref="30"/>
        <joint name="slide" type="slide" axis="0 0 1" damping="1" stiffness="200" armature="0.1"/>
        <geom type="capsule" size="0.04 0.15" pos="0 0.1 0"/>
      </body>
    </body>
    <body pos="1 0 1">
      <freejoint/>
      <geom type="box" size="0.1 0.2 0.05"/>
      <geom type="sphere" size="0.05" pos="0.1 0.1 0.1"/>
    </body>
  </worldbody>
  <actuator>
    <general joint="hinge" dyntype="filter" dynprm="0.05" gainprm="3" biastype="affine" biasprm="0 -1 -0.2"/>
    <velocity joint="slide" kv="2"/>
  </actuator>
</mujoco>)";

inline const std::vector<double> kChainVelocity = {0.5, -1, 2, 0.3, -0.2, 0.1, 0.2, 0.3, 3, -2, 1};
inline const std::vector<double> kChainControl = {0.8, -0.1};

}  // namespace sinew::test
