#include "compile/articulated_weights.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "dynamics/com.h"
#include "dynamics/inertia.h"
#include "dynamics/jacobian.h"
#include "dynamics/kinematics.h"
#include "sinew/sinew.h"

namespace sinew::test {
namespace {

/// Weights of the recursion beside those of solving with the factored M.
void expect_same_weights(const std::string& text, double tolerance) {
  const Model m = load_string(text).value_or_throw();
  Data d(m);
  reset(m, d);
  forward(m, d);
  const ArticulatedWeights weights(m, d);
  std::vector<double> row(m.nv), x(m.nv), jacp(3 * m.nv), jacr(3 * m.nv);
  const auto weight = [&](const double* j) {
    solve_m(m, d, x.data(), j);
    double sum = 0;
    for (int i = 0; i < m.nv; ++i) sum += j[i] * x[i];
    return sum;
  };
  for (int i = 0; i < m.nv; ++i) {
    std::fill(row.begin(), row.end(), 0.0);
    row[i] = 1;
    const double want = weight(row.data());
    EXPECT_NEAR(weights.of_dof(i), want, tolerance * want) << "dof " << i;
  }
  for (int b = 1; b < m.nbody; ++b) {
    const Vec3<double> point = Vec3<double>::load(&d.xipos[3 * b]), offset = from_reference(m, d, point, b);
    jacobian(m, d, jacp.data(), jacr.data(), point, b);
    double most = 0;  // a direction in which the body hardly moves has an inverse inertia that is all rounding
    for (int k = 0; k < 3; ++k) most = std::max(most, weight(&jacp[k * m.nv]));
    for (int k = 0; k < 3; ++k) {
      const Vec3<double> axis = {k == 0 ? 1.0 : 0.0, k == 1 ? 1.0 : 0.0, k == 2 ? 1.0 : 0.0};
      EXPECT_NEAR(weights.of_body(b, {cross(offset, axis), axis}), weight(&jacp[k * m.nv]), tolerance * most);
      const double want = weight(&jacr[k * m.nv]);
      EXPECT_NEAR(weights.of_body(b, {axis, {}}), want, tolerance * std::max(want, most));
    }
  }
}

TEST(ArticulatedWeights, are_the_inverse_inertias_of_a_tree_of_all_joints) {
  expect_same_weights(R"(<mujoco><worldbody>
    <body pos="0 0 1"><freejoint/><geom type="box" size=".1 .2 .3"/>
      <body pos=".3 0 0"><joint type="ball" armature=".01"/><joint type="slide" axis="1 0 1"/>
        <geom type="capsule" size=".05 .2" pos=".1 .1 0"/>
        <body pos="0 .2 .1"><joint axis="0 1 1" armature=".2"/><joint axis="1 0 0" pos=".1 0 0"/><geom size=".1"/>
          <body pos=".1 0 0"><geom size=".05"/></body></body></body>
      <body pos="-.3 0 0"><joint name="j" type="slide" axis="0 1 0"/><geom size=".07" pos="0 0 .1"/></body></body>
    <body pos="3 0 0"><joint axis="0 1 0"/><geom type="box" size=".1 .2 .3" pos=".2 0 0"/></body>
    </worldbody><actuator><position joint="j" kp="1" armature=".3"/></actuator></mujoco>)",
                      1e-12);
}

TEST(ArticulatedWeights, of_a_long_chain_are_those_of_its_factored_inertia) {
  std::string text = "<mujoco><worldbody>";
  for (int i = 0; i < 80; ++i)
    text += R"(<body pos=".01 0 -.1"><joint type="ball"/><geom size=".04" pos=".02 0 0" contype="0" conaffinity="0"/>)";
  for (int i = 0; i < 80; ++i) text += "</body>";
  expect_same_weights(text + "</worldbody></mujoco>", 1e-9);
}

}  // namespace
}  // namespace sinew::test
