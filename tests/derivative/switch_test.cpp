#include "derivative/difference.h"
#include "sim/world.h"
#include "sinew/analytic.h"

namespace sinew::test {
namespace {

SwitchReport report_of(const World& w) {
  Transition out;
  SwitchReport report;
  transition_analytic(w.m, w.d, {}, out, report);
  return report;
}

/// A mass on a slide above its lower limit, whose margin it has entered.
constexpr const char* kLimited = R"(
<mujoco>
  <option gravity="0 0 0" timestep="0.01"/>
  <worldbody>
    <body>
      <joint name="j" type="slide" axis="0 0 1" range="0 1" margin="0.1" solreflimit="0.05 1"/>
      <geom size="0.1" mass="1"/>
    </body>
  </worldbody>
  <actuator><motor joint="j" ctrlrange="-1 1"/></actuator>
</mujoco>)";

TEST(SwitchReport, a_step_in_the_middle_of_its_active_set_is_at_no_switch) {
  World w(kLimited);
  w.d.qpos[0] = 0.05;
  const SwitchReport report = report_of(w);
  EXPECT_FALSE(report.at_switch());
  EXPECT_TRUE(report.contacts.empty() && report.limits.empty());
}

TEST(SwitchReport, a_row_whose_force_just_vanishes_is_named_and_not_averaged) {
  World w(kLimited);
  w.d.qpos[0] = 0.05;
  forward(w.m, w.d);
  const double K = w.d.efc_KBIP[0], B = w.d.efc_KBIP[1], imp = w.d.efc_KBIP[2];
  w.d.qvel[0] = -K * imp * (w.d.efc_pos[0] - w.d.efc_margin[0]) / B;  // a_ref = 0, and nothing else accelerates
  const SwitchReport report = report_of(w);
  EXPECT_TRUE(report.at_switch());
  EXPECT_EQ(report.rows, std::vector<int>{0});
}

TEST(SwitchReport, reach_is_how_far_a_component_moves_until_the_active_set_changes) {
  World w(kLimited);
  w.d.qpos[0] = 0.05;
  const double reach = report_of(w).reach;
  ASSERT_GT(reach, 0);
  ASSERT_LT(reach, 1);
  const auto force_after = [&](int column, double eps) {
    Data x = moved(w.m, w.d, column, eps);
    forward(w.m, x);
    return x.nefc > 0 ? x.efc_force[0] : 0;
  };
  bool changes = false;
  for (int column = 0; column < 3; ++column)
    for (const double side : {-1.0, 1.0}) {
      EXPECT_GT(force_after(column, 0.5 * side * reach), 0) << column;
      changes |= force_after(column, 2 * side * reach) == 0;
    }
  EXPECT_TRUE(changes);
}

TEST(SwitchReport, controls_at_the_end_of_their_range_are_named) {
  World w(kLimited);
  w.d.ctrl[0] = 1;
  EXPECT_EQ(report_of(w).controls, std::vector<int>{0});
  EXPECT_TRUE(report_of(w).at_switch());
}

TEST(SwitchReport, joints_that_cross_their_margin_within_a_step_are_named) {
  World w(kLimited);
  w.d.qpos[0] = 0.105;
  w.d.qvel[0] = -0.7;
  EXPECT_EQ(report_of(w).limits, std::vector<int>{0});
}

TEST(SwitchReport, contacts_that_leave_their_margin_within_a_step_are_named) {
  World w(R"(
<mujoco>
  <option timestep="0.01"/>
  <worldbody>
    <geom type="plane" size="1 1 1"/>
    <body pos="0 0 0.099"><freejoint/><geom size="0.1"/></body>
  </worldbody>
</mujoco>)");
  EXPECT_TRUE(report_of(w).contacts.empty());
  w.d.qvel[2] = 0.5;
  EXPECT_EQ(report_of(w).contacts, std::vector<int>{0});
}

TEST(SwitchReport, capsules_that_are_just_parallel_have_contacts_at_a_switch) {
  World w(R"(
<mujoco>
  <worldbody>
    <geom type="capsule" size="0.1 0.3" euler="0 90 0"/>
    <body pos="0.1 0 0.199" euler="0 90 0"><freejoint/><geom type="capsule" size="0.1 0.3"/></body>
  </worldbody>
</mujoco>)");
  const SwitchReport report = report_of(w);
  EXPECT_FALSE(report.features.empty());
  EXPECT_TRUE(report.at_switch());
}

TEST(SwitchReport, sticking_dry_friction_at_its_bound_is_named) {
  World w(R"(
<mujoco>
  <option gravity="0 0 0"/>
  <worldbody>
    <body><joint name="j" type="slide" frictionloss="2"/><geom size="0.1" mass="1"/></body>
  </worldbody>
  <actuator><motor joint="j"/></actuator>
</mujoco>)");
  w.d.ctrl[0] = 1.5;
  EXPECT_FALSE(report_of(w).at_switch());
  forward(w.m, w.d);
  // the force reaches the loss where y = a = R loss: M a = u - loss
  w.d.ctrl[0] = 2 + w.d.efc_R[0] * 2;
  EXPECT_TRUE(report_of(w).at_switch());
}

}  // namespace
}  // namespace sinew::test
