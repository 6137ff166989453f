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

/// A mass on a slide, inside the margin of its lower limit.
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

TEST(SwitchReport, IsEmptyInTheInteriorOfAnActiveSet) {
  World w(kLimited);
  w.d.qpos[0] = 0.05;
  const SwitchReport report = report_of(w);
  EXPECT_FALSE(report.at_switch());
  EXPECT_TRUE(report.contacts.empty() && report.limits.empty());
}

TEST(SwitchReport, NamesARowWhoseForceJustVanishes) {
  World w(kLimited);
  w.d.qpos[0] = 0.05;
  forward(w.m, w.d);
  const double K = w.d.efc_KBIP[0], B = w.d.efc_KBIP[1], imp = w.d.efc_KBIP[2];
  w.d.qvel[0] = -K * imp * (w.d.efc_pos[0] - w.d.efc_margin[0]) / B;  // a_ref = 0, without other accelerations
  const SwitchReport report = report_of(w);
  EXPECT_TRUE(report.at_switch());
  EXPECT_EQ(report.switches, (std::vector<Switch>{{SwitchKind::Row, 0}}));
}

TEST(SwitchReport, ReachIsTheDistanceToAChangeOfTheActiveSet) {
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

TEST(SwitchReport, NamesControlsAtTheEndOfTheirRange) {
  World w(kLimited);
  w.d.ctrl[0] = 1;
  EXPECT_TRUE(report_of(w).names(SwitchKind::Control, 0));
  EXPECT_TRUE(report_of(w).at_switch());
}

TEST(SwitchReport, NamesJointsThatCrossTheirMarginWithinAStep) {
  World w(kLimited);
  w.d.qpos[0] = 0.105;
  w.d.qvel[0] = -0.7;
  EXPECT_EQ(report_of(w).limits, std::vector<int>{0});
}

TEST(SwitchReport, NamesContactsThatLeaveTheirMarginWithinAStep) {
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

TEST(SwitchReport, NamesContactsOfParallelCapsules) {
  World w(R"(
<mujoco>
  <worldbody>
    <geom type="capsule" size="0.1 0.3" euler="0 90 0"/>
    <body pos="0.1 0 0.199" euler="0 90 0"><freejoint/><geom type="capsule" size="0.1 0.3"/></body>
  </worldbody>
</mujoco>)");
  const SwitchReport report = report_of(w);
  EXPECT_TRUE(report.names(SwitchKind::Feature, 0));
  EXPECT_TRUE(report.at_switch());
}

TEST(SwitchReport, DetectsStickingDryFrictionAtItsBound) {
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
  // the force reaches the loss at y = a = R loss: M a = u - loss
  w.d.ctrl[0] = 2 + w.d.efc_R[0] * 2;
  EXPECT_TRUE(report_of(w).at_switch());
}

/// A hinge with motors, a tendon along a slide, and everything that limits their forces.
constexpr const char* kClamped = R"(
<mujoco>
  <option gravity="0 0 0"/>
  <worldbody>
    <site name="wall" pos="0 0 0"/>
    <body>
      <joint name="h" actuatorfrcrange="-4 4"/>
      <geom size="0.1" pos="0.2 0 0"/>
    </body>
    <body pos="1 0 0">
      <joint name="s" type="slide" axis="1 0 0"/>
      <geom size="0.1" mass="1"/><site name="body"/>
    </body>
  </worldbody>
  <tendon>
    <spatial name="t" limited="true" range="0 1.5" margin="0.1" springlength="0.5 1.2" stiffness="3"
             actuatorfrcrange="-2 2" actuatorfrclimited="true">
      <site site="wall"/><site site="body"/>
    </spatial>
  </tendon>
  <actuator>
    <motor joint="h" forcerange="-1 1" gear="2"/>
    <motor joint="h"/>
    <motor tendon="t"/>
    <general joint="s" dyntype="integrator" actlimited="true" actrange="-1 1"/>
  </actuator>
</mujoco>)";

/// This is the only switch.
void expect_switch(const World& w, SwitchKind kind, int id, int other = -1) {
  EXPECT_EQ(report_of(w).switches, (std::vector<Switch>{{kind, id, other}})) << describe({kind, id, other});
}

TEST(SwitchReport, IsEmptyAwayFromAllClamps) {
  World w(kClamped);
  w.d.ctrl[0] = 0.3;
  EXPECT_FALSE(report_of(w).at_switch());
  w.d.ctrl[0] = 1.3;  // nor beyond the end
  EXPECT_FALSE(report_of(w).at_switch());
}

TEST(SwitchReport, NamesAForceOnEitherSideOfTheEndOfItsRange) {
  World w(kClamped);
  for (const double beyond : {-5e-7, 0.0, 5e-7}) {
    w.d.ctrl[0] = 1 + beyond;
    expect_switch(w, SwitchKind::Force, 0);
  }
  w.d.ctrl[0] = 1 + 2e-6;
  EXPECT_FALSE(report_of(w).at_switch());
}

TEST(SwitchReport, NamesAJointForceAtTheEndOfItsRange) {
  World w(kClamped);
  w.d.ctrl[0] = 0.5;
  w.d.ctrl[1] = 3;
  expect_switch(w, SwitchKind::JointForce, 0);
}

TEST(SwitchReport, NamesATendonForceAtTheEndOfItsRange) {
  World w(kClamped);
  w.d.ctrl[2] = -2;
  expect_switch(w, SwitchKind::TendonForce, 0);
}

TEST(SwitchReport, NamesATendonWhoseSpringOrLimitBeginsToAct) {
  World w(kClamped);
  w.d.qpos[1] = 0.2;
  expect_switch(w, SwitchKind::TendonSpring, 0);
  w.d.qpos[1] = 0.4;
  expect_switch(w, SwitchKind::TendonLimit, 0);
}

TEST(SwitchReport, NamesAnActivationAboutToBeClamped) {
  World w(kClamped);
  w.d.ctrl[3] = 5;
  w.d.act[0] = 1 - 5 * w.m.opt.timestep;
  expect_switch(w, SwitchKind::Activation, 3);
}

TEST(SwitchReport, NamesATendonThatBeginsToWrap) {
  World w(R"(
<mujoco>
  <worldbody>
    <site name="a" pos="-1 0 0"/><geom name="drum" type="cylinder" size="0.1 1" euler="90 0 0" contype="0"/>
    <body pos="1 0 0.2"><joint type="slide" axis="0 0 1"/><geom size="0.05" contype="0"/><site name="b"/></body>
  </worldbody>
  <tendon><spatial stiffness="10"><site site="a"/><geom geom="drum"/><site site="b"/></spatial></tendon>
</mujoco>)");
  EXPECT_FALSE(report_of(w).at_switch());
  // the line from (-1, 0) to (1, z) passes the origin at the distance z / √(4 + z²)
  w.d.qpos[0] = 0.2 / std::sqrt(1 - 0.01) - 0.2;
  expect_switch(w, SwitchKind::TendonWrap, 0, 0);
}

TEST(SwitchReport, NamesGeomsAboutToTouchThatHaveNoContactYet) {
  for (const char* shape : {R"(type="box" size=".1 .1 .1")", R"(type="sphere" size=".1")",
                            R"(type="ellipsoid" size=".05 .05 .1")", R"(type="cylinder" size=".1 .1")"})
    for (const char* ground : {R"(type="plane" size="1 1 1")", R"(type="box" size="1 1 .5" pos="0 0 -.5")"}) {
      World w(std::string("<mujoco><worldbody><geom ") + ground + R"(/><body pos="0 0 .1000005"><freejoint/><geom )" +
              shape + "/></body></worldbody></mujoco>");
      forward(w.m, w.d);
      EXPECT_EQ(w.d.ncon, 0);
      const SwitchReport report = report_of(w);
      EXPECT_TRUE(report.names(SwitchKind::Pair, 0) || report.names(SwitchKind::Pair, 1)) << shape << " on " << ground;
      w.d.qpos[2] += 1e-5;
      EXPECT_FALSE(report_of(w).at_switch()) << shape << " on " << ground;
    }
}

TEST(SwitchReport, NamesAFourthCornerAboutToTouch) {
  World w(R"(
<mujoco>
  <worldbody>
    <geom type="plane" size="1 1 1"/>
    <body pos="0 0 .1"><freejoint/><geom type="box" size=".1 .1 .1"/></body>
  </worldbody>
</mujoco>)");
  // rotated about its diagonal: two corners in the plane, one below, one slightly above
  const double angle = 0.01, half = 0.1;
  w.d.qpos[2] = half * std::cos(angle) - half * std::sqrt(2.0) * std::sin(angle) + 3e-7;
  w.d.qpos[3] = std::cos(angle / 2);
  w.d.qpos[4] = w.d.qpos[5] = std::sin(angle / 2) / std::sqrt(2.0);
  forward(w.m, w.d);
  ASSERT_EQ(w.d.ncon, 3);
  EXPECT_TRUE(report_of(w).names(SwitchKind::Feature, 0));
}

}  // namespace
}  // namespace sinew::test
