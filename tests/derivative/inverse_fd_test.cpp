#include <gtest/gtest.h>

#include "derivative/golden.h"
#include "sinew/error.h"

namespace sinew {
namespace {

using namespace test;

class GoldenInverses : public testing::TestWithParam<Golden> {};

TEST_P(GoldenInverses, MatchMuJoCo) {
  const Golden& golden = GetParam();
  const Model m = model_of(golden.at("model"));
  const Data d = golden_world(m, golden);
  const bool sensors = golden.at("out").contains("DsDq");
  InverseDerivative out;
  inverse_fd(m, d, {.actuation = golden.at("actuation"), .sensors = sensors, .inertia = true}, out);
  const std::pair<const char*, const std::vector<double>&> matrices[] = {
      {"DfDq", out.DfDq}, {"DfDv", out.DfDv}, {"DfDa", out.DfDa}, {"DsDq", out.DsDq},
      {"DsDv", out.DsDv}, {"DsDa", out.DsDa}, {"DmDq", out.DmDq}};
  for (const auto& [name, matrix] : matrices) {
    SCOPED_TRACE(name);
    expect_close(matrix, numbers(golden.at("out"), name), 1e-6);
  }
}

INSTANTIATE_TEST_SUITE_P(MuJoCo, GoldenInverses, testing::ValuesIn(test::golden("inverse")), golden_name);

TEST(InverseFd, ByAccelerationIsTheInertiaWithoutContacts) {
  const Model m = golden_model("ArmEuler");
  Data d = world_of(m);
  std::mt19937 random(2);
  displace(m, d, random, 0.5);
  forward(m, d);
  InverseDerivative out;
  inverse_fd(m, d, {}, out);
  for (int i = 0; i < m.nv; ++i)
    for (int k = m.M_rowadr[i]; k < m.M_rowadr[i] + m.M_rownnz[i]; ++k)
      EXPECT_NEAR(out.DfDa[std::size_t(i * m.nv + m.M_colind[k])], d.M[k], 1e-8);
}

TEST(InverseFd, RungeKuttaIsRefusedOnlyInDiscreteTime) {
  Model m = golden_model("ArmEuler");
  m.opt.integrator = int(Integrator::RK4);
  const Data d = world_of(m);
  InverseDerivative out;
  inverse_fd(m, d, {}, out);
  EXPECT_EQ(out.DfDa.size(), std::size_t(m.nv * m.nv));
  m.opt.enableflags |= kEnableInvdiscrete;
  EXPECT_THROW(inverse_fd(m, d, {}, out), Exception);
}

TEST(SmoothVel, PatternOmitsEntriesThatTheExactDerivativeHas) {
  const Model m = model_of(R"(<mujoco><worldbody>
    <body><joint name="a" axis="0 1 0"/><geom size=".1" pos=".3 0 0"/></body>
    <body><joint name="b" axis="0 1 1"/><geom size=".1" pos=".2 0 0"/></body></worldbody>
    <tendon><fixed damping=".6"><joint joint="a" coef="1"/><joint joint="b" coef="-2"/></fixed></tendon></mujoco>)");
  Data d = world_of(m);
  d.qvel[0] = 1;
  forward(m, d);
  std::vector<double> pattern, exact;
  smooth_vel(m, d, true, pattern);
  smooth_vel_exact(m, d, exact);
  EXPECT_NEAR(exact[1], 1.2, 1e-15);
  EXPECT_EQ(pattern[1], 0);
  EXPECT_NEAR(pattern[0], exact[0], 1e-15);
  EXPECT_NEAR(pattern[3], exact[3], 1e-15);
}

TEST(SmoothVel, ExactDerivativeClampsControls) {
  // ctrl .6 with range 0 .3: MuJoCo's derivative uses the unclamped control
  const Model m = model_of(R"(<mujoco><worldbody><body><joint name="j"/><geom size=".1"/></body></worldbody>
    <actuator><damper joint="j" kv="2" ctrlrange="0 .3"/></actuator></mujoco>)");
  Data d = world_of(m);
  d.ctrl[0] = 0.6;
  d.qvel[0] = 1;
  forward(m, d);
  std::vector<double> pattern, exact;
  smooth_vel(m, d, true, pattern);
  smooth_vel_exact(m, d, exact);
  EXPECT_DOUBLE_EQ(pattern[0], -1.2);
  EXPECT_DOUBLE_EQ(exact[0], -0.6);
}

}  // namespace
}  // namespace sinew
